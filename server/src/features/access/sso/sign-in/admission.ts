// Which member a person of an identity provider is, and with which role.
import { hash } from 'node:crypto'
import type { AccessDeps } from '#features/access/access/index.ts'
import {
  type GivenRole,
  inviteMember,
  isBacked,
  isInUse,
  mailRoleChange,
} from '#features/access/members/index.ts'
import {
  type Account,
  findAccountByEmail,
  findAccountOfMember,
  insertMember,
  joinWorkspace,
  type LockedMember,
  lockMember,
  updateMember,
  wasRemoved,
} from '#features/workspace/accounts/index.ts'
import { type Caller, isBelow, operator } from '#kernel/api/scopes.ts'
import { isEmailAddress } from '#kernel/api/validation.ts'
import type { Db } from '#kernel/db/db.ts'
import { asPlainName } from '#kernel/db/text.ts'
import type { StoredConnection } from '../connections/queries.ts'
import type { AssertedPerson } from '../person.ts'
import { refuse } from '../refusal.ts'
import {
  findInvitation,
  findLinkedMember,
  linkMember,
  markJustInTime,
  memberOfAccount,
  type ProviderSubject,
} from './queries.ts'

/** Other characters can become the same address in lower case: U+212A is a `k`. */
const ascii = /^[\x21-\x7e]+$/

function addressOf({ email }: AssertedPerson): string | null {
  const text = email?.trim() ?? ''
  return ascii.test(text) && isEmailAddress(text) ? text : null
}

/** The address, if its domain is allowed. Refuses the person otherwise. */
function checkDomain(person: AssertedPerson, { allowed_domains }: StoredConnection): string | null {
  const email = addressOf(person)
  if (allowed_domains.length === 0) return email
  if (email === null) return refuse('no_address')
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase()
  return allowed_domains.includes(domain) ? email : refuse('domain_not_allowed')
}

/** By the groups; undefined where they have no say. */
export function roleOf(person: AssertedPerson, connection: StoredConnection): GivenRole | undefined {
  const { group_roles, default_role } = connection
  const groups = new Set(person.groups)
  const given = group_roles.filter(({ group }) => groups.has(group)).map(({ role }) => role)
  const [highest] = given.toSorted((a, b) => (isBelow(a, b) ? 1 : -1))
  if (group_roles.length === 0) return undefined
  return highest ?? default_role ?? refuse('no_role')
}

interface Admission {
  readonly tx: Db
  /** For the audit log. */
  readonly by: Caller
  readonly connection: StoredConnection
  readonly person: AssertedPerson
  readonly access: AccessDeps
}

const subjectOf = ({ connection, person }: Admission): ProviderSubject => ({
  workspaceId: connection.workspace_id,
  kind: connection.kind,
  issuer: connection.issuer,
  subjectHash: hash('sha256', person.subject, 'buffer'),
})

/** For a person who is not a member yet. */
function newMemberOf({ connection, person }: Admission, email: string) {
  if (!connection.just_in_time) return refuse('not_a_member')
  return { email, name: nameOf(person, email), role: firstRoleOf(person, connection), isJustInTime: true }
}

const nameOf = ({ name }: AssertedPerson, email: string): string =>
  asPlainName(name ?? '').slice(0, 200) || email.slice(0, email.indexOf('@'))

const firstRoleOf = (person: AssertedPerson, connection: StoredConnection): GivenRole =>
  roleOf(person, connection) ?? connection.default_role ?? refuse('no_role')

/**
 * By the address, once: afterwards the subject counts, whatever address the provider sends. Null when the person was
 * invited instead: the admins of a workspace decide what its provider says, and must not make a person who uses an
 * account already a member without asking.
 */
async function linkByAddress(admission: Admission, email: string | null): Promise<string | null> {
  const { tx, by, connection, person, access } = admission
  if (email === null) return refuse('no_address')
  // `allowed_domains` holds the domain, or is empty: then nothing is trusted.
  const isTrusted = connection.trust_email && connection.allowed_domains.length > 0
  if (!person.isEmailVerified && !isTrusted) return refuse('unverified_address')
  const account = await findAccountByEmail(tx, email)
  const existingId = account && (await memberOfAccount(tx, connection.workspace_id, account.id))
  // An admin has removed this person: only another invitation undoes that.
  const wasMember = { email, accountId: account?.id ?? null }
  if (!existingId && (await wasRemoved(tx, connection.workspace_id, wasMember))) return refuse('not_a_member')
  if (!existingId && account && (await isInUse(tx, account, access))) {
    const { enqueueAccountMail } = access
    await inviteMember(tx, by, newMemberOf(admission, email), { access, enqueueAccountMail })
    return null
  }
  const memberId =
    existingId ?? (await insertMember(tx, connection.workspace_id, newMemberOf(admission, email), by))
  const isJustInTime = existingId === undefined
  if (!(await linkMember(tx, subjectOf(admission), memberId, isJustInTime))) return refuse('address_linked')
  return memberId
}

async function followGroups(admission: Admission, member: LockedMember): Promise<void> {
  const { person, connection } = admission
  if (member.role === 'owner') return
  const role = roleOf(person, connection)
  if (role !== undefined) await changeRole(admission, member, role)
}

async function changeRole(
  { tx, by, access }: Admission,
  { id, name, role: before }: LockedMember,
  role: GivenRole,
): Promise<void> {
  if (role === before) return
  const changed = await updateMember(tx, by, id, 'member.role_changed', { name, role })
  if (changed) await mailRoleChange(tx, by, changed, access)
}

/** Lets an invited member in. The role is that of the groups, or of an invitation that could be accepted now. */
async function join(admission: Admission, member: LockedMember, account: Account): Promise<void> {
  const { tx, by, connection, person, access } = admission
  if (await isInUse(tx, account, access)) refuse('invitation_needed')
  const invitation = await findInvitation(tx, connection.workspace_id, member.id)
  if (!invitation || !isBacked(invitation)) {
    if (!connection.just_in_time) refuse('not_a_member')
    await markJustInTime(tx, connection.workspace_id, member.id)
    await changeRole(admission, member, firstRoleOf(person, connection))
  } else await followGroups(admission, member)
  await joinWorkspace(tx, { ...by, memberId: member.id, actorId: member.id }, member.id, member.name)
}

export interface AdmissionDeps {
  readonly requestId: string | null
  readonly access: AccessDeps
}

/** The account that the person is; null when it was invited instead. Throws a SignInRefused. */
export async function admitPerson(
  tx: Db,
  connection: StoredConnection,
  person: AssertedPerson,
  { requestId, access }: AdmissionDeps,
): Promise<Account | null> {
  const workspaceId = connection.workspace_id
  const by: Caller = { ...operator(workspaceId), requestId }
  const admission: Admission = { tx, by, connection, person, access }
  const email = checkDomain(person, connection)
  const linked = await findLinkedMember(tx, subjectOf(admission))
  const memberId = linked ?? (await linkByAddress(admission, email))
  if (memberId === null) return null
  const member = (await lockMember(tx, workspaceId, memberId)) ?? refuse('not_a_member')
  // A connection can name every member. Another member than the owner must not become the owner by it.
  if (member.role === 'owner' && !connection.owner_trusted) refuse('owner_not_trusted')
  const account = (await findAccountOfMember(tx, workspaceId, member.id)) ?? refuse('not_a_member')
  if (member.status === 'invited') await join(admission, member, account)
  else await followGroups(admission, member)
  return account
}
