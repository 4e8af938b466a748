// Routes for operators: liveness, readiness and metrics.
import { statfs } from 'node:fs/promises'
import { Type } from 'typebox'
import type { Metrics } from '#kernel/api/metrics.ts'
import { jsonText, publicRoute, type Route } from '#kernel/api/routes.ts'
import { ClosedObject } from '#kernel/base/closed.ts'
import { ApiError, apiError } from '#kernel/base/errors.ts'
import { createSharedCheck } from '#kernel/base/shared-check.ts'
import { type Pool, sql } from '#kernel/db/db.ts'

export interface OperationDeps {
  readonly db: Pick<Pool, 'probe'>
  readonly metrics: Pick<Metrics, 'text' | 'contentType'>
  readonly isOpen: () => boolean
  readonly dataDir: string
}

const Status = ClosedObject({ status: Type.String() })
const okBody = jsonText('{"status":"ok"}')

/** Most load balancers do not wait longer. */
const timeoutMilliseconds = 2_500

/** Two segments of the log of PostgreSQL. With less, the next writes fail, although a write of one row still succeeds. */
const neededBytes = 32 * 1024 ** 2

async function checkRoom(folder: string): Promise<void> {
  // Without a folder nothing is stored in it. Some file systems do not say how large they are.
  const { blocks, bavail, bsize } = await statfs(folder).catch(() => ({ blocks: 0, bavail: 0, bsize: 0 }))
  if (blocks > 0 && bavail * bsize < neededBytes)
    throw apiError('unavailable', { message: 'The disk of the data folder is full.' })
}

/** Readiness is tested by a write: a read also works on a standby. */
async function checkWrite(db: OperationDeps['db']): Promise<void> {
  const now = new Date()
  await db
    .probe(sql`
      insert into readiness_checks (id, checked_at) values (true, ${now})
      on conflict (id) do update set checked_at = excluded.checked_at`)
    .catch(error => {
      const message = 'The database takes no writes.'
      throw error instanceof ApiError
        ? error
        : Object.assign(apiError('unavailable', { message }), { cause: error })
    })
}

export function operationRoutes({ db, metrics, isOpen, dataDir }: OperationDeps): readonly Route[] {
  const checkReadiness = createSharedCheck(async () => {
    await checkRoom(dataDir)
    await checkWrite(db)
  }, timeoutMilliseconds)
  const snapshot = createSharedCheck(() => metrics.text(), timeoutMilliseconds)
  return [
    publicRoute('/healthz', 'The process is alive', { 200: Status }, async () => okBody),
    publicRoute('/readyz', 'The service can take requests', { 200: Status }, async () => {
      if (!isOpen()) throw apiError('unavailable', { message: 'The service is starting or stopping.' })
      await checkReadiness()
      return okBody
    }),
    publicRoute('/metrics', 'Numbers for Prometheus', { 200: Type.String() }, async () => ({
      status: 200,
      body: await snapshot(),
      headers: { 'content-type': metrics.contentType },
    })),
  ]
}
