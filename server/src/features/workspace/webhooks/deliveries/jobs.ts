// The jobs of webhooks: replay, deletion of old messages, and mails to admins. Requests to receivers are not jobs: the
// dispatcher sends them (../sending/dispatcher.ts), because a receiver that hangs would occupy a slot of the worker.

import { day } from '#kernel/base/durations.ts'
import type { Mailer } from '#kernel/base/mail.ts'
import type { Db, Sql } from '#kernel/db/db.ts'
import { enqueue, type Job } from '#kernel/db/jobs.ts'
import { notifyDispatchers } from '../messages/queries.ts'
import {
  deleteDeliveriesBefore,
  deleteDeliveriesOf,
  deleteMessagesBefore,
  type ReplayRange,
  replayBatch,
} from './queries.ts'
import { type SwitchOff, switchOffMail } from './switch-off-mail.ts'

export const retentionMilliseconds = 30 * day
/** Rows in one statement: locks stay short, however many rows there are. */
const batchSize = 2_000

const replayJob = 'webhooks.replay'
const forgetJob = 'webhooks.forget'
const mailJob = 'webhooks.mail'

/** Requests with the same beginning wait as one job: the last of them includes the deliveries of the others. */
export const enqueueReplay = (range: ReplayRange): Sql =>
  enqueue(replayJob, range, `${replayJob} ${range.webhookId} ${range.after}`)

interface ForgetPayload {
  readonly workspace_id: string
  readonly webhook_id: string
}

/** For a webhook that was deleted. */
export const enqueueForget = (workspace_id: string, webhook_id: string): Sql => {
  const payload: ForgetPayload = { workspace_id, webhook_id }
  return enqueue(forgetJob, payload, `${forgetJob} ${webhook_id}`)
}

interface MailPayload extends SwitchOff {
  readonly workspace_id: string
}

/** A mail about a webhook that the service switched off. */
export const enqueueSwitchOffMail = (payload: MailPayload): Sql => enqueue(mailJob, payload)

interface WebhookJobDeps extends Pick<Mailer, 'compose' | 'send'> {
  readonly publicUrl: string
  readonly listWorkspaces: () => Promise<readonly { readonly id: string }[]>
}

export const webhookJobs = (
  db: Db,
  { publicUrl, listWorkspaces, compose, send }: WebhookJobDeps,
): readonly Job[] => [
  {
    name: replayJob,
    async run(payload) {
      let range = payload as ReplayRange
      for (let last: string | undefined = ''; last !== undefined; ) {
        last = await db.transaction(async tx => {
          const lastId = await replayBatch(tx, range, batchSize)
          await tx.query(notifyDispatchers(range.workspaceId))
          return lastId
        })
        if (last !== undefined) range = { ...range, after: last }
      }
    },
  },
  {
    name: forgetJob,
    async run(payload) {
      const { workspace_id, webhook_id } = payload as ForgetPayload
      while ((await deleteDeliveriesOf(db, workspace_id, webhook_id, batchSize)) === batchSize);
    },
  },
  {
    name: 'webhooks.prune',
    schedule: '41 3 * * *',
    async run() {
      const moment = new Date(Date.now() - retentionMilliseconds)
      for (const { id: workspaceId } of await listWorkspaces()) {
        // A delivery needs its message, so it is deleted first.
        while ((await deleteDeliveriesBefore(db, workspaceId, moment, batchSize)) === batchSize);
        while ((await deleteMessagesBefore(db, workspaceId, moment, batchSize)) === batchSize);
      }
    },
  },
  {
    name: mailJob,
    async run(payload) {
      const { workspace_id: workspaceId, ...switchOff } = payload as MailPayload
      const write = switchOffMail(switchOff, publicUrl)
      await send(await compose({ to: switchOff.to, workspaceId, language: null, write }))
    },
  },
]
