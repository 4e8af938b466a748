// Pictures that imports named by addresses, until the worker has fetched them.

import { type ListResult, limitOffset, listAsJson, type PageQuery } from '#kernel/api/pagination.ts'
import type { Caller } from '#kernel/api/scopes.ts'
import { newRow } from '#kernel/base/ids.ts'
import { type Db, empty, sql } from '#kernel/db/db.ts'
import { rows } from '#kernel/db/rows.ts'
import { iso } from '#kernel/db/text.ts'
import type { PictureFetchStatus } from './schemas.ts'

export interface NewFetch {
  readonly teammateId: string
  readonly fieldId: string
  readonly url: string
}

/** Replaces earlier fetches for the same teammate and field. */
export async function insertFetches(tx: Db, by: Caller, fetches: readonly NewFetch[]): Promise<void> {
  const records = fetches.map(fetch => ({ ...fetch, ...newRow() }))
  await tx.query(sql`
    insert into picture_fetches (workspace_id, id, teammate_id, smart_field_id, url, status, due_at, member_id, api_key_id,
      request_id, via, created_at, updated_at)
    select ${by.workspaceId}::uuid, n.id, n.teammate_id, n.smart_field_id, n.url, 'pending', n.created_at,
      ${by.actorId}::uuid, ${by.apiKeyId}::uuid, ${by.requestId}, ${by.via}, n.created_at, n.created_at
    from ${rows('n', records, {
      id: ['uuid', record => record.id],
      teammate_id: ['uuid', record => record.teammateId],
      smart_field_id: ['uuid', record => record.fieldId],
      url: ['text', record => record.url],
      created_at: ['timestamptz', record => record.now],
    })}
    on conflict (workspace_id, teammate_id, smart_field_id) do update
      set id = excluded.id, url = excluded.url, status = 'pending', attempts = 0, due_at = excluded.due_at,
        code = null, message = null, member_id = excluded.member_id, api_key_id = excluded.api_key_id,
        request_id = excluded.request_id, via = excluded.via, created_at = excluded.created_at, updated_at = excluded.updated_at`)
}

export interface DueFetch {
  readonly id: string
  readonly teammate_id: string
  readonly smart_field_id: string
  readonly url: string
  /** Number of attempts, including this one. */
  readonly attempts: number
  readonly member_id: string | null
  readonly api_key_id: string | null
  readonly request_id: string | null
  readonly via: Caller['via']
}

/** Longer than one fetch with reading the picture: after a crash the fetch is due again. */
const claimTime = sql`interval '2 minutes'`

export const maxAttempts = 6

/**
 * Ends fetches whose last attempt saved no outcome: the process ended during it. A picture that ends the process every
 * time must not be fetched for ever.
 */
export const failExhausted = (
  db: Db,
  workspaceId: string,
  { code, message }: Pick<FetchFailure, 'code' | 'message'>,
) =>
  db.query(sql`
    update picture_fetches set status = 'failed', code = ${code}, message = ${message}, updated_at = now()
    where workspace_id = ${workspaceId} and status = 'pending' and due_at <= now() and attempts >= ${maxAttempts}`)

/** Claims some due fetches. */
export const claimFetches = (db: Db, workspaceId: string, count: number) =>
  db.query<DueFetch>(sql`
    with due as materialized ( -- as a subquery PostgreSQL could evaluate it several times, and claim more
      select id from picture_fetches
      where workspace_id = ${workspaceId} and status = 'pending' and due_at <= now() and attempts < ${maxAttempts}
      order by due_at
      limit ${count}
      for update skip locked
    )
    update picture_fetches f
    set due_at = now() + ${claimTime}, attempts = f.attempts + 1
    from due
    where f.workspace_id = ${workspaceId} and f.id = due.id
    returning f.id, f.teammate_id, f.smart_field_id, f.url, f.attempts, f.member_id, f.api_key_id, f.request_id, f.via`)

/** False when the fetch was superseded by a later value. */
export const endFetch = (tx: Db, workspaceId: string, id: string) =>
  tx.hasRows(sql`delete from picture_fetches where workspace_id = ${workspaceId} and id = ${id} returning id`)

interface FetchFailure {
  readonly code: string
  readonly message: string
  /** Null: not tried again. */
  readonly retryAt: Date | null
}

export const saveFailure = (
  db: Db,
  workspaceId: string,
  id: string,
  { code, message, retryAt }: FetchFailure,
) =>
  db.query(sql`
    update picture_fetches
    set status = ${retryAt === null ? 'failed' : 'pending'}, due_at = coalesce(${retryAt}::timestamptz, due_at),
      code = ${code}, message = ${message}, updated_at = now()
    where workspace_id = ${workspaceId} and id = ${id}`)

/** Time when the next pending fetch is due; undefined when none is pending. */
export const nextFetchAt = (db: Db, workspaceId: string) =>
  db.value<Date>(sql`
    select due_at from picture_fetches where workspace_id = ${workspaceId} and status = 'pending'
    order by due_at
    limit 1`)

export function listFetches(
  db: Db,
  workspaceId: string,
  page: PageQuery,
  status: PictureFetchStatus | undefined,
): Promise<ListResult> {
  const from = sql`
    from picture_fetches where workspace_id = ${workspaceId}
      ${status === undefined ? empty : sql`and status = ${status}`}`
  return listAsJson(
    db,
    page,
    sql`
      select f.id, f.teammate_id, e.address as email, f.smart_field_id, f.url, f.status, f.code, f.message, f.attempts,
        ${iso(sql`f.created_at`)} as created_at, ${iso(sql`f.updated_at`)} as updated_at
      from (select * ${from} order by id desc ${limitOffset(page)}) f
      left join lateral (
        select address from emails
        where workspace_id = ${workspaceId} and teammate_id = f.teammate_id and is_primary and deleted_at is null
        limit 1) e on true
      order by f.id desc`,
    sql`select count(*) ${from}`,
  )
}
