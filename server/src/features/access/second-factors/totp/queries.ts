import { type Db, sql } from '#kernel/db/db.ts'

export interface StoredTotp {
  /** Sealed by the vault. */
  readonly secret: Buffer
  readonly isConfirmed: boolean
}

export const findTotp = (db: Db, accountId: string) =>
  db.first<StoredTotp>(sql`
    select secret, confirmed_at is not null as "isConfirmed" from totp_secrets where account_id = ${accountId}`)

/** A secret that is not confirmed yet is replaced. False when the account has a confirmed one. */
export const saveUnconfirmedTotp = (tx: Db, accountId: string, secret: Buffer) =>
  tx.hasRows(sql`
    insert into totp_secrets (account_id, secret, created_at) values (${accountId}, ${secret}, ${new Date()})
    on conflict (account_id) do update set secret = excluded.secret, created_at = excluded.created_at
      where totp_secrets.confirmed_at is null
    returning account_id`)

/** False when another request has confirmed or replaced it meanwhile. */
export const confirmTotp = (tx: Db, accountId: string, secret: Buffer, step: number) =>
  tx.hasRows(sql`
    update totp_secrets set confirmed_at = ${new Date()}, last_step = ${step}
    where account_id = ${accountId} and secret = ${secret} and confirmed_at is null
    returning account_id`)

/** False when a code of this step, or of a later one, was used before: each code works once. */
export const spendTotpStep = (tx: Db, accountId: string, step: number) =>
  tx.hasRows(sql`
    update totp_secrets set last_step = ${step}
    where account_id = ${accountId} and confirmed_at is not null and last_step < ${step}
    returning account_id`)

export async function deleteTotp(tx: Db, accountId: string): Promise<boolean> {
  const rows = await tx.query(sql`
    delete from totp_secrets where account_id = ${accountId} returning confirmed_at is not null as was_confirmed`)
  return rows.some(({ was_confirmed }) => was_confirmed === true)
}

/** For `secrets reseal`. */
export const sealedTotpSecrets = (db: Db) =>
  db.query<{ readonly id: string; readonly secret: Buffer }>(
    sql`select account_id as id, secret from totp_secrets order by account_id`,
  )

/** A secret that was replaced meanwhile is left as it is. */
export const resealTotpSecret = (db: Db, accountId: string, secret: Buffer, resealed: Buffer) =>
  db.query(sql`
    update totp_secrets set secret = ${resealed} where account_id = ${accountId} and secret = ${secret}`)
