// What a request sent without effect: the answer names it in `ignored`, beside `data`.
import { Readable } from 'node:stream'
import { Type } from 'typebox'
import { ClosedObject } from '#kernel/base/closed.ts'
import type { Answer } from './routes.ts'

export interface IgnoredInput {
  /** The path of a field of the body, or the name of a query parameter. */
  readonly field: string
  readonly code: string
}

/** A part of every JSON answer. */
export const ignoredProperty = {
  ignored: Type.Optional(
    Type.Array(ClosedObject({ field: Type.String(), code: Type.String() }), {
      title: 'Ignored',
      description:
        'Only where the request sent something without effect: values that a directory manages (`directory_managed`) or that the service computes (`computed`), and query parameters that the operation does not have (`unknown_parameter`).',
    }),
  ),
}

/** Added to links by mail clients and advertising networks. They are not meant for the API. */
const trackingParameter =
  /^(?:utm_\w+|mc_[ce]id|_ga|_gl|(?:g|fb|y|d)clid|gbraid|wbraid|msclkid|ttclid|twclid|igshid|li_fat_id)$/i

/** A URL holds at most 16 KB; a client that sends nonsense gets a short list. */
const maxParameters = 50
const longestName = 200

/** Returns a function that lists the query parameters that the route does not have. */
export const unknownParametersOf =
  (parameters: ReadonlySet<string>): ((query: unknown) => readonly IgnoredInput[]) =>
  query => {
    const names = Object.keys(query as object)
    if (names.length === 0) return []
    return names
      .filter(name => !parameters.has(name) && !trackingParameter.test(name))
      .slice(0, maxParameters)
      .map(name => ({ field: name.slice(0, longestName).toWellFormed(), code: 'unknown_parameter' }))
  }

/** Writes what was ignored into a JSON answer. Other answers (files, tables, no content) stay as they are. */
export function withIgnored(answer: Answer, unknown: readonly IgnoredInput[]): Answer {
  const ignored = [...(answer.ignored ?? []), ...unknown]
  const isJson = answer.headers['content-type']?.startsWith('application/json')
  if (ignored.length === 0 || !isJson || answer.status >= 300) return answer
  const ending = `,"ignored":${JSON.stringify(ignored)}}`
  const { body } = answer
  if (!(body instanceof Readable)) return { ...answer, body: `${body.toString().slice(0, -1)}${ending}` }
  return { ...answer, body: Readable.from(withEnding(body, ending), { objectMode: false }) }
}

/** Replaces the brace that ends a streamed object. */
async function* withEnding(body: Readable, ending: string): AsyncGenerator<Buffer | string> {
  let last: Buffer | undefined
  for await (const chunk of body) {
    if (last) yield last
    last = Buffer.from(chunk)
  }
  if (last) yield last.subarray(0, -1)
  yield ending
}
