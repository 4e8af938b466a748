// What whoever runs the service looks at: is it alive, is it ready, how is it doing.
import { Type } from 'typebox'
import { sql } from './kernel/db.ts'
import { apiError } from './kernel/errors.ts'
import type { Metrics } from './kernel/metrics.ts'
import { jsonText, publicRoute, type Route } from './kernel/routes.ts'

export interface Operations {
  readonly metrics: Pick<Metrics, 'text' | 'contentType'>
  readonly isOpen: () => boolean
}

const Status = Type.Object({ status: Type.String() }, { additionalProperties: false })
const fine = jsonText('{"status":"ok"}')

export const operationRoutes = ({ metrics, isOpen }: Operations): readonly Route[] => [
  publicRoute('/healthz', 'The process is alive', { 200: Status }, async () => fine),
  publicRoute('/readyz', 'The service can take requests', { 200: Status }, async ({ db }) => {
    if (!isOpen()) throw apiError('unavailable', { message: 'The service is starting or stopping.' })
    await db.query(sql`select 1`)
    return fine
  }),
  publicRoute('/metrics', 'Numbers for Prometheus', { 200: Type.String() }, async () => ({
    status: 200,
    body: await metrics.text(),
    headers: { 'content-type': metrics.contentType },
  })),
]
