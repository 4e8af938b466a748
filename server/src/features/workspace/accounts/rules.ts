import type { Role } from '#kernel/api/scopes.ts'
import { isLocalOrEmailAddress } from '#kernel/api/validation.ts'
import { type ApiError, invalid } from '#kernel/base/errors.ts'
import { type Db, isViolation } from '#kernel/db/db.ts'
import { insertMember } from './queries.ts'

export const notAnAddress = (field: string, value: string): ApiError =>
  invalid(field, 'invalid', { message: `${value} is not an email address` })

/** Characters that compatibility forms or lower case turn into ASCII: U+212A becomes a `k`. */
const turnsIntoAscii = (character: string): boolean =>
  character > '\u007f' &&
  /[\0-\x7f]/.test(character.normalize('NFKC').toLowerCase() + character.toLowerCase())

/** Throws for an address that looks like, or is compared as, that of another mailbox. */
export function refuseLookAlike(field: string, email: string): void {
  if ([...email].some(turnsIntoAscii)) throw notAnAddress(field, email)
}

interface NewMember {
  readonly name: string
  readonly email: string
  readonly role: Exclude<Role, 'owner'>
}

export async function addMember(db: Db, workspaceId: string, member: NewMember): Promise<string> {
  if (!isLocalOrEmailAddress(member.email)) throw notAnAddress('email', member.email)
  refuseLookAlike('email', member.email)
  return db
    .transaction(tx => insertMember(tx, workspaceId, member))
    .catch(error => {
      throw isViolation(error, 'members_email') || isViolation(error, 'members_account')
        ? invalid('email', 'taken', { message: `${member.email} is a member of this workspace already` })
        : error
    })
}
