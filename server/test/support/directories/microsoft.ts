// A fake Microsoft: the token endpoint with the checks of the real one, and Microsoft Graph.
import { constants, createHash, randomUUID, verify, X509Certificate } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import { generate } from 'selfsigned'
import { listenLocally } from '../listen.ts'
import { FakeEntra, type GraphReply } from './microsoft-directory.ts'

const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

export interface Microsoft {
  /** The base address of Graph and of the token endpoint. */
  readonly api: string
  readonly tenant: string
  readonly clientId: string
  readonly clientSecret: string
  /** The certificate that was uploaded to the app registration. */
  readonly certificate: string
  readonly privateKey: string
  /** Application permissions with admin consent. A token has those of the time when it was given. */
  readonly consented: Set<string>
  /** Client secrets and certificates that do not count any more. */
  isExpired: boolean
  readonly tokensGiven: () => number
  /** Invalidates all tokens. */
  forgetTokens(): void
  /** Waits before the answer to a request for this address. */
  holdAnswer: (url: string) => Promise<void>
  readonly directory: FakeEntra
}

type Refusal = readonly [code: string, text: string]

export async function startMicrosoft(): Promise<Microsoft> {
  const { private: privateKey, cert: certificate } = await generate(
    [{ name: 'commonName', value: 'Signoff' }],
    { keySize: 2048, algorithm: 'sha256' },
  )
  const x509 = new X509Certificate(certificate)
  const thumbprint = createHash('sha256').update(x509.raw).digest('base64url')
  const tokens = new Map<string, ReadonlySet<string>>()
  const usedIds = new Set<string>()
  let tokenCount = 0

  function checkAssertion(assertion: string): Refusal | undefined {
    const [header = '', payload = '', signature = ''] = assertion.split('.')
    const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString())
    const { alg, typ, 'x5t#S256': named } = read(header)
    const { aud, iss, sub, jti, nbf, exp } = read(payload)
    const now = Date.now() / 1_000
    if (alg !== 'PS256' || typ !== 'JWT')
      return ['AADSTS5002730', 'Invalid JWT token. Unsupported algorithm.']
    if (named !== thumbprint || microsoft.isExpired)
      return [
        'AADSTS700027',
        'The certificate with identifier used to sign the client assertion is not registered on application.',
      ]
    if (aud !== `https://login.microsoftonline.com/${microsoft.tenant}/oauth2/v2.0/token`)
      return ['AADSTS700023', 'Client assertion audience claim does not match Realm issuer.']
    if (iss !== microsoft.clientId || sub !== microsoft.clientId)
      return ['AADSTS700021', 'Client assertion application identifier does not match.']
    if (typeof jti !== 'string' || usedIds.has(jti)) return ['AADSTS50027', 'The assertion was used before.']
    usedIds.add(jti)
    if (!(nbf <= now + 60 && exp > now && exp - nbf <= 600))
      return ['AADSTS700024', 'Client assertion is not within its valid time range.']
    const padding = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }
    const key = { key: x509.publicKey, ...padding }
    const isSigned = verify(
      'sha256',
      Buffer.from(`${header}.${payload}`),
      key,
      Buffer.from(signature, 'base64url'),
    )
    return isSigned ? undefined : ['AADSTS700027', 'Client assertion failed signature validation.']
  }

  function checkGrant(url: string, form: URLSearchParams): Refusal | undefined {
    if (url !== `/${microsoft.tenant}/oauth2/v2.0/token`) return ['AADSTS90002', 'Tenant not found.']
    if (form.get('client_id') !== microsoft.clientId)
      return ['AADSTS700016', 'Application was not found in the directory.']
    if (
      form.get('grant_type') !== 'client_credentials' ||
      form.get('scope') !== 'https://graph.microsoft.com/.default'
    )
      return ['AADSTS70011', 'The provided value for the input parameter scope is not valid.']
    if (form.has('client_assertion') && form.get('client_assertion_type') === assertionType)
      return checkAssertion(form.get('client_assertion') ?? '')
    if (microsoft.isExpired) return ['AADSTS7000222', 'The provided client secret keys for app are expired.']
    return form.get('client_secret') === microsoft.clientSecret
      ? undefined
      : ['AADSTS7000215', 'Invalid client secret provided.']
  }

  function issueToken(url: string, body: string, type: string | undefined, response: ServerResponse) {
    const refused =
      type === 'application/x-www-form-urlencoded'
        ? checkGrant(url, new URLSearchParams(body))
        : (['AADSTS900144', 'The request body must contain the parameter grant_type.'] as const)
    if (refused) {
      const [code, text] = refused
      const description = `${code}: ${text} Trace ID: ${randomUUID()} Correlation ID: ${randomUUID()} Timestamp: now`
      return json(response, 401, { error: 'invalid_client', error_description: description })
    }
    const access_token = `eyJ.${randomUUID()}`
    tokens.set(access_token, new Set(microsoft.consented))
    tokenCount += 1
    return json(response, 200, { token_type: 'Bearer', expires_in: 3_599, access_token })
  }

  function readGraph(url: string, bearer: string, response: ServerResponse) {
    const roles = tokens.get(bearer.replace(/^Bearer /, ''))
    if (!roles)
      return json(response, 401, {
        error: { code: 'InvalidAuthenticationToken', message: 'Access token has expired.' },
      })
    const { pathname, searchParams } = new URL(url, microsoft.api)
    const path = decodeURIComponent(pathname.slice('/v1.0/'.length))
    return send(response, microsoft.directory.answer(path, searchParams, roles))
  }

  const server = createServer(async (request, response) => {
    const body = await readText(request)
    const { method, url = '', headers } = request
    await microsoft.holdAnswer(url)
    if (headers.host?.startsWith('localhost')) microsoft.directory.faults.push('a request to another host')
    if (method === 'POST') return issueToken(url, body, headers['content-type'], response)
    if (method === 'GET' && url.startsWith('/v1.0/'))
      return readGraph(url, headers.authorization ?? '', response)
    microsoft.directory.faults.push(`${method} ${url}`)
    json(response, 404, { error: { code: 'BadRequest', message: 'Invalid version' } })
  })
  const api = await listenLocally(server)
  const microsoft: Microsoft = {
    api,
    tenant: randomUUID(),
    clientId: randomUUID(),
    clientSecret: 'abc8Q~secret.value',
    certificate,
    privateKey,
    consented: new Set(['User.Read.All', 'GroupMember.Read.All', 'ProfilePhoto.Read.All', 'Domain.Read.All']),
    isExpired: false,
    tokensGiven: () => tokenCount,
    forgetTokens: () => tokens.clear(),
    holdAnswer: async () => undefined,
    directory: new FakeEntra(() => api),
  }
  return microsoft
}

function json(response: ServerResponse, status: number, body: object, headers: object = {}): ServerResponse {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers })
  return response.end(JSON.stringify(body))
}

function send(response: ServerResponse, { status, body, headers = {}, isCut }: GraphReply): ServerResponse {
  if (status === 0) return response.destroy()
  if (Buffer.isBuffer(body)) {
    response.writeHead(status, headers)
    return response.end(body)
  }
  if (!isCut) return json(response, status, body ?? {}, headers)
  const text = JSON.stringify(body)
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
  return response.end(text.slice(0, Math.floor(text.length / 2)))
}
