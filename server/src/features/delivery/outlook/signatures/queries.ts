import { type Db, sql } from '#kernel/db/db.ts'
import { comparisonKey } from '#kernel/db/text.ts'

export interface AddressInUse {
  readonly id: string
  readonly teammate_id: string
}

/** An address of an active teammate of the workspace, an alias too. */
export const findAddressInUse = (db: Db, workspaceId: string, address: string) =>
  db.first<AddressInUse>(sql`
    select e.id, e.teammate_id from emails e
    join teammates t on t.workspace_id = e.workspace_id and t.id = e.teammate_id and t.active
    where e.workspace_id = ${workspaceId} and e.address_key = ${comparisonKey(address)} and e.deleted_at is null`)

/** The teammate whom a person of Microsoft Entra is: by the id in the directory, else by the address that signs in. */
export const findSignedInTeammate = (
  db: Db,
  workspaceId: string,
  { objectId, address }: { readonly objectId: string; readonly address: string | null },
) =>
  db.value<string>(sql`
    select p.teammate_id, 0 as position from directory_people p
    join integrations i on i.workspace_id = p.workspace_id and i.id = p.integration_id and i.kind = 'microsoft_365'
      and i.deleted_at is null
    where p.workspace_id = ${workspaceId} and p.external_id = ${objectId} and p.teammate_id is not null
    union all
    select e.teammate_id, 1 from emails e
    where e.workspace_id = ${workspaceId} and e.address_key = ${comparisonKey(address ?? '')} and e.deleted_at is null
    order by position
    limit 1`)
