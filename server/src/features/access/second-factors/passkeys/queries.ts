import { newRow } from '#kernel/base/ids.ts'
import { type Db, sql } from '#kernel/db/db.ts'
import { iso } from '#kernel/db/text.ts'
import type { Passkey } from '../schemas.ts'
import type { RegisteredCredential } from './ceremonies.ts'

/** As the API shows it. */
const passkeyFields = sql`id, name, is_backed_up as is_synced, ${iso(sql`last_used_at`)} as last_used_at,
  ${iso(sql`created_at`)} as created_at`

/** The columns of `passkeyFields`, for RETURNING: `iso` is not allowed there in a cluster. */
const passkeyColumns = sql`id, name, is_backed_up, last_used_at, created_at`

export const passkeysOf = (db: Db, accountId: string) =>
  db.query<Passkey>(sql`select ${passkeyFields} from passkeys where account_id = ${accountId} order by id`)

export interface StoredPasskey extends Omit<RegisteredCredential, 'isBackedUp'> {
  readonly id: string
  readonly accountId: string
}

const stored = sql`id, account_id as "accountId", credential_id as "credentialId", public_key as "publicKey",
  counter::float8 as counter, transports`

export const storedPasskeysOf = (db: Db, accountId: string) =>
  db.query<StoredPasskey>(sql`select ${stored} from passkeys where account_id = ${accountId} order by id`)

export const findPasskey = (db: Db, credentialId: Buffer) =>
  db.first<StoredPasskey>(sql`select ${stored} from passkeys where credential_id = ${credentialId}`)

export async function insertPasskey(
  tx: Db,
  accountId: string,
  name: string,
  { credentialId, publicKey, counter, transports, isBackedUp }: RegisteredCredential,
): Promise<Passkey | undefined> {
  const { id, now } = newRow()
  return tx.first<Passkey>(sql`
    with changed as (
      insert into passkeys
        (id, account_id, name, credential_id, public_key, counter, transports, is_backed_up, created_at)
      values (${id}, ${accountId}, ${name}, ${credentialId}, ${publicKey}, ${counter}, ${transports}::text[],
        ${isBackedUp}, ${now})
      on conflict (credential_id) do nothing
      returning ${passkeyColumns}
    )
    select ${passkeyFields} from changed`)
}

/**
 * Stores the authenticator's counter. False when it has not grown: another request with the same or a later counter was
 * accepted meanwhile. Authenticators without a counter always send 0.
 */
export const recordPasskeyUse = (
  tx: Db,
  id: string,
  { counter, isBackedUp }: Pick<RegisteredCredential, 'counter' | 'isBackedUp'>,
) =>
  tx.hasRows(sql`
    update passkeys set counter = ${counter}, is_backed_up = ${isBackedUp}, last_used_at = ${new Date()}
    where id = ${id} and (counter < ${counter} or (counter = 0 and ${counter} = 0))
    returning id`)

export const updatePasskeyName = (tx: Db, accountId: string, id: string, name: string) =>
  tx.first<Passkey>(sql`
    with changed as (
      update passkeys set name = ${name} where id = ${id} and account_id = ${accountId} returning ${passkeyColumns}
    )
    select ${passkeyFields} from changed`)

export const deletePasskey = (tx: Db, accountId: string, id: string) =>
  tx.hasRows(sql`delete from passkeys where id = ${id} and account_id = ${accountId} returning id`)

export const deletePasskeysOf = (tx: Db, accountId: string) =>
  tx.query(sql`delete from passkeys where account_id = ${accountId}`)

export type ChallengePurpose = 'sign_in' | 'second_factor' | 'registration'

export interface NewChallenge {
  readonly hash: Buffer
  readonly purpose: ChallengePurpose
  readonly accountId: string | null
  readonly browserHash: Buffer
  readonly expiresAt: Date
}

export const insertChallenge = (db: Db, { hash, purpose, accountId, browserHash, expiresAt }: NewChallenge) =>
  db.query(sql`
    insert into passkey_challenges (hash, purpose, account_id, browser_hash, expires_at)
    values (${hash}, ${purpose}, ${accountId}, ${browserHash}, ${expiresAt})`)

/** Each challenge is used once, whatever comes of it. Undefined: unknown, used, expired, or of another browser. */
export const spendChallenge = (db: Db, hash: Buffer, browserHash: Buffer) =>
  db.first<Pick<NewChallenge, 'purpose' | 'accountId'>>(sql`
    delete from passkey_challenges
    where hash = ${hash} and browser_hash = ${browserHash} and expires_at > ${new Date()}
    returning purpose, account_id as "accountId"`)

export const deleteOldChallenges = (now: Date) =>
  sql`delete from passkey_challenges where expires_at <= ${now}`
