import { audited, auditedEach } from '#features/workspace/audit-log/index.ts'
import { type ListResult, listRows, type PageQuery } from '#kernel/api/pagination.ts'
import type { Caller } from '#kernel/api/scopes.ts'
import { type Db, type Sql, sql } from '#kernel/db/db.ts'
import { locks, namedLock } from '#kernel/db/locks.ts'
import { iso } from '#kernel/db/text.ts'
import type { Webhook } from './schemas.ts'

const shape = sql`
  id, url, events, active, disabled_reason, ${iso(sql`disabled_at`)} as disabled_at,
  ${iso(sql`failing_since`)} as failing_since, ${iso(sql`created_at`)} as created_at, ${iso(sql`updated_at`)} as updated_at`

const changedRow = sql`select ${shape} from changed`

export const listWebhooks = (db: Db, workspaceId: string, page: PageQuery): Promise<ListResult> =>
  listRows(db, page, shape, sql`from webhooks where workspace_id = ${workspaceId}`)

export const findWebhook = (db: Db, workspaceId: string, id: string) =>
  db.first<Webhook>(sql`select ${shape} from webhooks where workspace_id = ${workspaceId} and id = ${id}`)

export const lockWebhook = (tx: Db, workspaceId: string, id: string) =>
  tx.first<Webhook>(
    sql`select ${shape} from webhooks where workspace_id = ${workspaceId} and id = ${id} for no key update`,
  )

/** One transaction at a time creates webhooks of a workspace. Returns how many there are. */
export async function lockWebhookCount(tx: Db, workspaceId: string): Promise<number> {
  await tx.query(sql`select pg_advisory_xact_lock(${namedLock(locks.webhooks, workspaceId)})`)
  return tx.number(sql`select count(*)::int as n from webhooks where workspace_id = ${workspaceId}`)
}

interface WebhookRow extends Pick<Webhook, 'id' | 'url' | 'events' | 'active'> {
  readonly secret: Buffer
  readonly now: Date
}

export async function insertWebhook(tx: Db, by: Caller, webhook: WebhookRow): Promise<Webhook> {
  const { id, url, events, active, secret, now } = webhook
  const insert = sql`
    insert into webhooks (workspace_id, id, url, events, active, secret, created_at, updated_at)
    values (${by.workspaceId}, ${id}, ${url}, ${events}, ${active}, ${secret}, ${now}, ${now})
    returning *`
  const inserted = await tx.first<Webhook>(audited(by, 'webhook.created', insert, undefined, changedRow))
  return inserted as Webhook
}

/** A webhook that is locked exists. */
async function update(tx: Db, by: Caller, id: string, action: string, sets: Sql): Promise<Webhook> {
  const change = sql`
    update webhooks set ${sets}, updated_at = ${new Date()}
    where workspace_id = ${by.workspaceId} and id = ${id}
    returning *`
  const updated = await tx.first<Webhook>(audited(by, action, change, undefined, changedRow))
  return updated as Webhook
}

const healthy = sql`failing_since = null, disabled_reason = null, disabled_at = null, paused_until = null`

export const updateWebhook = (
  tx: Db,
  by: Caller,
  { id, url, events, active }: Pick<Webhook, 'id' | 'url' | 'events' | 'active'>,
  resetsHealth: boolean,
): Promise<Webhook> => {
  const sets = sql`url = ${url}, events = ${events}, active = ${active}`
  return update(tx, by, id, 'webhook.updated', resetsHealth ? sql`${sets}, ${healthy}` : sets)
}

/** The present secret becomes the old one, which signs too until then. */
export const replaceSecret = (
  tx: Db,
  by: Caller,
  id: string,
  secret: Buffer,
  until: Date,
): Promise<Webhook> =>
  update(
    tx,
    by,
    id,
    'webhook.rotated',
    sql`old_secret = secret, old_secret_until = ${until}, secret = ${secret}`,
  )

/** For an action that changes no column. */
export const auditAction = (tx: Db, by: Caller, action: string, id: string) =>
  tx.query(auditedEach(by, action, [id]))

/** Undefined when it was deleted meanwhile. */
export const switchOff = (
  tx: Db,
  by: Caller,
  id: string,
  reason: NonNullable<Webhook['disabled_reason']>,
): Promise<Webhook | undefined> =>
  update(
    tx,
    by,
    id,
    'webhook.switched_off',
    sql`active = false, disabled_reason = ${reason}, disabled_at = ${new Date()}`,
  )

export async function removeWebhook(tx: Db, by: Caller, id: string): Promise<boolean> {
  const remove = sql`delete from webhooks where workspace_id = ${by.workspaceId} and id = ${id} returning id`
  return tx.hasRows(audited(by, 'webhook.deleted', remove))
}

interface SealedWebhookSecret {
  readonly workspace_id: string
  readonly id: string
  readonly name: string
  readonly secret: Buffer
}

/** The encrypted secrets of all workspaces, old ones included while they sign. */
export const sealedWebhookSecrets = (db: Db) =>
  db.query<SealedWebhookSecret>(sql`
    select workspace_id, id, url as name, secret from webhooks
    union all
    select workspace_id, id, url, old_secret from webhooks where old_secret_until > now()
    order by workspace_id, id`)

/** Changes nothing when the secret was replaced meanwhile. */
export const resealWebhookSecret = (db: Db, workspaceId: string, id: string, before: Buffer, after: Buffer) =>
  db.query(sql`
    update webhooks
    set secret = case when secret = ${before} then ${after} else secret end,
      old_secret = case when old_secret = ${before} then ${after} else old_secret end
    where workspace_id = ${workspaceId} and id = ${id}`)
