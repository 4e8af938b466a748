// The only file that reads the environment. Each setting is one entry here and one row in docs/operate/operating.md; a test
// compares the two.
import { resolve } from 'node:path'
import { createSecureContext } from 'node:tls'
import {
  type Read,
  readAddresses,
  readApiKey,
  readBucket,
  readDatabaseUrl,
  readEmail,
  readFileBytes,
  readHostName,
  readInteger,
  readKeys,
  readOneOf,
  readOrigins,
  readProgram,
  readText,
  readUrl,
  SettingError,
} from '#kernel/api/setting-readers.ts'
import { OperatorError } from '#kernel/base/errors.ts'
import { logLevels } from '#kernel/base/log.ts'

interface Setting<T> {
  readonly name: string
  readonly fallback: string | null
  readonly read: Read<T>
  readonly help: string
}

function setting<T>(name: string, fallback: string, read: Read<T>, help: string): Setting<T>
function setting<T>(name: string, fallback: null, read: Read<T>, help: string): Setting<T | null>
function setting<T>(name: string, fallback: string | null, read: Read<T>, help: string): Setting<T | null> {
  return { name, fallback, read, help }
}

export const settings = {
  port: setting('PORT', '3000', readInteger(0, 65_535), 'Port to listen on; 0 takes any free one.'),
  host: setting('HOST', '127.0.0.1', readText, 'Address to listen on; `0.0.0.0` or `::` for every network.'),
  publicUrl: setting(
    'SIGNOFF_PUBLIC_URL',
    null,
    readUrl('http', 'https'),
    'How the outside reaches this service. Unset: `http://localhost:<PORT>`.',
  ),
  databaseUrl: setting(
    'DATABASE_URL',
    null,
    readDatabaseUrl,
    'A PostgreSQL server, 15 or newer. Unset: a PostgreSQL of its own in the data folder.',
  ),
  directDatabaseUrl: setting(
    'SIGNOFF_DIRECT_DATABASE_URL',
    null,
    readDatabaseUrl,
    'The PostgreSQL server itself, when DATABASE_URL leads to a connection pooler (PgBouncer 1.21 or newer, in transaction mode).',
  ),
  databasePool: setting(
    'SIGNOFF_DATABASE_POOL',
    '10',
    readInteger(2, 1_000),
    'Connections to PostgreSQL per process.',
  ),
  dataDir: setting(
    'SIGNOFF_DATA_DIR',
    './data',
    value => resolve(value),
    'Folder for the embedded PostgreSQL and for files.',
  ),
  spoolLimitMb: setting(
    'SIGNOFF_SPOOL_LIMIT_MB',
    '1024',
    readInteger(1, 1_000_000),
    'Disk space for events that wait in the data folder while PostgreSQL does not answer, in MB; further ones are dropped.',
  ),
  s3Endpoint: setting(
    'SIGNOFF_S3_ENDPOINT',
    null,
    readUrl('http', 'https'),
    'An S3-compatible server for files, for example `https://s3.eu-central-1.amazonaws.com`. Unset: files are in the data folder.',
  ),
  s3Bucket: setting('SIGNOFF_S3_BUCKET', null, readBucket, 'The bucket for files. With SIGNOFF_S3_ENDPOINT.'),
  s3Region: setting(
    'SIGNOFF_S3_REGION',
    'us-east-1',
    readText,
    'The region that requests to S3 are signed for.',
  ),
  s3AccessKeyId: setting(
    'SIGNOFF_S3_ACCESS_KEY_ID',
    null,
    readText,
    'Who reads and writes the bucket. With SIGNOFF_S3_ENDPOINT.',
  ),
  s3SecretAccessKey: setting(
    'SIGNOFF_S3_SECRET_ACCESS_KEY',
    null,
    readText,
    'The secret of SIGNOFF_S3_ACCESS_KEY_ID.',
  ),
  apiKey: setting(
    'SIGNOFF_API_KEY',
    null,
    readApiKey,
    'The first API key, used on the very first start alone. Unset: one is made and shown once. `npx signoff mcp` acts with it.',
  ),
  url: setting(
    'SIGNOFF_URL',
    'http://localhost:3000',
    readUrl('http', 'https'),
    'The service that `npx signoff mcp` passes requests on to.',
  ),
  secretKeys: setting(
    'SIGNOFF_SECRET_KEYS',
    null,
    readKeys,
    'Keys that seal stored secrets and the addresses in signatures, 32 bytes in base64: the first seals, all open. Unset: one is made in the data folder (`secret.key`). Processes that share a database must share them.',
  ),
  ldapPassword: setting(
    'SIGNOFF_LDAP_PASSWORD',
    null,
    readText,
    'Read by `npx signoff integrations add ldap` alone: the password of the account, unless a file is named.',
  ),
  workspaceName: setting(
    'SIGNOFF_WORKSPACE_NAME',
    'My company',
    readText,
    'Name of the first workspace, used on the very first start alone.',
  ),
  ownerEmail: setting(
    'SIGNOFF_OWNER_EMAIL',
    'owner@localhost',
    readEmail,
    'Address of the owner of the first workspace, used on the very first start alone.',
  ),
  workspaceCreation: setting(
    'SIGNOFF_WORKSPACE_CREATION',
    'owners',
    readOneOf<'owners' | 'operator'>(['owners', 'operator']),
    'Who creates further workspaces: `owners`, the accounts that own one already, or only the `operator` by `npx signoff workspaces create`.',
  ),
  rateLimit: setting(
    'SIGNOFF_RATE_LIMIT',
    null,
    readInteger(1, 1_000_000),
    'Requests per second and API key, or session of a person, counted in each process. Unset: no limit.',
  ),
  jobConcurrency: setting(
    'SIGNOFF_JOB_CONCURRENCY',
    '5',
    readInteger(0, 100),
    'Jobs worked at once per process; 0 on `serve` leaves them to `work` processes.',
  ),
  requestTimeoutSeconds: setting(
    'SIGNOFF_REQUEST_TIMEOUT_SECONDS',
    '60',
    readInteger(1, 3_600),
    'Seconds that a request may take to arrive in whole, an upload for example; then it is answered with 408.',
  ),
  answerTimeoutSeconds: setting(
    'SIGNOFF_ANSWER_TIMEOUT_SECONDS',
    '60',
    readInteger(1, 3_600),
    'Seconds after which a client that takes nothing of its answer is disconnected.',
  ),
  queryTimeoutSeconds: setting(
    'SIGNOFF_QUERY_TIMEOUT_SECONDS',
    '10',
    readInteger(1, 30),
    'Seconds that PostgreSQL may take for one statement of a request that reads, a search for example; then it is answered with 503.',
  ),
  trustedProxies: setting(
    'SIGNOFF_TRUSTED_PROXIES',
    null,
    readAddresses,
    'Proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` are believed.',
  ),
  corsOrigins: setting(
    'SIGNOFF_CORS_ORIGINS',
    null,
    readOrigins,
    'Origins whose web pages may call the API from a browser, for example `https://app.example.com`, separated by commas. Unset: none.',
  ),
  privateTargets: setting(
    'SIGNOFF_PRIVATE_TARGETS',
    null,
    readAddresses,
    'Private addresses or networks that may nevertheless be fetched from, for example `10.1.2.0/24`.',
  ),
  sameViewSeconds: setting(
    'SIGNOFF_SAME_VIEW_SECONDS',
    '0',
    readInteger(0, 3_600),
    'Seconds in which further requests for the same pixel by the same client are the same view, in each process; 0 counts every one.',
  ),
  viewsPerMinute: setting(
    'SIGNOFF_VIEWS_PER_MINUTE',
    '120',
    readInteger(0, 1_000_000),
    'Requests for one pixel (views) or one link (clicks) from one address that are recorded in a minute, in each process; further ones are answered as ever and counted as `repeated` in /metrics. Image proxies of mail providers have ten times as many. 0 is no limit.',
  ),
  tlsCert: setting(
    'SIGNOFF_TLS_CERT',
    null,
    readFileBytes,
    'Certificate chain (PEM file), to serve HTTPS without a proxy. With SIGNOFF_TLS_KEY.',
  ),
  tlsKey: setting('SIGNOFF_TLS_KEY', null, readFileBytes, 'Private key (PEM file) of SIGNOFF_TLS_CERT.'),
  smtpUrl: setting(
    'SIGNOFF_SMTP_URL',
    null,
    readUrl('smtp', 'smtps'),
    'Mail server, for example `smtp://user:password@mail.example.com:587`. Unset: no mail is sent.',
  ),
  mailFrom: setting(
    'SIGNOFF_MAIL_FROM',
    'signoff@localhost',
    readEmail,
    'Sender of the mails of this service.',
  ),
  operatorEmail: setting('SIGNOFF_OPERATOR_EMAIL', null, readEmail, 'Where feedback is mailed to.'),
  chromium: setting(
    'SIGNOFF_CHROMIUM',
    null,
    readProgram,
    'A Chromium or Chrome to draw pictures with. Unset: the one that comes by npm, on Linux on x64; on other machines one that is installed in its usual place.',
  ),
  relayPort: setting(
    'SIGNOFF_RELAY_PORT',
    null,
    readInteger(0, 65_535),
    'Port of the SMTP relay, with STARTTLS; 0 takes any free one. Set: `serve` runs the relay too. Unset: only `npx signoff relay` does, on port 2525.',
  ),
  relayTlsPort: setting(
    'SIGNOFF_RELAY_TLS_PORT',
    null,
    readInteger(0, 65_535),
    'A second port of the relay, where TLS begins with the first byte. Needs a certificate. Unset: none.',
  ),
  relayHost: setting(
    'SIGNOFF_RELAY_HOST',
    null,
    readText,
    'Address that the relay listens on; `0.0.0.0` or `::` for every network. Unset: that of HOST.',
  ),
  relayName: setting(
    'SIGNOFF_RELAY_NAME',
    null,
    readHostName,
    'How the relay calls itself to mail servers. Unset: the host of SIGNOFF_PUBLIC_URL.',
  ),
  relayTlsCert: setting(
    'SIGNOFF_RELAY_TLS_CERT',
    null,
    readFileBytes,
    'Certificate chain (PEM file) of the relay, which it also shows to the next hop. With SIGNOFF_RELAY_TLS_KEY. Unset: that of SIGNOFF_TLS_CERT; without one the relay offers no TLS.',
  ),
  relayTlsKey: setting(
    'SIGNOFF_RELAY_TLS_KEY',
    null,
    readFileBytes,
    'Private key (PEM file) of SIGNOFF_RELAY_TLS_CERT.',
  ),
  relayClientCa: setting(
    'SIGNOFF_RELAY_CLIENT_CA',
    null,
    readFileBytes,
    'Authorities (PEM file) that issue the certificates of mail servers, for senders and the next hop. Unset: the public ones.',
  ),
  relayMaxMb: setting(
    'SIGNOFF_RELAY_MAX_MB',
    '40',
    readInteger(1, 150),
    'The largest message that the relay takes, in MB. Messages over 64 kB are in files without a name in `cache/relay` of the data folder while they pass, at most 1 GB or four of the largest, and share 40 MB of memory, or as much as one such message needs.',
  ),
  relayMetricsPort: setting(
    'SIGNOFF_RELAY_METRICS_PORT',
    null,
    readInteger(0, 65_535),
    'Where `npx signoff relay` serves /metrics and /healthz, on HOST. Unset: nowhere. Inside `serve` they are those of the service.',
  ),
  dashboard: setting(
    'SIGNOFF_DASHBOARD',
    'on',
    readOneOf(['on', 'off']),
    'Whether this process serves the dashboard. It is built at the first start of a version, which needs about 450 MB of memory for some seconds.',
  ),
  logLevel: setting(
    'SIGNOFF_LOG_LEVEL',
    'info',
    readOneOf(logLevels),
    'How much is logged: fatal, error, warn, info, debug or silent.',
  ),
}

type Values = {
  readonly [K in keyof typeof settings]: (typeof settings)[K] extends Setting<infer T> ? T : never
}
export type Config = Values & { readonly publicUrl: string }

export function readConfig(env: Readonly<Record<string, string | undefined>> = process.env): Config {
  const read = <T>({ name, fallback, read: parse }: Setting<T>): T | null => {
    const fromEnvironment = env[name] === '' ? undefined : env[name]
    const value = fromEnvironment ?? fallback
    if (value === null) return null
    try {
      return parse(value)
    } catch (error) {
      if (error instanceof SettingError) throw new OperatorError(`${name} must be ${error.message}.`)
      throw error
    }
  }
  const values = Object.fromEntries(
    Object.entries(settings).map(([key, entry]) => [key, read(entry as Setting<unknown>)]),
  ) as Values
  if ((values.tlsCert === null) !== (values.tlsKey === null)) {
    throw new OperatorError('SIGNOFF_TLS_CERT and SIGNOFF_TLS_KEY must be set together.')
  }
  if (values.directDatabaseUrl !== null && values.databaseUrl === null)
    throw new OperatorError('SIGNOFF_DIRECT_DATABASE_URL needs DATABASE_URL, the address of the pooler.')
  const s3 = [values.s3Endpoint, values.s3Bucket, values.s3AccessKeyId, values.s3SecretAccessKey]
  if (s3.includes(null) && s3.some(value => value !== null)) {
    throw new OperatorError(
      'SIGNOFF_S3_ENDPOINT, SIGNOFF_S3_BUCKET, SIGNOFF_S3_ACCESS_KEY_ID and SIGNOFF_S3_SECRET_ACCESS_KEY must be set together.',
    )
  }
  if (values.tlsCert && values.tlsKey)
    checkCertificate('SIGNOFF_TLS_CERT and SIGNOFF_TLS_KEY', values.tlsCert, values.tlsKey)
  checkRelay(values)
  const scheme = values.tlsCert === null ? 'http' : 'https'
  return { ...values, publicUrl: values.publicUrl ?? `${scheme}://localhost:${values.port}` }
}

function checkRelay({ relayTlsCert: cert, relayTlsKey: key, tlsCert, relayTlsPort }: Values): void {
  const names = 'SIGNOFF_RELAY_TLS_CERT and SIGNOFF_RELAY_TLS_KEY'
  if ((cert === null) !== (key === null)) throw new OperatorError(`${names} must be set together.`)
  if (cert && key) checkCertificate(names, cert, key)
  if (relayTlsPort !== null && (cert ?? tlsCert) === null)
    throw new OperatorError(`SIGNOFF_RELAY_TLS_PORT needs a certificate: set ${names}.`)
}

function checkCertificate(names: string, cert: Buffer, key: Buffer): void {
  try {
    createSecureContext({ cert, key })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new OperatorError(`${names} must be a certificate and its private key in PEM form (${reason}).`)
  }
}
