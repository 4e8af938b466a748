// Org units and groups, and their members.

import { newRow } from '#kernel/base/ids.ts'
import { type Db, type Sql, sql } from '#kernel/db/db.ts'
import { rows } from '#kernel/db/rows.ts'

interface SavedEntity {
  readonly externalId: string
  readonly name: string
  readonly subKind: string
  readonly parentExternalId: string | null
}

/** Inserts and renames; an entity that was gone is back. Returns how many of each. */
export async function saveEntities(
  tx: Db,
  workspaceId: string,
  integrationId: string,
  entities: readonly SavedEntity[],
): Promise<{ readonly added: number; readonly changed: number }> {
  const fresh = entities.map(entity => ({ ...newRow(), ...entity }))
  const saved = await tx.query<{ is_new: boolean }>(sql`
    insert into integration_entities as stored
      (workspace_id, id, integration_id, external_id, parent_external_id, name, sub_kind, created_at, updated_at)
    select ${workspaceId}::uuid, e.id, ${integrationId}::uuid, e.external_id, e.parent_external_id, e.name, e.sub_kind,
      e.created_at, e.created_at
    from ${rows('e', fresh, {
      id: ['uuid', entity => entity.id],
      external_id: ['text', entity => entity.externalId],
      parent_external_id: ['text', entity => entity.parentExternalId],
      name: ['text', entity => entity.name],
      sub_kind: ['text', entity => entity.subKind],
      created_at: ['timestamptz', entity => entity.now],
    })}
    on conflict (workspace_id, integration_id, external_id) where external_id is not null do update
      set name = excluded.name, sub_kind = excluded.sub_kind, parent_external_id = excluded.parent_external_id,
        is_gone = false, updated_at = excluded.updated_at
      where (stored.name, stored.sub_kind, stored.parent_external_id, stored.is_gone)
        is distinct from (excluded.name, excluded.sub_kind, excluded.parent_external_id, false)
    returning created_at = updated_at as is_new`)
  const added = saved.filter(row => row.is_new).length
  return { added, changed: saved.length - added }
}

interface StoredEntity {
  readonly id: string
  readonly external_id: string
  readonly is_gone: boolean
  /** A signature is given to it. */
  readonly is_used: boolean
}

export const entitiesOf = (db: Db, workspaceId: string, integrationId: string) =>
  db.query<StoredEntity>(sql`
    select e.id, e.external_id, e.is_gone, exists (
      select from recipient_entities x where x.workspace_id = ${workspaceId} and x.entity_id = e.id) as is_used
    from integration_entities e
    where e.workspace_id = ${workspaceId} and e.integration_id = ${integrationId} and e.external_id is not null
    order by e.id`)

/** Entities that are not in the directory any more. Their rows stay until they have no members and no signature. */
export async function markEntitiesGone(
  tx: Db,
  workspaceId: string,
  integrationId: string,
  externalIds: readonly string[],
): Promise<number> {
  const marked = await tx.query(sql`
    update integration_entities set is_gone = true, updated_at = ${new Date()}
    where workspace_id = ${workspaceId} and integration_id = ${integrationId} and external_id = any(${externalIds}::text[])
      and not is_gone
    returning id`)
  return marked.length
}

export const deleteGoneEntities = (workspaceId: string, integrationId: string): Sql => sql`
  delete from integration_entities e
  where e.workspace_id = ${workspaceId} and e.integration_id = ${integrationId} and e.is_gone
    and not exists (
      select from recipient_entities x where x.workspace_id = e.workspace_id and x.entity_id = e.id)
    and not exists (
      select from integration_entity_members m where m.workspace_id = e.workspace_id and m.entity_id = e.id)`

/** Adds these people to an entity. Returns those that were added: people who were deleted meanwhile are left out. */
export async function addMembers(
  tx: Db,
  workspaceId: string,
  entityId: string,
  teammateIds: readonly string[],
): Promise<string[]> {
  const added = await tx.column<string>(sql`
    insert into integration_entity_members (workspace_id, entity_id, teammate_id)
    select ${workspaceId}::uuid, ${entityId}::uuid, t.id from teammates t
    where t.workspace_id = ${workspaceId} and t.id = any(${teammateIds}::uuid[]) and t.deleted_at is null
    order by t.id
    on conflict do nothing
    returning teammate_id`)
  await changeCount(tx, workspaceId, entityId, added.length)
  return added
}

export async function removeMembers(
  tx: Db,
  workspaceId: string,
  entityId: string,
  teammateIds: readonly string[],
): Promise<string[]> {
  const removed = await tx.column<string>(sql`
    delete from integration_entity_members
    where workspace_id = ${workspaceId} and entity_id = ${entityId} and teammate_id = any(${teammateIds}::uuid[])
    returning teammate_id`)
  await changeCount(tx, workspaceId, entityId, -removed.length)
  return removed
}

/** Removes people from all entities, before they are deleted. */
export const removeFromEntities = (tx: Db, workspaceId: string, teammateIds: readonly string[]) =>
  tx.query(sql`
    with removed as (
      delete from integration_entity_members
      where workspace_id = ${workspaceId} and teammate_id = any(${teammateIds}::uuid[])
      returning entity_id
    )
    update integration_entities e set teammates_count = e.teammates_count - left_over.n
    from (select entity_id, count(*)::int as n from removed group by entity_id) left_over
    where e.workspace_id = ${workspaceId} and e.id = left_over.entity_id`)

async function changeCount(tx: Db, workspaceId: string, entityId: string, amount: number): Promise<void> {
  if (amount === 0) return
  await tx.query(sql`
    update integration_entities set teammates_count = teammates_count + ${amount}
    where workspace_id = ${workspaceId} and id = ${entityId}`)
}
