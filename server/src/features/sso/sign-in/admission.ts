// Which member a person of an identity provider is, and with which role.
import { hash } from 'node:crypto'
import {
  type Account,
  findAccountByEmail,
  findAccountOfMember,
  insertMember,
  joinWorkspace,
  type LockedMember,
  lockMember,
  updateMember,
} from '#features/accounts/index.ts'
import type { Db } from '#kernel/db.ts'
import { type Caller, isBelow, operator } from '#kernel/scopes.ts'
import { isEmailAddress } from '#kernel/validation.ts'
import type { GivenRole, StoredConnection } from '../connections/queries.ts'
import type { AssertedPerson } from '../person.ts'
import { refuse } from '../refusal.ts'
import { findLinkedMember, linkMember, memberOfAccount, type ProviderSubject } from './queries.ts'

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
}

const subjectOf = ({ connection, person }: Admission): ProviderSubject => ({
  workspaceId: connection.workspace_id,
  kind: connection.kind,
  issuer: connection.issuer,
  subjectHash: hash('sha256', person.subject, 'buffer'),
})

async function addMember(admission: Admission, email: string): Promise<string> {
  const { tx, by, connection, person } = admission
  if (!connection.just_in_time) return refuse('not_a_member')
  const role = roleOf(person, connection) ?? connection.default_role ?? refuse('no_role')
  const name = person.name?.trim().slice(0, 200) || email.slice(0, email.indexOf('@'))
  return insertMember(tx, connection.workspace_id, { name, email, role }, by)
}

/** By the address, once: afterwards the subject counts, whatever address the provider sends. */
async function linkByAddress(admission: Admission, email: string | null): Promise<string> {
  const { tx, connection, person } = admission
  if (email === null) return refuse('no_address')
  // `allowed_domains` holds the domain, or is empty: then nothing is trusted.
  const isTrusted = connection.trust_email && connection.allowed_domains.length > 0
  if (!person.isEmailVerified && !isTrusted) return refuse('unverified_address')
  const account = await findAccountByEmail(tx, email)
  const found = account && (await memberOfAccount(tx, connection.workspace_id, account.id))
  const memberId = found ?? (await addMember(admission, email))
  if (!(await linkMember(tx, subjectOf(admission), memberId))) return refuse('address_linked')
  return memberId
}

async function followGroups(admission: Admission, member: LockedMember): Promise<void> {
  const { tx, by, connection, person } = admission
  if (member.role === 'owner') return
  const role = roleOf(person, connection)
  if (role === undefined || role === member.role) return
  await updateMember(tx, by, member.id, 'member.role_changed', { name: member.name, role })
}

/** The account that the person is. Throws a SignInRefused. */
export async function admitPerson(
  tx: Db,
  connection: StoredConnection,
  person: AssertedPerson,
  requestId: string | null,
): Promise<Account> {
  const workspaceId = connection.workspace_id
  const by: Caller = { ...operator(workspaceId), requestId }
  const admission: Admission = { tx, by, connection, person }
  const email = checkDomain(person, connection)
  const linked = await findLinkedMember(tx, subjectOf(admission))
  const memberId = linked ?? (await linkByAddress(admission, email))
  const member = (await lockMember(tx, workspaceId, memberId)) ?? refuse('not_a_member')
  await followGroups(admission, member)
  if (member.status === 'invited')
    await joinWorkspace(tx, { ...by, memberId: member.id, actorId: member.id }, member.id, member.name)
  return (await findAccountOfMember(tx, workspaceId, member.id)) ?? refuse('not_a_member')
}
