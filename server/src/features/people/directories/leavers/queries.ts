// People who would leave: missing in the directory, or suspended there.

import type { KeptValue } from '#features/people/teammates/index.ts'
import { composed, type Db, type Sql, sql } from '#kernel/db/db.ts'
import { rows } from '#kernel/db/rows.ts'
import { type DirectoryRef, ofDirectory } from '../queries.ts'

/** People who count as members of the directory: linked with a teammate that is not removed. */
const linked = (directory: DirectoryRef): Sql => sql`
  ${ofDirectory(directory, 'p')} and p.teammate_id is not null`

/** Ids of people who were present before the run, and of those who came back after the grace and could not stay. */
export const presentAfter = (db: Db, directory: DirectoryRef, after: string, limit: number) =>
  db.query<{ readonly external_id: string; readonly held_run_id: string | null }>(sql`
    select p.external_id, p.held_run_id from directory_people p
    where ${ofDirectory(directory, 'p')}
      and (p.state = 'present' or (p.state = 'gone' and p.problems <> '[]')) and p.external_id > ${after}
    order by p.external_id limit ${limit}`)

export const countDriven = (db: Db, directory: DirectoryRef) =>
  db.number(sql`
    select count(*)::int as n from directory_people p
    where ${linked(directory)} and p.state = 'present'`)

export interface Leaver {
  readonly external_id: string
  readonly teammate_id: string
  readonly address: string
  readonly held_run_id: string | null
  /** The approval job of that run lets the person leave. */
  readonly is_approved: boolean
}

const heldByApproved = (workspaceId: string): Sql => sql`exists (
  select from sync_runs r
  where r.workspace_id = ${workspaceId} and r.id = p.held_run_id and r.status = 'approved')`

const leaver = (workspaceId: string): Sql =>
  sql`p.external_id, p.teammate_id, p.address, p.held_run_id, ${heldByApproved(workspaceId)} as is_approved`

/** Finds those of these ids that are linked and present. */
export const presentAmong = (db: Db, directory: DirectoryRef, externalIds: readonly string[]) =>
  db.query<Leaver>(
    composed(sql`
      select ${leaver(directory.workspaceId)} from directory_people p
      where ${linked(directory)} and p.state = 'present' and p.external_id = any(${externalIds}::text[])
      order by p.external_id`),
  )

/** People who were missing in an earlier run, and wait for its approval. */
export const heldMissing = (db: Db, directory: DirectoryRef, runId: string) =>
  db.query<Leaver>(sql`
    select ${leaver(directory.workspaceId)} from directory_people p
    where ${linked(directory)} and p.state = 'present' and p.held_run_id = ${runId} and p.is_active
    order by p.external_id`)

/** People who are missing since an earlier run. */
export const peopleInGrace = (db: Db, directory: DirectoryRef) =>
  db.query<Leaver>(sql`
    select ${leaver(directory.workspaceId)} from directory_people p
    where ${linked(directory)} and p.state = 'missing'
    order by p.external_id`)

/** These people are in the directory: their grace ends, and they wait for no approval. Returns whom that concerns. */
export const keepPresent = (directory: DirectoryRef, externalIds: readonly string[]): Sql => sql`
  update directory_people set state = 'present', missing_since = null, held_run_id = null, updated_at = ${new Date()}
  where ${ofDirectory(directory)} and external_id = any(${externalIds}::text[])
    and (state = 'missing' or (state = 'present' and held_run_id is not null))
  returning external_id`

/** Suspended people whose teammates are still active. */
export const suspendedPeople = (db: Db, directory: DirectoryRef) =>
  db.query<Leaver>(
    composed(sql`
      select ${leaver(directory.workspaceId)} from directory_people p
      join teammates t on t.workspace_id = p.workspace_id and t.id = p.teammate_id and t.active and t.deleted_at is null
      where ${linked(directory)} and not p.is_active and p.state = 'present'
      order by p.external_id`),
  )

/** Holds these people, except those whose leaving was approved meanwhile. */
export const markHeld = (directory: DirectoryRef, externalIds: readonly string[], runId: string): Sql => sql`
  update directory_people p set held_run_id = ${runId}
  where ${ofDirectory(directory, 'p')}
    and p.external_id = any(${externalIds}::text[]) and not ${heldByApproved(directory.workspaceId)}`

export const countHeld = (db: Db, directory: DirectoryRef, runId: string) =>
  db.number(sql`
    select count(*)::int as n from directory_people p
    where ${linked(directory)} and p.state = 'present' and p.held_run_id = ${runId}`)

export const markMissing = (directory: DirectoryRef, externalIds: readonly string[], since: Date): Sql => sql`
  update directory_people set state = 'missing', missing_since = ${since}, held_run_id = null, updated_at = ${since}
  where ${ofDirectory(directory)} and external_id = any(${externalIds}::text[])
    and state = 'present'
  returning external_id`

/**
 * People without a teammate, and those of a directory that removes none: their records are not needed. A delta can name
 * people again who are missing or gone already: their grace and their kept values stay, and they have no problems.
 */
export const forgetPeople = (directory: DirectoryRef, externalIds: readonly string[]): Sql => sql`
  with cleared as (
    update directory_people set problems = '[]'
    where ${ofDirectory(directory)}
      and external_id = any(${externalIds}::text[]) and teammate_id is not null and state = 'gone' and problems <> '[]'
  )
  delete from directory_people
  where ${ofDirectory(directory)} and external_id = any(${externalIds}::text[])
    and (teammate_id is null or state = 'present')`

export const unhold = (directory: DirectoryRef, externalIds: readonly string[]): Sql => sql`
  update directory_people set held_run_id = null
  where ${ofDirectory(directory)} and external_id = any(${externalIds}::text[])`

export const unholdRun = (directory: DirectoryRef, runId: string): Sql => sql`
  update directory_people set held_run_id = null
  where ${ofDirectory(directory)} and held_run_id = ${runId}`

/** The first people whom an approval lets go, whichever way. */
export const heldPeople = (db: Db, directory: DirectoryRef, runId: string, limit: number) =>
  db.query<Leaver & { readonly is_active: boolean }>(sql`
    select ${leaver(directory.workspaceId)}, p.is_active from directory_people p
    where ${linked(directory)} and p.state = 'present' and p.held_run_id = ${runId}
    order by p.external_id limit ${limit}`)

export const expiredPeople = (db: Db, directory: DirectoryRef, before: Date, limit: number) =>
  db.query<{ readonly external_id: string; readonly teammate_id: string }>(sql`
    select p.external_id, p.teammate_id from directory_people p
    where ${linked(directory)} and p.state = 'missing' and p.missing_since <= ${before}
    order by p.external_id limit ${limit}`)

/** Another person of the directory has an address of these people now: they do not wait for the end of the grace. */
export const endGrace = (directory: DirectoryRef, externalIds: readonly string[]): Sql => sql`
  update directory_people set missing_since = to_timestamp(0)
  where ${ofDirectory(directory)} and external_id = any(${externalIds}::text[])
    and state = 'missing'`

export const markGone = (
  directory: DirectoryRef,
  people: readonly { readonly externalId: string; readonly values: readonly KeptValue[] }[],
): Sql => sql`
  update directory_people p set state = 'gone', held_run_id = null, kept_values = n.kept_values, problems = '[]',
    updated_at = ${new Date()}
  from ${rows('n', people, {
    external_id: ['text', person => person.externalId],
    kept_values: ['jsonb', person => JSON.stringify(person.values)],
  })}
  where ${ofDirectory(directory, 'p')} and p.external_id = n.external_id`

/** Records of people who are gone are personal data: they are kept for 90 days. */
export const deleteOldRecords = (now: Date): Sql => sql`
  delete from directory_people where state = 'gone' and updated_at < ${now}::timestamptz - interval '90 days'`

/** The problems of all people now, the first ones. A person who is gone has some after coming back in vain. */
export const currentProblems = (
  db: Db,
  directory: DirectoryRef,
  limit: number,
): Promise<
  {
    readonly kind: 'conflict' | 'unusable' | 'no_seat'
    readonly external_id: string
    readonly teammate_id: string | null
    readonly address: string
    readonly field: string
    readonly message: string
  }[]
> =>
  db.query(sql`
    select problem ->> 'kind' as kind, p.external_id, case when p.state <> 'gone' then p.teammate_id end as teammate_id,
      p.address, problem ->> 'field' as field,
      problem ->> 'message' as message
    from directory_people p, jsonb_array_elements(p.problems) problem
    where ${ofDirectory(directory, 'p')} and p.problems <> '[]'
    order by problem ->> 'kind', p.external_id limit ${limit}`)

export const countProblems = (db: Db, directory: DirectoryRef) =>
  db.number(sql`
    select coalesce(sum(jsonb_array_length(p.problems)), 0)::int as n from directory_people p
    where ${ofDirectory(directory, 'p')} and p.problems <> '[]'`)
