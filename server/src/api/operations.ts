// What an operator looks at: is the service alive, is it ready, how is it doing.
import { Type } from 'typebox'
import { type Db, sql } from '../kernel/db.ts'
import { ApiError, apiError } from '../kernel/errors.ts'
import type { Metrics } from '../kernel/metrics.ts'
import { jsonText, publicRoute, type Route } from '../kernel/routes.ts'

export interface Operations {
  readonly metrics: Pick<Metrics, 'text' | 'contentType'>
  readonly isOpen: () => boolean
}

const Status = Type.Object({ status: Type.String() }, { additionalProperties: false })
const fine = jsonText('{"status":"ok"}')

/** A write, because reading works on a standby and on a full disk too. One in a second is enough for any number of requests. */
function createReadinessCheck(): (db: Db) => Promise<void> {
  let last: Promise<void> | undefined
  let began = 0
  const write = async (db: Db): Promise<void> => {
    const now = new Date()
    await db
      .query(sql`
        insert into readiness_checks (id, checked_at) values (true, ${now})
        on conflict (id) do update set checked_at = excluded.checked_at`)
      .catch(error => {
        const message = 'The database takes no writes.'
        throw error instanceof ApiError
          ? error
          : Object.assign(apiError('unavailable', { message }), { cause: error })
      })
  }
  return db => {
    if (!last || performance.now() - began > 1_000) {
      began = performance.now()
      last = write(db)
    }
    return last
  }
}

/** All requests of one second get the same text. */
function createSnapshot(make: () => Promise<string>): () => Promise<string> {
  let text: Promise<string> | undefined
  let madeAt = 0
  return () => {
    if (!text || performance.now() - madeAt > 1_000) {
      madeAt = performance.now()
      text = make()
    }
    return text
  }
}

export function operationRoutes({ metrics, isOpen }: Operations): readonly Route[] {
  const checkReadiness = createReadinessCheck()
  const snapshot = createSnapshot(() => metrics.text())
  return [
    publicRoute('/healthz', 'The process is alive', { 200: Status }, async () => fine),
    publicRoute('/readyz', 'The service can take requests', { 200: Status }, async ({ db }) => {
      if (!isOpen()) throw apiError('unavailable', { message: 'The service is starting or stopping.' })
      await checkReadiness(db)
      return fine
    }),
    publicRoute('/metrics', 'Numbers for Prometheus', { 200: Type.String() }, async () => ({
      status: 200,
      body: await snapshot(),
      headers: { 'content-type': metrics.contentType },
    })),
  ]
}
