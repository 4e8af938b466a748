import type { Content } from '@signoff/render'
import { namedMemberAt } from '#features/workspace/accounts/index.ts'
import { audited, auditedInsert } from '#features/workspace/audit-log/index.ts'
import { type ListResult, limitOffset, listAsJson, type PageQuery } from '#kernel/api/pagination.ts'
import type { Caller } from '#kernel/api/scopes.ts'
import { newRow } from '#kernel/base/ids.ts'
import { type Db, empty, type Sql, sql } from '#kernel/db/db.ts'
import { iso } from '#kernel/db/text.ts'
import { jsonb } from '../queries.ts'
import type { PublicationKind, PublicationRequest, RequestStatus } from './schemas.ts'

/** The live content of the signature `s` or its variant `v`. */
const liveContent = sql`case when r.kind = 'primary' then s.content else v.content end`
/** The content that a publish would make live now. */
const nextContent = sql`
  case when r.kind = 'primary' then coalesce(s.draft_content, s.content) else coalesce(v.draft_content, v.content) end`

const baseColumns = (workspaceId: string): Sql => sql`
  r.id, r.status, r.signature_id, s.name as signature_name, r.kind,
  case when r.status = 'pending' then r.content is distinct from (${nextContent}) else false end as stale,
  ${namedMemberAt(workspaceId, sql`r.requested_by`)} as requested_by,
  case when r.decided_by is not null then ${namedMemberAt(workspaceId, sql`r.decided_by`)} end as decided_by,
  ${iso(sql`r.decided_at`)} as decided_at, r.reason, ${iso(sql`r.created_at`)} as created_at,
  ${iso(sql`r.updated_at`)} as updated_at`

const fromRequests = (workspaceId: string, requests: Sql): Sql => sql`
  from ${requests} r
  join signatures s on s.workspace_id = ${workspaceId} and s.id = r.signature_id
  left join signature_variants v on v.workspace_id = ${workspaceId} and v.signature_id = r.signature_id and v.kind = r.kind`

export function listRequests(
  db: Db,
  workspaceId: string,
  page: PageQuery,
  { status, signature_id }: { readonly status?: RequestStatus; readonly signature_id?: string },
): Promise<ListResult> {
  const matching = sql`
    from publication_requests where workspace_id = ${workspaceId}
      ${status === undefined ? empty : sql`and status = ${status}`}
      ${signature_id === undefined ? empty : sql`and signature_id = ${signature_id}`}`
  return listAsJson(
    db,
    page,
    sql`select ${baseColumns(workspaceId)} ${fromRequests(workspaceId, sql`(select * ${matching} order by id desc ${limitOffset(page)})`)} order by r.id desc`,
    sql`select count(*) ${matching}`,
  )
}

export const findRequest = (db: Db, workspaceId: string, id: string) =>
  db.first<PublicationRequest>(sql`
    select ${baseColumns(workspaceId)}, case when r.status = 'pending' then ${liveContent} else r.content_before end as before,
      r.content as after
    ${fromRequests(workspaceId, sql`publication_requests`)} where r.workspace_id = ${workspaceId} and r.id = ${id}`)

export interface LockedRequest {
  readonly id: string
  readonly status: RequestStatus
  readonly signature_id: string
  readonly kind: PublicationKind
  readonly is_current: boolean
  readonly force: boolean
  readonly activated: boolean | null
  readonly requested_by: string
  readonly requested_actor: string
}

const lockedColumns = sql`
  r.id, r.status, r.signature_id, r.kind, r.content is not distinct from (${nextContent}) as is_current, r.force,
  r.activated, r.requested_by, r.requested_actor`

/** The options and members of a request, as they are now. Another transaction can still change the request. */
export const peekRequest = (db: Db, workspaceId: string, id: string) =>
  db.first<LockedRequest>(sql`
    select ${lockedColumns} ${fromRequests(workspaceId, sql`publication_requests`)}
    where r.workspace_id = ${workspaceId} and r.id = ${id}`)

/** Lock the signature before the request, as a publish and a deletion do. */
export const lockRequest = (tx: Db, workspaceId: string, id: string) =>
  tx.first<LockedRequest>(sql`
    select ${lockedColumns} ${fromRequests(workspaceId, sql`publication_requests`)}
    where r.workspace_id = ${workspaceId} and r.id = ${id} for update of r`)

interface PendingRequest {
  readonly id: string
  readonly is_current: boolean
  readonly requested_by: string
  readonly force: boolean
  readonly activated: boolean | null
  readonly mailed_at: Date
}

/** Up to `limit`: more need no exact number. */
export const countPendingRequests = (db: Db, workspaceId: string, limit: number) =>
  db.number(sql`
    select count(*)::int as count from (
      select 1 from publication_requests where workspace_id = ${workspaceId} and status = 'pending' limit ${limit}
    ) pending`)

/** The pending request of a locked signature. */
export const findPendingRequest = (tx: Db, workspaceId: string, signatureId: string, kind: PublicationKind) =>
  tx.first<PendingRequest>(sql`
    select ${lockedColumns}, r.mailed_at ${fromRequests(workspaceId, sql`publication_requests`)}
    where r.workspace_id = ${workspaceId} and r.signature_id = ${signatureId} and r.kind = ${kind}
      and r.status = 'pending'`)

interface NewRequest {
  readonly signatureId: string
  readonly kind: PublicationKind
  readonly content: Content
  readonly force: boolean
  readonly activated: boolean | null
  readonly memberId: string
  readonly actorId: string
  readonly mailedAt: Date
}

export async function insertRequest(tx: Db, by: Caller, row: NewRequest): Promise<string> {
  const { id, now } = newRow()
  const insert = sql`
    insert into publication_requests (workspace_id, id, signature_id, kind, status, content, force, activated,
      requested_by, requested_actor, mailed_at, created_at, updated_at)
    values (${by.workspaceId}, ${id}, ${row.signatureId}, ${row.kind}, 'pending', ${jsonb(row.content)}, ${row.force},
      ${row.activated}, ${row.memberId}, ${row.actorId}, ${row.mailedAt}, ${now}, ${now})`
  await tx.query(auditedInsert(by, 'publication_request.created', id, insert))
  return id
}

const settle = (
  by: Caller,
  status: Exclude<RequestStatus, 'pending'>,
  reason: string | null,
  which: Sql,
): Sql => {
  const now = new Date()
  return audited(
    by,
    `publication_request.${status}`,
    sql`
      update publication_requests q
      set status = ${status}, reason = ${reason}, decided_by = ${by.actorId}, decided_at = ${now}, updated_at = ${now},
        content_before = (select ${liveContent} ${fromRequests(by.workspaceId, sql`publication_requests`)}
          where r.workspace_id = ${by.workspaceId} and r.id = q.id)
      where q.workspace_id = ${by.workspaceId} and q.status = 'pending' and ${which}
      returning q.id`,
  )
}

/** False when the request is not pending any more. */
export const settleRequest = async (
  tx: Db,
  by: Caller,
  id: string,
  status: 'approved' | 'rejected',
  reason: string | null,
): Promise<boolean> => tx.hasRows(settle(by, status, reason, sql`q.id = ${id}`))

/** Withdraws a request before a newer one, or a publish, of the same signature and kind. */
export const replacePending = (tx: Db, by: Caller, signatureId: string, kind: PublicationKind) =>
  tx.query(settle(by, 'replaced', null, sql`q.signature_id = ${signatureId} and q.kind = ${kind}`))
