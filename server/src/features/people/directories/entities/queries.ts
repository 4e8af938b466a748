// Groups as the directory has them (direct members), and as signatures need them (all people, also of nested groups).
import { composed, type Db, empty, type Sql, sql } from '#kernel/db/db.ts'
import { type DirectoryRef, ofDirectory } from '../queries.ts'

/** The members become exactly these, besides those who stay. Returns whether anything changed. */
export async function replaceEdges(
  tx: Db,
  directory: DirectoryRef,
  groupId: string,
  memberIds: readonly string[],
  stays: (memberId: string) => boolean,
): Promise<boolean> {
  const stored = await tx.column<string>(sql`
    select member_id from directory_edges
    where ${ofDirectory(directory)} and group_id = ${groupId}`)
  const before = new Set(stored)
  const members = new Set(memberIds)
  const add = [...members].filter(id => !before.has(id))
  const remove = [...before].filter(id => !members.has(id) && !stays(id))
  if (add.length + remove.length === 0) return false
  return changeEdges(tx, directory, groupId, add, remove)
}

export async function changeEdges(
  tx: Db,
  directory: DirectoryRef,
  groupId: string,
  add: readonly string[],
  remove: readonly string[],
): Promise<boolean> {
  const gone = await tx.query(sql`
    delete from directory_edges
    where ${ofDirectory(directory)} and group_id = ${groupId}
      and member_id = any(${remove}::text[])
    returning 1 as n`)
  const added = await tx.query(sql`
    insert into directory_edges (workspace_id, integration_id, group_id, member_id)
    select distinct ${directory.workspaceId}::uuid, ${directory.integrationId}::uuid, ${groupId}, member_id
    from unnest(${add}::text[]) as w (member_id)
    on conflict do nothing
    returning 1 as n`)
  return gone.length + added.length > 0
}

/** These people are direct members of the groups that they are still in. */
export const restoreEdges = (directory: DirectoryRef, externalIds: readonly string[]): Sql => sql`
  insert into directory_edges (workspace_id, integration_id, group_id, member_id)
  select p.workspace_id, p.integration_id, e.external_id, p.external_id from directory_people p
  join integration_entity_members m on m.workspace_id = p.workspace_id and m.teammate_id = p.teammate_id
  join integration_entities e on e.workspace_id = m.workspace_id and e.id = m.entity_id
    and e.integration_id = p.integration_id and e.external_id is not null
  where ${ofDirectory(directory, 'p')}
    and p.external_id = any(${externalIds}::text[])
  on conflict do nothing`

export const deleteEdgesOf = (directory: DirectoryRef, groupIds: readonly string[]): Sql => sql`
  delete from directory_edges
  where ${ofDirectory(directory)} and group_id = any(${groupIds}::text[])`

/** PostgreSQL counts the rows of directories again. Without it, it expects none of them in the first minute. */
export const analyzeDirectories = sql`
  analyze (skip_locked) directory_people, directory_edges, integration_entities, integration_entity_members`

/**
 * `desired`: every entity with all its people, through nested groups and org units (a recursive query, which circles of
 * groups do not make endless). Members who are about to leave stay although the directory does not name them: they lose
 * their groups with their place, not before. `people` is not materialized: PostgreSQL has neither an index nor a count of
 * such a list, and compared every person with every member.
 */
const memberships = (directory: DirectoryRef, entityId: string | null): Sql => sql`
  with recursive closure (entity_id, node) as (
    select e.id, e.external_id from integration_entities e
    where ${ofDirectory(directory, 'e')} and e.external_id is not null
      and not e.is_gone ${entityId === null ? empty : sql`and e.id = ${entityId}`}
    union
    select c.entity_id, child.external_id
    from closure c
    cross join lateral (
      select x.external_id from integration_entities x
      where ${ofDirectory(directory, 'x')} and x.parent_external_id = c.node
        and not x.is_gone
      union all
      select x.external_id from directory_edges d
      join integration_entities x on x.workspace_id = d.workspace_id and x.integration_id = d.integration_id
        and x.external_id = d.member_id and not x.is_gone
      where ${ofDirectory(directory, 'd')} and d.group_id = c.node
    ) child
  ),
  people as not materialized (
    select p.external_id, p.teammate_id, p.org_unit_id, p.state = 'missing' or p.held_run_id is not null as is_leaving
    from directory_people p
    where ${ofDirectory(directory, 'p')} and p.teammate_id is not null
      and p.state <> 'gone'
  ),
  desired as (
    select c.entity_id, p.teammate_id from closure c
    join directory_edges d on ${ofDirectory(directory, 'd')} and d.group_id = c.node
    join people p on p.external_id = d.member_id
    union
    select c.entity_id, p.teammate_id from closure c join people p on p.org_unit_id = c.node
  ),
  members as (
    select m.entity_id, m.teammate_id from integration_entity_members m
    join integration_entities e on e.workspace_id = m.workspace_id and e.id = m.entity_id
    where m.workspace_id = ${directory.workspaceId} and e.integration_id = ${directory.integrationId} and e.external_id is not null
      ${entityId === null ? empty : sql`and e.id = ${entityId}`}
  ),
  differences as (
    select coalesce(d.entity_id, m.entity_id) as entity_id, coalesce(d.teammate_id, m.teammate_id) as teammate_id,
      m.entity_id is null as is_added
    from desired d
    full join members m on m.entity_id = d.entity_id and m.teammate_id = d.teammate_id
    where (d.entity_id is null and not exists (
        select from people p where p.teammate_id = m.teammate_id and p.is_leaving))
      or m.entity_id is null
  )`

export interface EntityChange {
  readonly entity_id: string
  readonly name: string
  readonly added: number
  readonly removed: number
  readonly before: number
  readonly is_used: boolean
}

/** The entities whose members differ from what the directory says. */
export const changedEntities = (db: Db, directory: DirectoryRef) =>
  db.query<EntityChange>(
    composed(sql`
      ${memberships(directory, null)}
      select x.entity_id, e.name, x.added, x.removed, e.teammates_count as before, exists (
        select from recipient_entities r where r.workspace_id = ${directory.workspaceId} and r.entity_id = x.entity_id) as is_used
      from (
        select entity_id, (count(*) filter (where is_added))::int as added,
          (count(*) filter (where not is_added))::int as removed
        from differences group by entity_id) x
      join integration_entities e on e.workspace_id = ${directory.workspaceId} and e.id = x.entity_id
      order by x.entity_id`),
  )

/**
 * The entities that these people and groups are in, through other groups too, and these groups themselves. Also those
 * whose members people still are: a person who was leaving kept the groups, and has lost some of them when it comes back.
 */
export const entitiesAround = (db: Db, directory: DirectoryRef, externalIds: readonly string[]) =>
  db.query<{ readonly id: string }>(
    composed(sql`
      with recursive above (node) as (
        select distinct id from unnest(${externalIds}::text[]) id
        union
        select parent.node from above a
        cross join lateral (
          select d.group_id as node from directory_edges d
          where ${ofDirectory(directory, 'd')} and d.member_id = a.node
          union all
          select e.parent_external_id from integration_entities e
          where ${ofDirectory(directory, 'e')} and e.external_id = a.node
            and e.parent_external_id is not null
        ) parent
      )
      select e.id from integration_entities e
      join above a on a.node = e.external_id
      where ${ofDirectory(directory, 'e')}
      union
      select e.id from directory_people p
      join integration_entity_members m on m.workspace_id = p.workspace_id and m.teammate_id = p.teammate_id
      join integration_entities e on e.workspace_id = m.workspace_id and e.id = m.entity_id
        and e.integration_id = p.integration_id and e.external_id is not null
      where ${ofDirectory(directory, 'p')}
        and p.external_id = any(${externalIds}::text[])
      order by 1`),
  )

export async function memberChanges(
  db: Db,
  directory: DirectoryRef,
  entityId: string,
): Promise<{ readonly added: readonly string[]; readonly removed: readonly string[] }> {
  const differences = await db.query<{ teammate_id: string; is_added: boolean }>(
    composed(sql`
      ${memberships(directory, entityId)}
      select teammate_id, is_added from differences order by teammate_id`),
  )
  const idsOf = (isAdded: boolean) =>
    differences.filter(row => row.is_added === isAdded).map(row => row.teammate_id)
  return { added: idsOf(true), removed: idsOf(false) }
}

export const isEntityUsed = (db: Db, workspaceId: string, entityId: string) =>
  db.hasRows(
    sql`select from recipient_entities where workspace_id = ${workspaceId} and entity_id = ${entityId} limit 1`,
  )

export const holdMembers = (
  workspaceId: string,
  runId: string,
  entityId: string,
  teammateIds: readonly string[],
): Sql => sql`
  insert into sync_held_members (workspace_id, run_id, entity_id, teammate_id)
  select ${workspaceId}::uuid, ${runId}::uuid, ${entityId}::uuid, id from unnest(${teammateIds}::uuid[]) id
  on conflict do nothing`

export const heldMembers = (db: Db, workspaceId: string, runId: string) =>
  db.query<{ readonly entity_id: string; readonly teammate_id: string }>(sql`
    select entity_id, teammate_id from sync_held_members where workspace_id = ${workspaceId} and run_id = ${runId}
    order by entity_id, teammate_id`)

/** Members whom an approval job is about to remove. */
export const approvedMembers = (db: Db, directory: DirectoryRef) =>
  db.query<{ readonly entity_id: string; readonly teammate_id: string }>(sql`
    select m.entity_id, m.teammate_id from sync_held_members m
    join sync_runs r on r.workspace_id = m.workspace_id and r.id = m.run_id
    where m.workspace_id = ${directory.workspaceId} and r.integration_id = ${directory.integrationId} and r.status = 'approved'`)

export const releaseHeldMembers = (workspaceId: string, runId: string): Sql =>
  sql`delete from sync_held_members where workspace_id = ${workspaceId} and run_id = ${runId}`
