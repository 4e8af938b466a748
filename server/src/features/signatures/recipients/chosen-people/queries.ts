import { type Sql, sql } from '#kernel/db/db.ts'
import { chosenRecipients } from '../queries.ts'

/** Selects the teammates of whom an address gets a signature on new mail, as `teammate_id`. */
export const teammatesChosenFor = (
  workspaceId: string,
  signatureId: string,
  preferred: readonly string[],
): Sql => sql`select e.teammate_id ${chosenRecipients(workspaceId, signatureId, preferred)}`

/** The same for any signature. */
export const teammatesWithAny = (workspaceId: string): Sql => sql`
  select e.teammate_id from recipients r
  join signatures s on s.workspace_id = r.workspace_id and s.id = r.signature_id
  join emails e on e.workspace_id = r.workspace_id and e.id = r.email_id and e.deleted_at is null
  join teammates owner on owner.workspace_id = e.workspace_id and owner.id = e.teammate_id and owner.active
  where r.workspace_id = ${workspaceId} and s.signature_installation_activated and s.content is not null`
