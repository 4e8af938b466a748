// Headers of answers, as the HTTP layer sends them.
import type { Route } from '#kernel/api/routes.ts'
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
  'RateLimit-Limit': header(
    'Requests per second and key or session; on every answer to one, where a limit is set.',
    'integer',
  ),
  'RateLimit-Remaining': header('Requests that are left in this second.', 'integer'),
  'RateLimit-Reset': header('Seconds until the next ones.', 'integer'),
  'WWW-Authenticate': header('`Bearer`: how to send an API key.'),
  'X-Signoff-Warnings': header(
    'What the picture lacks, as a list of RFC 9651: letters that no font has, pictures that could not be loaded. Left out when nothing is missing.',
  ),
  'Content-Disposition': header('The name of the file.'),
}

export const headerRefs = (names: readonly string[]): Json =>
  Object.fromEntries(names.map(name => [name, { $ref: `#/components/headers/${name}` }]))

/** True if an answer has an ETag: all answers to reads, tables apart, and the resources that writes answer with. */
export const sendsVersion = ({ answers }: Route, status: number): boolean =>
  status === 304 ||
  status === 201 ||
  (status === 200 && (answers[304] !== undefined || !('contentMediaType' in (answers[200] ?? {}))))
