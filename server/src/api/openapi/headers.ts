// Headers of answers, as the HTTP layer sends them.
import type { Json } from './json.ts'

const header = (description: string, type = 'string'): Json => ({ description, schema: { type } })

export const headers: Readonly<Record<string, Json>> = {
  'X-Request-Id': header(
    'The id of the request, as the log and the audit log have it. A client can send its own.',
  ),
  ETag: header(
    'The version of the answer, for `If-None-Match` and, of single resources, `If-Match`. Lists of more than a megabyte are streamed, without it.',
  ),
  Location: header('The path of what was created.'),
  'Retry-After': header('Seconds after which the request can succeed.', 'integer'),
  'Idempotent-Replayed': header(
    '`true`: the stored answer of an earlier request with the same Idempotency-Key.',
  ),
  'RateLimit-Limit': header('Requests per second and key; only where a limit is set.', 'integer'),
  'RateLimit-Remaining': header(
    'Requests that are left in this second; only where a limit is set.',
    'integer',
  ),
  'RateLimit-Reset': header('Seconds until the next ones; only where a limit is set.', 'integer'),
  'Content-Disposition': header('The name of the file.'),
}

export const headerRefs = (names: readonly string[]): Json =>
  Object.fromEntries(names.map(name => [name, { $ref: `#/components/headers/${name}` }]))
