import type { Config } from '#config.ts'
import {
  changeMember,
  type GivenRole,
  givenRoles,
  type Invited,
  inviteMember,
  type MemberDeps,
  makeOwner,
  removeMember,
  resendInvitation,
} from '#features/access/members/index.ts'
import { addMember, findMember, type Member, membersOf } from '#features/workspace/accounts/index.ts'
import type { Caller } from '#kernel/api/scopes.ts'
import { isLocalOrEmailAddress } from '#kernel/api/validation.ts'
import { ApiError } from '#kernel/base/errors.ts'
import type { Db } from '#kernel/db/db.ts'
import {
  CommandError,
  chooseWorkspace,
  print,
  table,
  type WorkspaceOption,
  withDatabase,
} from '../context.ts'

interface AddOptions extends WorkspaceOption {
  readonly name?: string
  readonly role: GivenRole
}

export const add = (email: string, { workspace, name, role }: AddOptions): Promise<void> =>
  withDatabase('members', async ({ db }) => {
    const { workspaceId } = await chooseWorkspace(db, workspace)
    await addMember(db, workspaceId, { email, name: name ?? email.split('@')[0] ?? email, role })
    print(`Added ${email} as ${role}. A key for them: npx signoff keys create <name> --member ${email}`)
  })

export const list = ({ workspace }: WorkspaceOption): Promise<void> =>
  withDatabase('members', async ({ db }) => {
    const { workspaceId } = await chooseWorkspace(db, workspace)
    const rows = (await membersOf(db, workspaceId)).map(({ name, email, role, status }) => [
      role,
      name,
      email,
      status,
    ])
    print(table([['ROLE', 'NAME', 'EMAIL', 'STATUS'], ...rows]))
  })

export const inviteByAddress = (email: string, { workspace, name, role }: AddOptions): Promise<void> =>
  inWorkspace(workspace, async (db, by, deps) => {
    if (!isLocalOrEmailAddress(email)) throw new CommandError(`${email} is not an email address`)
    if ((await findMember(db, by.workspaceId, email))?.status === 'invited')
      throw new CommandError(`${email} was invited; use \`npx signoff members resend ${email}\`.`)
    const member = await inviteMember(db, by, { email, role, ...(name !== undefined && { name }) }, deps)
    print(`Invited ${email} as ${role}. ${deliveryOf(member)}`)
  })

export const resendToAddress = (email: string, { workspace }: WorkspaceOption): Promise<void> =>
  withMember(email, workspace, async (db, by, { id }, deps) => {
    print(`Invited ${email} again. ${deliveryOf(await resendInvitation(db, by, id, deps))}`)
  })

export const setRole = (email: string, role: string, { workspace }: WorkspaceOption): Promise<void> =>
  withMember(email, workspace, async (db, by, { id }, deps) => {
    if (role === 'owner') throw new CommandError('`members make-owner` chooses the owner.')
    const given = givenRoles.find(name => name === role)
    if (!given) throw new CommandError(`The role must be admin, manager or member; not ${role}.`)
    await changeMember(db, by, id, { role: given }, deps)
    print(`${email} is ${given} now.`)
  })

export const removeByAddress = (email: string, { workspace }: WorkspaceOption): Promise<void> =>
  withMember(email, workspace, async (db, by, { id }, deps) => {
    await removeMember(db, by, id, deps)
    print(`Removed ${email}. Every process refuses their sessions and keys within 5 seconds.`)
  })

export const transferOwnership = (email: string, { workspace }: WorkspaceOption): Promise<void> =>
  withMember(email, workspace, async (db, by, { id }, deps) => {
    await makeOwner(db, by, id, deps)
    print(`${email} is the owner now.`)
  })

const deliveryOf = ({ invitation_url }: Invited): string =>
  invitation_url === undefined
    ? 'The invitation is on its way by mail.'
    : `No mail server is set: pass this link on. It works once, for seven days:\n${invitation_url}`

/** Runs a rule of the API as the operator. Its errors are printed as one line. */
const inWorkspace = (
  workspace: string | undefined,
  work: (db: Db, by: Caller, deps: MemberDeps) => Promise<void>,
): Promise<void> =>
  withDatabase('members', async ({ db }, config) => {
    const by = await chooseWorkspace(db, workspace)
    try {
      await work(db, by, await depsOf(config))
    } catch (error) {
      throw error instanceof ApiError ? new CommandError(error.message) : error
    }
  })

const withMember = (
  email: string,
  workspace: string | undefined,
  work: (db: Db, by: Caller, member: Member, deps: MemberDeps) => Promise<void>,
): Promise<void> =>
  inWorkspace(workspace, async (db, by, deps) => {
    const member = await findMember(db, by.workspaceId, email)
    if (!member) throw new CommandError(`There is no member ${email}; \`members list\` shows them.`)
    await work(db, by, member, deps)
  })

/** Loaded late: it imports most of the code, and `add` and `list` do not need it. */
const depsOf = async (config: Config): Promise<MemberDeps> =>
  (await import('#parts.ts')).buildParts(config).members
