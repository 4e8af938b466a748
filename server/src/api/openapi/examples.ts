// Recorded requests and answers, by the name of their route.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface RecordedExample {
  readonly request?: unknown
  readonly answer?: unknown
}

export const examples = JSON.parse(
  readFileSync(join(import.meta.dirname, '..', 'examples.json'), 'utf8'),
) as Readonly<Record<string, RecordedExample>>
