import { randomBytes } from 'node:crypto'
import type { Caller } from '#kernel/api/scopes.ts'
import { day } from '#kernel/base/durations.ts'
import { apiError, type Detail, detail, invalid, orNotFound } from '#kernel/base/errors.ts'
import { newRow } from '#kernel/base/ids.ts'
import type { Db } from '#kernel/db/db.ts'
import { enqueueForget } from './deliveries/jobs.ts'
import { addMessages } from './messages/announce.ts'
import {
  auditAction,
  findWebhook,
  insertWebhook,
  lockWebhook,
  lockWebhookCount,
  removeWebhook,
  replaceSecret,
  updateWebhook,
} from './queries.ts'
import type { Webhook, WebhookInput } from './schemas.ts'

export interface WebhookDeps {
  readonly sealSecret: (secret: string, webhookId: string) => Promise<Buffer>
  /** A phrase that follows "the address …"; undefined when requests may go there. */
  readonly addressProblem: (url: string) => string | undefined
}

/** Every event is stored once per subscribed webhook, so their number bounds what a change costs. */
const maxWebhooks = 20
const secretMilliseconds = day

const mintSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

/** The problems of a body that its schema cannot express. The name behind an address is resolved when it is sent to. */
export const urlProblems =
  ({ addressProblem }: WebhookDeps) =>
  (body: object): readonly Detail[] => {
    const { url } = body as { readonly url?: unknown }
    if (typeof url !== 'string' || url === '') return []
    // `URL` drops them, but the address is also shown in mails.
    const problem = /\p{Cc}/u.test(url) ? 'must not hold control characters' : addressProblem(url)
    return problem === undefined ? [] : [detail('url', 'invalid', { message: `url ${problem}` })]
  }

type WithSecret = Webhook & { readonly secret: string }

export async function createWebhook(
  db: Db,
  by: Caller,
  { url, events, active = true }: WebhookInput,
  { sealSecret }: WebhookDeps,
): Promise<WithSecret> {
  const row = newRow()
  const secret = mintSecret()
  const sealed = await sealSecret(secret, row.id)
  return db.transaction(async tx => {
    if ((await lockWebhookCount(tx, by.workspaceId)) >= maxWebhooks)
      throw invalid('webhook', 'too_many', { message: `A workspace has at most ${maxWebhooks} webhooks.` })
    const webhook = await insertWebhook(tx, by, { ...row, url, events, active, secret: sealed })
    return { ...webhook, secret }
  })
}

/** Another address, or switching it on, begins anew: earlier failures do not count. */
export async function changeWebhook(
  db: Db,
  by: Caller,
  id: string,
  patch: Partial<WebhookInput>,
): Promise<Webhook> {
  if (Object.keys(patch).length === 0) return orNotFound(await findWebhook(db, by.workspaceId, id))
  return db.transaction(async tx => {
    const before = orNotFound(await lockWebhook(tx, by.workspaceId, id))
    const after = { ...before, ...patch }
    const resetsHealth = after.url !== before.url || (after.active && !before.active)
    return updateWebhook(tx, by, after, resetsHealth)
  })
}

export async function rotateSecret(
  db: Db,
  by: Caller,
  id: string,
  { sealSecret }: WebhookDeps,
): Promise<WithSecret> {
  const secret = mintSecret()
  return db.transaction(async tx => {
    const webhook = orNotFound(await lockWebhook(tx, by.workspaceId, id))
    const sealed = await sealSecret(secret, webhook.id)
    const until = new Date(Date.now() + secretMilliseconds)
    return { ...(await replaceSecret(tx, by, webhook.id, sealed, until)), secret }
  })
}

/** Nothing is sent to a webhook that is switched off, so it cannot be tested, and nothing replayed to it. */
export async function lockActiveWebhook(tx: Db, workspaceId: string, id: string): Promise<Webhook> {
  const webhook = orNotFound(await lockWebhook(tx, workspaceId, id))
  if (!webhook.active)
    throw invalid('active', 'invalid', { message: 'active is false: switch the webhook on first' })
  return webhook
}

/** Returns the id of the delivery. */
export const testWebhook = (db: Db, by: Caller, id: string): Promise<string> =>
  db.transaction(async tx => {
    const webhook = await lockActiveWebhook(tx, by.workspaceId, id)
    await auditAction(tx, by, 'webhook.tested', webhook.id)
    const test = [{ id: webhook.id }]
    const [deliveryId = ''] = await addMessages(tx, by.workspaceId, 'webhook.test', test, [webhook.id])
    return deliveryId
  })

/** From the commit on no request to it begins. */
export const deleteWebhook = (db: Db, by: Caller, id: string): Promise<void> =>
  db.transaction(async tx => {
    if (!(await removeWebhook(tx, by, id))) throw apiError('not_found')
    await tx.query(enqueueForget(by.workspaceId, id))
  })
