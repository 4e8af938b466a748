import { audited, auditedInsert } from '#features/workspace/audit-log/index.ts'
import { type ListResult, listRows, type PageQuery } from '#kernel/api/pagination.ts'
import type { Caller } from '#kernel/api/scopes.ts'
import { newRow, rowAt } from '#kernel/base/ids.ts'
import { type Db, empty, join, raw, type Sql, sql } from '#kernel/db/db.ts'
import { iso } from '#kernel/db/text.ts'
import { type DirectoryRef, ofDirectory } from '../queries.ts'
import type { previewedChanges, runKinds, runStatuses, runTriggers } from './schemas.ts'

export type RunKind = (typeof runKinds)[number]
type RunStatus = (typeof runStatuses)[number]
type RunTrigger = (typeof runTriggers)[number]

/** Numbers that a run counts. */
const countNames = [
  'people_added',
  'people_changed',
  'people_reactivated',
  'people_deactivated',
  'people_missing',
  'people_removed',
  'entities_added',
  'entities_changed',
  'entities_removed',
  'members_added',
  'members_removed',
] as const
export type RunCounts = Partial<Record<(typeof countNames)[number], number>>

const summary = sql`
  r.id, r.integration_id, r.kind, r.trigger, r.status, r.people_seen, r.people_added, r.people_changed, r.people_reactivated,
  r.people_deactivated, r.people_missing, r.people_removed, r.people_held, r.entities_added, r.entities_changed,
  r.entities_removed, r.members_added, r.members_removed, r.members_held, r.problem_count, r.held_reason, r.error_code,
  r.error_message, r.import_id, ${iso(sql`r.decided_at`)} as decided_at, ${iso(sql`r.started_at`)} as started_at,
  ${iso(sql`r.ended_at`)} as ended_at, ${iso(sql`r.created_at`)} as created_at, ${iso(sql`r.updated_at`)} as updated_at`

export const listRuns = (
  db: Db,
  workspaceId: string,
  page: PageQuery,
  { integrationId, status }: { readonly integrationId?: string; readonly status?: RunStatus },
): Promise<ListResult> => {
  const matching = sql`
    from sync_runs r where r.workspace_id = ${workspaceId}
      ${integrationId === undefined ? empty : sql`and r.integration_id = ${integrationId}`}
      ${status === undefined ? empty : sql`and r.status = ${status}`}`
  return listRows(db, page, summary, matching, sql`order by r.id desc`)
}

/** A run lists so many of its problems, and of its held people. */
export const maxProblems = 1_000

export interface RunProblem {
  readonly kind: 'conflict' | 'unusable' | 'no_seat' | 'held'
  readonly external_id: string | null
  readonly teammate_id: string | null
  readonly address: string | null
  readonly integration_entity_id: string | null
  readonly field: string | null
  readonly message: string
}

/** A problem that concerns only what is given. */
export const problemOf = (
  problem: Partial<RunProblem> & Pick<RunProblem, 'kind' | 'message'>,
): RunProblem => ({
  external_id: null,
  teammate_id: null,
  address: null,
  integration_entity_id: null,
  field: null,
  ...problem,
})

type PreviewedChange = (typeof previewedChanges)[number]

/** A person whom a dry run would change. Stored beside the problems. */
export interface PreviewedPerson {
  readonly change: PreviewedChange
  readonly external_id: string
  /** Null: the person would become a teammate. */
  readonly teammate_id: string | null
  readonly address: string
}

export interface RunView {
  readonly id: string
  readonly integration_id: string
  readonly status: RunStatus
  readonly problems: readonly RunProblem[]
  readonly preview: readonly PreviewedPerson[]
  readonly people_held: number
  readonly members_held: number
  readonly held_reason: string | null
  readonly error_message: string | null
}

export const findRun = (db: Db, workspaceId: string, id: string) =>
  db.first<RunView>(
    sql`
      select ${summary}, jsonb_path_query_array(r.problems, '$[*] ? (exists(@.kind))') as problems,
        jsonb_path_query_array(r.problems, '$[*] ? (exists(@.change))') as preview
      from sync_runs r where r.workspace_id = ${workspaceId} and r.id = ${id}`,
  )

export interface NewRun {
  readonly integrationId: string
  readonly kind: RunKind
  readonly trigger: RunTrigger
  readonly importId?: string | null
}

/** Fails with `sync_runs_one_running` while another run of the integration is running. Returns the id. */
export async function insertRun(
  tx: Db,
  by: Caller,
  { integrationId, kind, trigger, importId = null }: NewRun,
): Promise<string> {
  const { id, now } = newRow()
  const insert = sql`
    insert into sync_runs (workspace_id, id, integration_id, kind, trigger, status, import_id, member_id, api_key_id,
      session_id, request_id, via, created_at, updated_at)
    values (${by.workspaceId}, ${id}, ${integrationId}, ${kind}, ${trigger}, 'running', ${importId}, ${by.actorId},
      ${by.apiKeyId}, ${by.sessionId}, ${by.requestId}, ${by.via}, ${now}, ${now})`
  // A schedule runs all day long: its runs are listed, and what they change is audited.
  await tx.query(trigger === 'schedule' ? insert : auditedInsert(by, 'sync_run.started', id, insert))
  return id
}

export interface BegunRun {
  readonly id: string
  readonly kind: RunKind
  readonly trigger: RunTrigger
  readonly attempt: number
  readonly import_id: string | null
  readonly started_at: Date
  readonly member_id: string | null
  readonly api_key_id: string | null
  readonly session_id: string | null
  readonly request_id: string | null
  readonly via: Caller['via']
}

/** Makes this process the only one that writes for the run: processes that began it earlier find another `attempt`. */
export async function beginRun(db: Db, directory: DirectoryRef): Promise<BegunRun | undefined> {
  const now = new Date()
  return db.first<BegunRun>(sql`
    update sync_runs set attempt = attempt + 1, started_at = coalesce(started_at, ${now}), updated_at = ${now}
    where ${ofDirectory(directory)} and status = 'running'
    returning id, kind, trigger, attempt, import_id, started_at, member_id, api_key_id, session_id, request_id, via`)
}

/** Corrects the kind of a running run: a source can have lost its cursor. */
export const saveRunKind = (workspaceId: string, id: string, kind: RunKind): Sql => sql`
  update sync_runs set kind = ${kind}, updated_at = ${new Date()}
  where workspace_id = ${workspaceId} and id = ${id} and status = 'running'`

/** False when another process has begun the run again, or it has ended. Locks the run. */
export const holdsRun = (tx: Db, workspaceId: string, { id, attempt }: Pick<BegunRun, 'id' | 'attempt'>) =>
  tx.hasRows(sql`
    select from sync_runs
    where workspace_id = ${workspaceId} and id = ${id} and status = 'running' and attempt = ${attempt}
    for update`)

/** Counts nothing without a run (null): sources that send changes themselves have none. */
export async function addCounts(
  tx: Db,
  workspaceId: string,
  id: string | null,
  counts: RunCounts,
): Promise<void> {
  if (id === null) return
  const changes = countNames.flatMap(name => {
    const amount = counts[name] ?? 0
    return amount === 0 ? [] : [sql`${raw(name)} = ${raw(name)} + ${amount}`]
  })
  if (changes.length === 0) return
  await tx.query(sql`
    update sync_runs set ${join(changes)}, updated_at = ${new Date()} where workspace_id = ${workspaceId} and id = ${id}`)
}

export interface RunEnd {
  readonly status: RunStatus
  readonly kind: RunKind
  readonly peopleSeen: number
  readonly peopleHeld: number
  readonly membersHeld: number
  readonly problems: readonly RunProblem[]
  readonly preview: readonly PreviewedPerson[]
  readonly problemCount: number
  readonly heldReason: string | null
}

export const endRun = (workspaceId: string, id: string, end: RunEnd, now: Date): Sql => sql`
  update sync_runs set status = ${end.status}, kind = ${end.kind}, people_seen = ${end.peopleSeen},
    people_held = ${end.peopleHeld}, members_held = ${end.membersHeld}, problems = ${JSON.stringify([...end.problems, ...end.preview])},
    problem_count = ${end.problemCount}, held_reason = ${end.heldReason}, ended_at = ${now}, updated_at = ${now}
  where workspace_id = ${workspaceId} and id = ${id} and status = 'running'
  returning people_added, people_changed, people_reactivated, people_deactivated, people_missing, people_removed,
    entities_added, entities_changed, entities_removed, members_added, members_removed`

/** Returns whether the run was running. */
export async function failRun(
  tx: Db,
  workspaceId: string,
  id: string,
  code: string,
  message: string,
): Promise<boolean> {
  const now = new Date()
  return tx.hasRows(sql`
    update sync_runs set status = 'failed', error_code = ${code}, error_message = ${message}, ended_at = ${now},
      updated_at = ${now}
    where workspace_id = ${workspaceId} and id = ${id} and status = 'running'
    returning id`)
}

export const failRunsOf = (directory: DirectoryRef): Sql => {
  const now = new Date()
  return sql`
    update sync_runs set status = case when status = 'running' then 'failed' else 'superseded' end,
      error_code = case when status = 'running' then 'disconnected' end,
      error_message = case when status = 'running' then 'The directory was disconnected.' end, ended_at = ${now},
      updated_at = ${now}
    where ${ofDirectory(directory)} and status in ('running', 'held')`
}

/** False when the run does not wait for an approval any more. */
export const supersedeRun = (tx: Db, workspaceId: string, id: string) =>
  tx.hasRows(sql`
    update sync_runs set status = 'superseded', updated_at = ${new Date()}
    where workspace_id = ${workspaceId} and id = ${id} and status = 'held'
    returning id`)

/** Undefined when the run does not wait for an approval. */
export async function approveRun(tx: Db, by: Caller, id: string): Promise<boolean> {
  const now = new Date()
  const approve = sql`
    update sync_runs set status = 'approved', decided_by = ${by.actorId}, decided_at = ${now}, updated_at = ${now}
    where workspace_id = ${by.workspaceId} and id = ${id} and status = 'held'
    returning id`
  return tx.hasRows(audited(by, 'sync_run.approved', approve))
}

export interface PastRun {
  readonly at: Date
  readonly status: RunStatus
  readonly trigger: RunTrigger
  readonly counts: RunCounts
  readonly peopleSeen: number
  readonly peopleHeld?: number
  readonly heldReason?: string
  readonly error?: { readonly code: string; readonly message: string }
  readonly problems?: readonly RunProblem[]
}

/** Runs that were made before they came into this database, for a demo. */
export async function insertPastRuns(
  tx: Db,
  directory: DirectoryRef,
  past: readonly PastRun[],
): Promise<void> {
  for (const run of past) {
    const { id, now } = rowAt(run.at)
    await tx.query(sql`
      insert into sync_runs (workspace_id, id, integration_id, kind, trigger, status, attempt, people_seen, people_held,
        held_reason, problems, problem_count, error_code, error_message, decided_at, started_at, ended_at, created_at,
        updated_at)
      values (${directory.workspaceId}, ${id}, ${directory.integrationId}, 'full', ${run.trigger}, ${run.status}, 1, ${run.peopleSeen},
        ${run.peopleHeld ?? 0}, ${run.heldReason ?? null}, ${JSON.stringify(run.problems ?? [])},
        ${run.problems?.length ?? 0}, ${run.error?.code ?? null}, ${run.error?.message ?? null},
        ${run.status === 'approved' ? now : null}, ${now}, ${now}, ${now}, ${now})`)
    await addCounts(tx, directory.workspaceId, id, run.counts)
  }
}

/** Runs that changed nothing are kept for a day, others for 90 days; those that wait for an approval stay. */
export const deleteOldRuns = (now: Date): Sql => sql`
  delete from sync_runs r
  where r.status not in ('running', 'held') and (
    r.created_at < ${now}::timestamptz - interval '90 days'
    or (r.created_at < ${now}::timestamptz - interval '1 day' and r.trigger = 'schedule' and r.status = 'succeeded'
      and r.people_added + r.people_changed + r.people_reactivated + r.people_deactivated + r.people_missing
        + r.people_removed + r.entities_added + r.entities_changed + r.entities_removed + r.members_added
        + r.members_removed = 0))`
