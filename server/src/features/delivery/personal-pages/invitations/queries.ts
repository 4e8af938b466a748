import { chosenRecipients } from '#features/signatures/recipients/index.ts'
import { type Db, sql } from '#kernel/db/db.ts'

export interface PublishedVersion {
  readonly id: string
  readonly version_number: number
}

/** Undefined when there is no such signature. Version 0 means never published. */
export const versionOf = (db: Db, workspaceId: string, signatureId: string) =>
  db.first<PublishedVersion>(sql`
    select id, version_number from signatures where workspace_id = ${workspaceId} and id = ${signatureId}`)

/** Recipients `r` who get this signature and were not invited to this version yet. */
const uninvited = (
  workspaceId: string,
  { id, version_number }: PublishedVersion,
  preferred: readonly string[],
) => sql`
  ${chosenRecipients(workspaceId, id, preferred)} and not exists (
    select from invitations i
    where i.workspace_id = r.workspace_id and i.signature_id = r.signature_id and i.version_number = ${version_number}
      and i.email_id = r.email_id)`

export const countUninvited = (
  db: Db,
  workspaceId: string,
  version: PublishedVersion,
  preferred: readonly string[],
) => db.number(sql`select count(*)::int as n ${uninvited(workspaceId, version, preferred)}`)

/** Stores the next `count` invitations. Each is returned once, even to concurrent callers. */
export const inviteNext = (
  tx: Db,
  workspaceId: string,
  version: PublishedVersion,
  preferred: readonly string[],
  count: number,
) =>
  tx.query<{ readonly email_id: string }>(sql`
    insert into invitations (workspace_id, signature_id, version_number, email_id, invited_at)
    select r.workspace_id, r.signature_id, ${version.version_number}, r.email_id, ${new Date()}::timestamptz
    ${uninvited(workspaceId, version, preferred)}
    order by r.email_id limit ${count}
    on conflict do nothing
    returning email_id`)

export interface Invitation {
  readonly workspace_id: string
  readonly signature_id: string
  readonly version_number: number
  readonly email_id: string
}

const whereInvitation = ({ workspace_id, signature_id, version_number, email_id }: Invitation) => sql`
  workspace_id = ${workspace_id} and signature_id = ${signature_id} and version_number = ${version_number} and email_id = ${email_id}`

/** False when an earlier run has begun this mail: it was possibly sent. */
export const claimInvitation = (db: Db, invitation: Invitation) =>
  db.hasRows(
    sql`update invitations set begun_at = now() where ${whereInvitation(invitation)} and begun_at is null returning email_id`,
  )

/** The mail server did not accept the mail, so a retry can begin it again. */
export const releaseInvitation = (db: Db, invitation: Invitation) =>
  db.query(sql`update invitations set begun_at = null where ${whereInvitation(invitation)}`)
