import type { KeptValue } from '#features/people/teammates/index.ts'
import { composed, type Db, empty, type Sql, sql } from '#kernel/db/db.ts'
import { rows } from '#kernel/db/rows.ts'
import { type DirectoryRef, ofDirectory } from '../queries.ts'
import type { CleanPerson, PersonProblem } from './clean.ts'
import type { PersonColumns } from './states.ts'

export interface StoredPerson {
  readonly external_id: string
  readonly teammate_id: string | null
  /** False also when the linked teammate was deleted. */
  readonly has_teammate: boolean
  readonly is_teammate_active: boolean
  readonly address: string
  readonly aliases: readonly string[]
  readonly given_keys: readonly string[]
  readonly is_active: boolean
  readonly org_unit_id: string | null
  readonly fingerprint: Buffer
  readonly state: PersonColumns['state']
  readonly held_run_id: string | null
  readonly problems: readonly PersonProblem[]
  readonly kept_values: readonly KeptValue[] | null
}

const teammateOf = (workspaceId: string): Sql => sql`
  select from teammates t
  where t.workspace_id = ${workspaceId} and t.id = p.teammate_id and t.deleted_at is null`

const columns = (workspaceId: string): Sql => sql`
  p.external_id, p.teammate_id, p.address, p.aliases, p.given_keys, p.is_active, p.org_unit_id, p.fingerprint, p.state, p.held_run_id,
  p.problems, p.kept_values, exists (${teammateOf(workspaceId)}) as has_teammate,
  exists (${teammateOf(workspaceId)} and t.active) as is_teammate_active`

/** Planned anew for each execution (`composed`): a plan from the time when the table was small reads all of it. */
export const storedPeople = (db: Db, directory: DirectoryRef, externalIds: readonly string[]) =>
  db.query<StoredPerson>(
    composed(sql`
      select ${columns(directory.workspaceId)} from directory_people p
      where ${ofDirectory(directory, 'p')}
        and p.external_id = any(${externalIds}::text[])`),
  )

/** The records that these teammates are linked with. */
export const recordsOfTeammates = (db: Db, directory: DirectoryRef, teammateIds: readonly string[]) =>
  db.query<StoredPerson & { readonly teammate_id: string }>(
    composed(sql`
      select ${columns(directory.workspaceId)} from directory_people p
      where ${ofDirectory(directory, 'p')}
        and p.teammate_id = any(${teammateIds}::uuid[])`),
  )

/** The teammate belongs to another record now. */
export const unlinkPeople = (directory: DirectoryRef, externalIds: readonly string[]): Sql => sql`
  update directory_people set teammate_id = null, state = 'gone', held_run_id = null, kept_values = null,
    problems = '[]', updated_at = ${new Date()}
  where ${ofDirectory(directory)} and external_id = any(${externalIds}::text[])`

export interface SavedPerson extends CleanPerson {
  readonly teammateId: string | null
  readonly givenKeys: readonly string[]
  /** The teammate was removed, and is not restored: its values stay kept. */
  readonly isGone: boolean
  readonly heldRunId: string | null
  readonly allProblems: readonly PersonProblem[]
}

export const savePeople = (directory: DirectoryRef, people: readonly SavedPerson[]): Sql => sql`
  insert into directory_people as p (workspace_id, integration_id, external_id, teammate_id, address, aliases, given_keys,
    is_active, attributes, org_unit_id, photo_tag, fingerprint, state, held_run_id, problems, updated_at)
  select ${directory.workspaceId}::uuid, ${directory.integrationId}::uuid, n.external_id, n.teammate_id, n.address,
    array(select jsonb_array_elements_text(n.aliases)), array(select jsonb_array_elements_text(n.given_keys)), n.is_active, n.attributes, n.org_unit_id, n.photo_tag, n.fingerprint,
    case when n.is_gone then 'gone' else 'present' end, n.held_run_id, n.problems, n.updated_at
  from ${rows('n', people, {
    external_id: ['text', person => person.externalId],
    teammate_id: ['uuid', person => person.teammateId],
    address: ['text', person => person.address],
    aliases: ['jsonb', person => JSON.stringify(person.aliases)],
    given_keys: ['jsonb', person => JSON.stringify(person.givenKeys)],
    is_active: ['boolean', person => person.isActive],
    attributes: ['jsonb', person => JSON.stringify(person.attributes)],
    org_unit_id: ['text', person => person.orgUnitId],
    photo_tag: ['text', person => person.photoTag],
    fingerprint: ['bytea', person => person.fingerprint],
    is_gone: ['boolean', person => person.isGone],
    held_run_id: ['uuid', person => person.heldRunId],
    problems: ['jsonb', person => JSON.stringify(person.allProblems)],
    updated_at: ['timestamptz', () => new Date()],
  })}
  on conflict (workspace_id, integration_id, external_id) do update set
    teammate_id = excluded.teammate_id, address = excluded.address, aliases = excluded.aliases,
    given_keys = excluded.given_keys, is_active = excluded.is_active, attributes = excluded.attributes, org_unit_id = excluded.org_unit_id,
    photo_tag = excluded.photo_tag, fingerprint = excluded.fingerprint, state = excluded.state, missing_since = null,
    held_run_id = excluded.held_run_id, problems = excluded.problems,
    kept_values = case when excluded.state = 'gone' then p.kept_values end, updated_at = excluded.updated_at,
    photo_stored_tag = case when p.state = 'gone' then null else p.photo_stored_tag end`

export interface RawPerson {
  readonly external_id: string
  readonly address: string
  readonly aliases: readonly string[]
  readonly is_active: boolean
  readonly attributes: Readonly<Record<string, string>>
  readonly photo_tag: string | null
  readonly org_unit_id: string | null
  readonly fingerprint: Buffer
  readonly problems: readonly PersonProblem[]
}

const rawColumns = sql`
  external_id, address, aliases, is_active, attributes, photo_tag, org_unit_id, fingerprint, problems`

/** People with a problem of one of these kinds, in the order of their ids. */
export const peopleWithProblems = (
  db: Db,
  directory: DirectoryRef,
  kinds: readonly PersonProblem['kind'][],
  after: string,
  limit: number,
) =>
  db.query<RawPerson>(sql`
    select ${rawColumns} from directory_people
    where ${ofDirectory(directory)} and problems <> '[]'
      and problems @> any(${kinds.map(kind => JSON.stringify([{ kind }]))}::jsonb[]) and state <> 'missing' and external_id > ${after}
    order by external_id limit ${limit}`)

/** The directories of a workspace that have people for whom no seat was left. */
export const directoriesLackingSeats = (db: Db, workspaceId: string): Promise<string[]> =>
  db.column<string>(sql`
    select distinct integration_id from directory_people
    where workspace_id = ${workspaceId} and problems <> '[]' and problems @> '[{"kind": "no_seat"}]'
      and state <> 'missing'`)

/** People who are no teammates, because of their problems; those of `among`, where it is given. */
export const refusedPeople = (db: Db, directory: DirectoryRef, among?: readonly string[]) =>
  db.query<{ readonly external_id: string; readonly problems: readonly PersonProblem[] }>(sql`
    select external_id, problems from directory_people
    where ${ofDirectory(directory)} and problems <> '[]'
      and (teammate_id is null or state = 'gone')
      ${among === undefined ? empty : sql`and external_id = any(${among}::text[])`}`)

/** Linked people after this id, for another mapping. */
export const linkedPeopleAfter = (
  db: Db,
  directory: DirectoryRef,
  after: string,
  limit: number,
): Promise<
  {
    readonly external_id: string
    readonly teammate_id: string
    readonly attributes: Readonly<Record<string, string>>
    readonly problems: readonly PersonProblem[]
  }[]
> =>
  db.query(sql`
    select external_id, teammate_id, attributes, problems from directory_people
    where ${ofDirectory(directory)} and teammate_id is not null
      and state <> 'gone' and external_id > ${after}
    order by external_id limit ${limit}`)

export const saveProblems = (
  directory: DirectoryRef,
  people: readonly { readonly externalId: string; readonly problems: readonly PersonProblem[] }[],
): Sql => sql`
  update directory_people p set problems = n.problems
  from ${rows('n', people, {
    external_id: ['text', person => person.externalId],
    problems: ['jsonb', person => JSON.stringify(person.problems)],
  })}
  where ${ofDirectory(directory, 'p')} and p.external_id = n.external_id`

export const countPeople = (db: Db, directory: DirectoryRef) =>
  db.number(sql`
    select count(*)::int as n from directory_people
    where ${ofDirectory(directory)} and teammate_id is not null
      and state <> 'gone'`)

/** Deletes what a directory said about people: it is personal data, and goes with the connection. */
export const forgetDirectory = (directory: DirectoryRef): readonly Sql[] => [
  sql`delete from directory_people where ${ofDirectory(directory)}`,
  sql`delete from directory_edges where ${ofDirectory(directory)}`,
]
