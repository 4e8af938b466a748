// `sso`: connections for single sign-on, through the same rules as the API.
import { readFile } from 'node:fs/promises'
import type { Config } from '#config.ts'
import type { GivenRole } from '#features/access/members/index.ts'
import {
  type ConnectionView,
  changeConnection,
  changePolicy,
  checkConnection,
  createConnection,
  deleteConnection,
  findOwnConnection,
  findPolicy,
  listConnections,
  loadMetadata,
  recordCheck,
  type SsoDeps,
  unlinkMember,
} from '#features/access/sso/index.ts'
import { findMember, type Member, membersOf } from '#features/workspace/accounts/index.ts'
import { listWorkspaces } from '#features/workspace/workspaces/index.ts'
import { type Caller, operator } from '#kernel/api/scopes.ts'
import { ApiError } from '#kernel/base/errors.ts'
import type { Db } from '#kernel/db/db.ts'
import { buildParts } from '#parts.ts'
import {
  CommandError,
  chooseWorkspace,
  print,
  table,
  type WorkspaceOption,
  withDatabase,
} from '../context.ts'

interface ConnectionOptions extends WorkspaceOption {
  readonly name: string
  readonly domain?: readonly string[]
  readonly role: GivenRole | 'none'
  readonly groupClaim?: string
  readonly group?: readonly string[]
  readonly justInTime?: boolean
  readonly trustEmail?: boolean
}

interface OidcOptions extends ConnectionOptions {
  readonly issuer: string
  readonly clientId: string
  readonly secretFile?: string
  readonly scope?: readonly string[]
}

interface SamlOptions extends ConnectionOptions {
  readonly metadata: string
  readonly idpInitiated?: boolean
}

interface SsoCommand {
  readonly db: Db
  readonly by: Caller
  readonly deps: SsoDeps
  readonly config: Config
}

/** A connection is known by its id, whatever workspace it belongs to. */
async function workspaceOfConnection(db: Db, id: string): Promise<string | undefined> {
  for (const workspace of await listWorkspaces(db)) {
    const connection = await findOwnConnection(db, operator(workspace.id), id).catch(() => undefined)
    if (connection) return workspace.id
  }
  return undefined
}

const withConnection = (
  id: string,
  workspace: string | undefined,
  work: (command: SsoCommand) => Promise<void>,
): Promise<void> => withSso(workspace, work, db => workspaceOfConnection(db, id))

/** The problems of the API's rules are those of the command line too. */
const withSso = (
  workspace: string | undefined,
  work: (command: SsoCommand) => Promise<void>,
  findWorkspace: (db: Db) => Promise<string | undefined> = async () => undefined,
): Promise<void> =>
  withDatabase('sso', async ({ db }, config) => {
    const by = await chooseWorkspace(db, workspace ?? (await findWorkspace(db)))
    try {
      await work({ db, by, deps: buildParts(config).sso, config })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      throw new CommandError(
        [error.message, ...(error.details ?? []).slice(1).map(detail => detail.message)].join('\n'),
      )
    }
  })

/** `signoff-admins=admin` */
function groupRoleOf(text: string): { readonly group: string; readonly role: GivenRole } {
  const [, group = '', role = ''] = /^(.+)=(admin|manager|member)$/.exec(text) ?? []
  if (group === '') throw new CommandError(`--group must be <group>=<admin, manager or member>; not ${text}.`)
  return { group, role: role as GivenRole }
}

const settingsOf = (options: ConnectionOptions) => ({
  name: options.name,
  allowed_domains: [...(options.domain ?? [])],
  default_role: options.role === 'none' ? null : options.role,
  group_claim: options.groupClaim ?? null,
  group_roles: (options.group ?? []).map(groupRoleOf),
  just_in_time: options.justInTime ?? false,
  ...(options.trustEmail && { trust_email: true }),
})

const readText = (path: string): Promise<string> =>
  readFile(path, 'utf8').catch(() => {
    throw new CommandError(`The file ${path} cannot be read.`)
  })

export const addOidc = (options: OidcOptions): Promise<void> =>
  withSso(options.workspace, async ({ db, by, deps }) => {
    const secret = options.secretFile === undefined ? null : (await readText(options.secretFile)).trim()
    const input = {
      kind: 'oidc' as const,
      ...settingsOf(options),
      issuer: options.issuer,
      client_id: options.clientId,
      ...(secret !== null && { client_secret: secret }),
      ...(options.scope && { scopes: [...options.scope] }),
    }
    const { id, sign_in_url } = await createConnection(db, by, input, undefined, deps)
    print(
      `Connected as ${id}. Enter this redirect URI at the provider:\n\n  ${deps.publicUrl}/auth/oidc/callback\n`,
    )
    print(`Check it with \`npx signoff sso test ${id}\`, then sign in: ${sign_in_url}`)
  })

export const addSaml = (options: SamlOptions): Promise<void> =>
  withSso(options.workspace, async ({ db, by, deps }) => {
    const isAddress = /^https?:\/\//.test(options.metadata)
    const source = isAddress
      ? { metadata_url: options.metadata }
      : { metadata_xml: await readText(options.metadata) }
    const input = {
      kind: 'saml' as const,
      ...settingsOf(options),
      ...source,
      idp_initiated: options.idpInitiated ?? false,
    }
    const { id, sign_in_url } = await createConnection(db, by, input, await loadMetadata(source, deps), deps)
    const base = `${deps.publicUrl}/auth/saml/${by.workspaceId}`
    print(`Connected as ${id}. Enter these at the provider:\n`)
    print(
      table([
        ['  Metadata, entity id', `${base}/metadata`],
        ['  Assertion consumer service', `${base}/acs`],
      ]),
    )
    print(`\nCheck it with \`npx signoff sso test ${id}\`, then sign in: ${sign_in_url}`)
  })

export const listSso = ({ workspace }: WorkspaceOption): Promise<void> =>
  withSso(workspace, async ({ db, by, deps }) => {
    const { data } = await listConnections(db, by.workspaceId, deps.publicUrl, { page: 1, limit: 100 })
    const rows = (JSON.parse(data) as Record<string, string | boolean | null>[]).map(row => [
      String(row.id),
      String(row.kind),
      row.active ? 'active' : 'off',
      String(row.last_sign_in_at ?? row.tested_at ?? 'never used').slice(0, 10),
      String(row.name),
      String(row.issuer),
    ])
    print(table([['ID', 'KIND', 'STATE', 'WORKED', 'NAME', 'ISSUER'], ...rows]))
    const { sso_required, second_factor_required } = await findPolicy(db, by.workspaceId)
    print(
      `\nOnly single sign-on: ${sso_required ? 'yes' : 'no'}. Second factor: ${second_factor_required ? 'required' : 'as members choose'}.`,
    )
  })

export const testSso = (id: string, { workspace }: WorkspaceOption): Promise<void> =>
  withConnection(id, workspace, async ({ db, by, deps }) => {
    const connection = await findOwnConnection(db, by, id)
    const { ok, steps } = await recordCheck(db, by, connection, await checkConnection(connection, deps))
    for (const { name, status, message, remedy } of steps) {
      print(`${status.padEnd(8)} ${name}: ${message}`)
      if (remedy !== null) print(`         ${remedy}`)
    }
    if (!ok) throw new CommandError('The connection does not work yet.')
  })

export const switchSso = (id: string, state: 'on' | 'off', { workspace }: WorkspaceOption): Promise<void> =>
  withConnection(id, workspace, async ({ db, by, deps }) => {
    await changeConnection(db, by, id, { active: state === 'on' }, undefined, deps)
    print(`The connection is ${state}.`)
  })

export const removeSso = (id: string, { workspace }: WorkspaceOption): Promise<void> =>
  withConnection(id, workspace, async ({ db, by }) => {
    await deleteConnection(db, by, id)
    print('Removed. Members stay; their sessions by single sign-on of this kind have ended.')
  })

/** The owner first. Members whom the provider calls by another address can get in all the same. */
async function membersNotAdmitted(db: Db, by: Caller, { publicUrl }: SsoDeps): Promise<Member[]> {
  const { data } = await listConnections(db, by.workspaceId, publicUrl, { page: 1, limit: 100 })
  const connections = (JSON.parse(data) as ConnectionView[]).filter(({ active }) => active)
  const isAdmitted = ({ email, role }: Member): boolean =>
    connections.some(
      ({ allowed_domains, owner_trusted }) =>
        (role !== 'owner' || owner_trusted) &&
        (allowed_domains.length === 0 ||
          allowed_domains.includes(email.slice(email.lastIndexOf('@') + 1).toLowerCase())),
    )
  const members = (await membersOf(db, by.workspaceId)).filter(member => !isAdmitted(member))
  return members.toSorted((a, b) => Number(b.role === 'owner') - Number(a.role === 'owner'))
}

export const requireSso = (state: 'on' | 'off', { workspace }: WorkspaceOption): Promise<void> =>
  withSso(workspace, async ({ db, by, deps }) => {
    await changePolicy(db, by, { sso_required: state === 'on' })
    print(
      state === 'on'
        ? 'Members now get in by single sign-on alone. The owner keeps a way in: npx signoff accounts reset'
        : 'Members can sign in by every way again.',
    )
    const locked = state === 'on' ? await membersNotAdmitted(db, by, deps) : []
    if (locked.length > 0) {
      print('\nNo connection admits the addresses of these members, so they cannot get in:')
      print(table(locked.map(({ role, name, email }) => [`  ${role}`, name, email])))
      print('Let a connection admit their domains, or run `npx signoff sso require off`.')
    }
  })

export const requireSecondFactor = (state: 'on' | 'off', { workspace }: WorkspaceOption): Promise<void> =>
  withSso(workspace, async ({ db, by }) => {
    await changePolicy(db, by, { second_factor_required: state === 'on' })
    print(
      state === 'on'
        ? 'Members must now give a second factor, unless they come by single sign-on.'
        : 'Members choose themselves whether they use a second factor.',
    )
  })

export const trustSso = (id: string, { workspace }: WorkspaceOption): Promise<void> =>
  withConnection(id, workspace, async ({ db, by, deps }) => {
    await changeConnection(db, by, id, { owner_trusted: true }, undefined, deps)
    print('The owner can now sign in through this connection.')
  })

export const unlinkSso = (email: string, { workspace }: WorkspaceOption): Promise<void> =>
  withSso(workspace, async ({ db, by }) => {
    const member = await findMember(db, by.workspaceId, email)
    if (!member) throw new CommandError(`${email} is not a member of this workspace.`)
    const count = await unlinkMember(db, by, member.id)
    print(`Removed ${count} links. The next sign-in of ${email} links again, by the address.`)
  })
