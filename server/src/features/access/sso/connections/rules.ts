import { checkActsForOwner, endSsoSessions } from '#features/access/access/index.ts'
import { checkCanGive } from '#features/access/members/index.ts'
import { lockRole } from '#features/workspace/accounts/index.ts'
import { type Caller, isBelow } from '#kernel/api/scopes.ts'
import { apiError, type Detail, detail, invalid, orNotFound, validationError } from '#kernel/base/errors.ts'
import { newRow } from '#kernel/base/ids.ts'
import type { Db } from '#kernel/db/db.ts'
import type { SsoDeps } from '../deps.ts'
import { isSecureAddress, requestLimits } from '../outgoing.ts'
import { findPolicy } from '../policy/queries.ts'
import { readCertificate } from '../saml/certificates.ts'
import { InvalidDocument } from '../saml/document.ts'
import { type ProviderMetadata, readMetadata } from '../saml/metadata.ts'
import { dropAttempts, unlinkProvider } from '../sign-in/queries.ts'
import {
  type ConnectionChange,
  concernsIdentity,
  isByOwner,
  isOtherProvider,
  needsNewTest,
} from './changes.ts'
import {
  type ConnectionSettings,
  type ConnectionView,
  countConnections,
  findConnection,
  findConnectionView,
  hasConnectionTo,
  hasWorkingConnection,
  insertConnection,
  lockConnection,
  lockSso,
  removeConnection,
  type StoredConnection,
  updateConnection,
} from './queries.ts'
import type { SsoConnectionInput, SsoConnectionPatch } from './schemas.ts'

const maxConnections = 20

/** Reading the workspace is allowed to every member; its sign-in belongs to owners and admins. */
export function checkIsAdmin({ role }: Caller): void {
  if (isBelow(role, 'admin'))
    throw apiError('insufficient_role', { message: `The role ${role} does not include single sign-on.` })
}

/**
 * The caller with the role that it has now. A connection can make a person an admin and can name every member, and the
 * policy can keep members out: the caller must be able to give the role of an admin.
 */
export async function checkDecidesSignIn(tx: Db, by: Caller): Promise<Caller> {
  const role =
    by.memberId === null
      ? by.role
      : ((await lockRole(tx, by.workspaceId, by.memberId)) ?? ('member' as const))
  const caller = { ...by, role }
  checkCanGive(caller, 'admin')
  await checkActsForOwner(tx, caller)
  return caller
}

const empty: Omit<ConnectionSettings, 'kind' | 'name' | 'trust_email'> = {
  active: true,
  issuer: '',
  client_id: null,
  scopes: [],
  sso_url: null,
  certificates: [],
  metadata_url: null,
  idp_initiated: false,
  email_claim: null,
  group_claim: null,
  group_roles: [],
  default_role: 'member',
  allowed_domains: [],
  just_in_time: false,
  owner_trusted: false,
}

/** Properties that the other kind does not have. */
const foreign = {
  oidc: ['sso_url', 'certificates', 'metadata_url', 'metadata_xml', 'idp_initiated'],
  saml: ['client_id', 'client_secret', 'scopes'],
} as const

const problem = (field: string, code: Detail['code'], text: string): Detail =>
  detail(field, code, { message: `${field} ${text}` })

const insecure = 'must be an https address (http only on this machine), without a user name'

const oidcProblems = ({ issuer, client_id, scopes }: ConnectionSettings): Detail[] => [
  ...(issuer === '' ? [detail('issuer', 'missing')] : []),
  ...(issuer !== '' && !isSecureAddress(issuer) ? [problem('issuer', 'invalid', insecure)] : []),
  ...(client_id === null ? [detail('client_id', 'missing')] : []),
  ...(scopes.includes('openid') ? [] : [problem('scopes', 'invalid', 'must contain openid')]),
]

const samlProblems = ({ issuer, sso_url, certificates, allowed_domains }: ConnectionSettings): Detail[] => [
  ...(issuer === '' ? [detail('issuer', 'missing')] : []),
  ...(sso_url === null ? [detail('sso_url', 'missing')] : []),
  ...(sso_url !== null && !isSecureAddress(sso_url) ? [problem('sso_url', 'invalid', insecure)] : []),
  ...(certificates.length === 0 ? [detail('certificates', 'missing')] : []),
  ...(allowed_domains.length === 0
    ? [problem('allowed_domains', 'missing', 'is required for SAML, which does not confirm addresses')]
    : []),
]

function settingsProblems(connection: ConnectionSettings): Detail[] {
  const { kind, allowed_domains, trust_email, just_in_time, group_roles, group_claim } = connection
  const details = kind === 'oidc' ? oidcProblems(connection) : samlProblems(connection)
  const needsDomains =
    allowed_domains.length === 0 && !details.some(({ field }) => field === 'allowed_domains')
  if (needsDomains && (trust_email || just_in_time))
    details.push(problem('allowed_domains', 'missing', 'is required with trust_email or just_in_time'))
  if (group_roles.length > 0 && group_claim === null)
    details.push(problem('group_claim', 'missing', 'is required with group_roles'))
  return details
}

function readCertificates(texts: readonly string[]): readonly string[] {
  const read = texts.map(readCertificate)
  const wrong = read.indexOf(undefined)
  if (wrong !== -1)
    throw invalid(`certificates[${wrong}]`, 'invalid', {
      message: `certificates[${wrong}] is not an X.509 certificate with an RSA key, in PEM`,
    })
  return [...new Set(read as string[])]
}

/** The connection after the change. Throws when it could not work. */
function merge(
  before: ConnectionSettings,
  patch: SsoConnectionPatch,
  metadata: ProviderMetadata | undefined,
  { addressProblem }: Pick<SsoDeps, 'addressProblem'>,
): ConnectionSettings {
  const wrong = foreign[before.kind].filter(field => patch[field] !== undefined)
  if (wrong.length > 0)
    throw validationError(
      wrong.map(field => problem(field, 'not_allowed', `does not belong to a connection by ${before.kind}`)),
    )
  const { client_secret: _, metadata_xml: __, ...settings } = patch
  const after: ConnectionSettings = {
    ...before,
    ...settings,
    ...(metadata && { ...metadata, metadata_url: patch.metadata_url ?? null }),
    ...(patch.certificates && { certificates: readCertificates(patch.certificates) }),
    allowed_domains: [
      ...new Set((patch.allowed_domains ?? before.allowed_domains).map(name => name.toLowerCase())),
    ],
  }
  const problems = settingsProblems(after)
  // By SAML, only browsers connect to the provider, and the issuer is a name.
  const isNewIssuer = after.kind === 'oidc' && after.issuer !== before.issuer
  const unreachable = isNewIssuer && isSecureAddress(after.issuer) ? addressProblem(after.issuer) : undefined
  if (unreachable !== undefined) problems.push(problem('issuer', 'invalid', unreachable))
  if (problems.length > 0) throw validationError(problems)
  return after
}

/** Reads the metadata that a body names or holds. Runs before the transaction. */
export async function loadMetadata(
  { metadata_url: url, metadata_xml: xml }: SsoConnectionPatch,
  { fetchPublic }: Pick<SsoDeps, 'fetchPublic'>,
): Promise<ProviderMetadata | undefined> {
  if (url === undefined && xml === undefined) return undefined
  const field = url === undefined ? 'metadata_xml' : 'metadata_url'
  const fail = (text: string) => invalid(field, 'invalid', { message: `${field}: ${text}` })
  let text = xml ?? ''
  if (url !== undefined) {
    if (!isSecureAddress(url)) throw fail(`the address ${insecure}`)
    const answer = await fetchPublic(url, { redirects: 3, ...requestLimits })
    if (!answer.ok) throw fail(`the address ${answer.problem}`)
    if (answer.status !== 200) throw fail(`the address answers ${answer.status}`)
    text = answer.bytes.toString('utf8')
  }
  try {
    return readMetadata(text)
  } catch (error) {
    throw error instanceof InvalidDocument ? fail(`the document ${error.message}`) : error
  }
}

export async function createConnection(
  db: Db,
  by: Caller,
  input: SsoConnectionInput,
  metadata: ProviderMetadata | undefined,
  deps: SsoDeps,
): Promise<ConnectionView> {
  checkIsAdmin(by)
  const { kind, ...fields } = input
  const isOidc = kind === 'oidc'
  const start = {
    ...empty,
    kind,
    name: input.name,
    trust_email: !isOidc,
    scopes: isOidc ? ['openid', 'email', 'profile'] : [],
  }
  const settings = merge(start, fields, metadata, deps)
  const row = newRow()
  const secret = input.client_secret ? await deps.sealSecret(input.client_secret, row.id) : null
  return db.transaction(async tx => {
    await lockSso(tx, by.workspaceId)
    if ((await countConnections(tx, by.workspaceId)) >= maxConnections)
      throw invalid('sso_connection', 'too_many', {
        message: `A workspace has at most ${maxConnections} connections for single sign-on.`,
      })
    const caller = await checkDecidesSignIn(tx, by)
    await insertConnection(tx, by, row, { ...settings, owner_trusted: isByOwner(caller) }, secret)
    return orNotFound(await findConnectionView(tx, by.workspaceId, row.id, deps.publicUrl))
  })
}

async function sealedAfter(
  before: StoredConnection,
  secret: string | null | undefined,
  { sealSecret }: Pick<SsoDeps, 'sealSecret'>,
): Promise<Buffer | null> {
  if (secret === undefined) return before.client_secret
  return secret === null ? null : sealSecret(secret, before.id)
}

/** True if the owner can sign in through the connection after the change. */
function ownerTrustAfter(
  by: Caller,
  { owner_trusted }: SsoConnectionPatch,
  change: ConnectionChange,
): boolean {
  if (owner_trusted === undefined)
    return concernsIdentity(change) ? isByOwner(by) : change.before.owner_trusted
  if (!isByOwner(by))
    throw apiError('insufficient_role', { message: 'Only the owner decides about `owner_trusted`.' })
  return owner_trusted
}

export async function changeConnection(
  db: Db,
  by: Caller,
  id: string,
  patch: SsoConnectionPatch,
  metadata: ProviderMetadata | undefined,
  deps: SsoDeps,
): Promise<ConnectionView> {
  checkIsAdmin(by)
  return db.transaction(async tx => {
    await lockSso(tx, by.workspaceId)
    const before = orNotFound(await lockConnection(tx, by.workspaceId, id))
    const caller = await checkDecidesSignIn(tx, by)
    if (Object.keys(patch).length > 0) {
      const { workspace_id: _, id: __, client_secret: ___, updated_at: ____, ...settings } = before
      const after = merge(settings, patch, metadata, deps)
      // A secret must not be sent to a provider that it was not entered for.
      if (before.issuer !== after.issuer && before.client_secret && patch.client_secret === undefined)
        throw invalid('client_secret', 'missing', {
          message: 'client_secret is required when the issuer changes',
        })
      const change = { before, after, hasNewSecret: patch.client_secret !== undefined }
      const trusted = { ...after, owner_trusted: ownerTrustAfter(caller, patch, change) }
      const sealed = await sealedAfter(before, patch.client_secret, deps)
      await updateConnection(tx, by, id, trusted, sealed, needsNewTest(change, new Date()))
      await endWhatBeganBefore(tx, by, change)
      await checkWayIn(tx, by.workspaceId)
    }
    return orNotFound(await findConnectionView(tx, by.workspaceId, id, deps.publicUrl))
  })
}

/** Answers of the provider that are not used yet, links to members, and sessions. */
async function endWhatBeganBefore(tx: Db, by: Caller, change: ConnectionChange): Promise<void> {
  const { before, after } = change
  const isOther = isOtherProvider(change)
  if (concernsIdentity(change)) await dropAttempts(tx, by.workspaceId, before.id)
  if (isOther)
    for (const issuer of new Set([before.issuer, after.issuer]))
      await unlinkProvider(tx, by, { kind: before.kind, issuer })
  if (isOther || (before.active && !after.active)) await endSsoSessions(tx, by, before.kind)
}

export async function deleteConnection(db: Db, by: Caller, id: string): Promise<void> {
  checkIsAdmin(by)
  await db.transaction(async tx => {
    await lockSso(tx, by.workspaceId)
    await checkDecidesSignIn(tx, by)
    const { kind, issuer } = orNotFound(await lockConnection(tx, by.workspaceId, id))
    await removeConnection(tx, by, id)
    await checkWayIn(tx, by.workspaceId)
    if (!(await hasConnectionTo(tx, by.workspaceId, kind, issuer)))
      await unlinkProvider(tx, by, { kind, issuer })
    await endSsoSessions(tx, by, kind)
  })
}

/** Members of a workspace that insists on single sign-on must have a connection that works. */
async function checkWayIn(tx: Db, workspaceId: string): Promise<void> {
  const { sso_required } = await findPolicy(tx, workspaceId)
  if (sso_required && !(await hasWorkingConnection(tx, workspaceId)))
    throw apiError('last_way_in', {
      message:
        'The workspace insists on single sign-on, and this is its only connection that works and that the owner can use: switch `sso_required` off first, or add and test another connection. Certificates can be added while the known ones stay.',
    })
}

/** With its secret, for a sign-in or a check. */
export const openSecret = async (
  connection: StoredConnection,
  { openSecret: open }: Pick<SsoDeps, 'openSecret'>,
): Promise<string | null> =>
  connection.client_secret === null ? null : open(connection.client_secret, connection.id)

export const findOwnConnection = async (db: Db, by: Caller, id: string): Promise<StoredConnection> => {
  checkIsAdmin(by)
  return orNotFound(await findConnection(db, by.workspaceId, id))
}
