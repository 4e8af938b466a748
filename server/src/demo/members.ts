// Four people of the demo who can sign in, one with each role.
import { createSignInLink, hashPassword, verifyPassword } from '#features/access/access/index.ts'
import {
  addMember,
  findAccountOfMember,
  findFirstOwner,
  findMember,
  findPasswordHash,
  markVerified,
  updatePasswordHash,
} from '#features/workspace/accounts/index.ts'
import { type Caller, type Role, roles } from '#kernel/api/scopes.ts'
import { orNotFound } from '#kernel/base/errors.ts'
import type { Db } from '#kernel/db/db.ts'
import type { Parts } from '#parts.ts'

/** Teammates of the demo. The owner is that of the workspace. */
export const colleagues = {
  admin: { name: 'Elena Petrova', email: 'elena.petrova@northbean.example' },
  manager: { name: 'Ada Moreno', email: 'ada.moreno@northbean.example' },
  member: { name: 'Amara Okafor', email: 'amara.okafor@northbean.example' },
} as const
export const managerEmail = colleagues.manager.email

/**
 * Derived from the secret key of the installation: the same each time it is printed, and unknown to readers of this
 * file. A password that is written here would open every installation with demo data.
 */
async function passwordOf({ vault }: Parts, { id }: DemoAccount, role: Role): Promise<string> {
  const [bytes] = await vault.derive(`demo password ${id}`, 8)
  return `demo-${role}-${bytes?.toString('hex')}`
}

interface DemoAccount {
  readonly id: string
  readonly email: string
}

async function accountOf(db: Db, { workspaceId }: Caller, role: Role): Promise<DemoAccount | undefined> {
  const email = role === 'owner' ? undefined : colleagues[role].email
  const member = await findMember(db, workspaceId, email)
  return member && findAccountOfMember(db, workspaceId, member.id)
}

/**
 * Idempotent: an account that has a password keeps it. The owner is a real person, who chooses address and password at
 * set-up: a password of the demo would end the link for that.
 */
export async function fillMembers(db: Db, by: Caller, parts: Parts): Promise<void> {
  for (const role of roles) {
    if (role === 'owner') continue
    if (!(await accountOf(db, by, role))) await addMember(db, by.workspaceId, { ...colleagues[role], role })
    const account = orNotFound(await accountOf(db, by, role))
    if ((await findPasswordHash(db, account.id)) !== null) continue
    const hash = await hashPassword(await passwordOf(parts, account, role))
    await updatePasswordHash(db, account.id, hash)
    await db.query(markVerified(account.id))
  }
}

export interface DemoSignIn {
  readonly role: Role
  readonly email: string
  /** Null when the person has chosen another one, or none yet. */
  readonly password: string | null
  /** The command that prints a link for a person without a password; null for the others. */
  readonly linkCommand: string | null
}

/** Signs the operator in as the owner, once, for 15 minutes: the owner has no password of the demo. */
export async function demoOwnerLink(db: Db, by: Caller, { access }: Parts): Promise<string | undefined> {
  const owner = await accountOf(db, by, 'owner')
  return owner && createSignInLink(db, owner, access.publicUrl)
}

/** The set-up page lets the first owner choose an address too. */
const linkCommandOf = async (db: Db, { id, email }: DemoAccount): Promise<string> =>
  (await findFirstOwner(db))?.id === id ? 'npx signoff setup-link' : `npx signoff accounts reset ${email}`

/** The command prints them at the terminal of the operator. */
export async function demoSignIns(db: Db, by: Caller, parts: Parts): Promise<DemoSignIn[]> {
  const signIns: DemoSignIn[] = []
  for (const role of roles) {
    const account = await accountOf(db, by, role)
    if (!account) continue
    const password = await passwordOf(parts, account, role)
    const hash = await findPasswordHash(db, account.id)
    const isValid = hash !== null && (await verifyPassword(password, hash))
    const linkCommand = hash === null ? await linkCommandOf(db, account) : null
    signIns.push({ role, email: account.email, password: isValid ? password : null, linkCommand })
  }
  return signIns
}
