import { type Db, sql } from '#kernel/db/db.ts'

export const insertAccountMail = (tx: Db, id: string, sealed: Buffer, now: Date) =>
  tx.query(sql`insert into account_mails (id, sealed, created_at) values (${id}, ${sealed}, ${now})`)

/** Undefined when the mail was sent, or was begun by an earlier run: then it was possibly sent. */
export const waitingAccountMail = (db: Db, id: string) =>
  db.value<Buffer>(sql`select sealed from account_mails where id = ${id} and begun_at is null`)

/** True for exactly one caller. */
export const claimAccountMail = (db: Db, id: string) =>
  db.hasRows(
    sql`update account_mails set begun_at = ${new Date()} where id = ${id} and begun_at is null returning id`,
  )

/** The mail server did not accept the mail, so a retry can begin it again. */
export const releaseAccountMail = (db: Db, id: string) =>
  db.query(sql`update account_mails set begun_at = null where id = ${id}`)

export const deleteAccountMail = (db: Db, id: string) =>
  db.query(sql`delete from account_mails where id = ${id}`)

/** Mails that were begun by a process that ended, or whose job has given up. */
export const deleteAccountMailsBefore = (db: Db, moment: Date) =>
  db.query(sql`delete from account_mails where created_at < ${moment}`)

interface SealedAccountMail {
  readonly id: string
  readonly sealed: Buffer
}

export const sealedAccountMails = (db: Db) =>
  db.query<SealedAccountMail>(sql`select id, sealed from account_mails order by id`)

/** Changes nothing when the mail was sent meanwhile. */
export const resealAccountMail = (db: Db, id: string, sealed: Buffer) =>
  db.query(sql`update account_mails set sealed = ${sealed} where id = ${id}`)
