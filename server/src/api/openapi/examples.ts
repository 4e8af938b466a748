// Recorded requests and answers, by the name of their route.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Json } from './json.ts'
import { shareParts } from './shared.ts'

export interface RecordedExample {
  readonly request?: unknown
  readonly answer?: unknown
  /** With 202, where the other answer has 200. */
  readonly accepted?: unknown
}

export const examples = JSON.parse(
  readFileSync(join(import.meta.dirname, '..', 'examples.json'), 'utf8'),
) as Readonly<Record<string, RecordedExample>>

/** Shorter than this, an example is not worth a reference. */
const shortest = 200

const shared = shareParts(
  'examples',
  Object.entries(examples)
    .map(([name, { answer }]) => ({ name, value: answer as Json }))
    .filter(({ value }) => (JSON.stringify(value) ?? '').length >= shortest),
)

export const exampleComponents = Object.fromEntries(
  Object.entries(shared.components).map(([name, value]) => [name, { value }]),
)

/** The keywords of a media type. */
export function exampleOf(value: unknown): Json {
  if (value === undefined) return {}
  const reference = shared.refTo(value as Json)
  return reference === value ? { example: value } : { examples: { recorded: reference } }
}
