// Records that a source could not use: the people whom they are about must not leave as if they were missing.
import { comparisonKey } from '#kernel/db/text.ts'
import type { RefusedRecord } from '../directory.ts'
import { problemOf, type RunProblem } from '../runs/queries.ts'
import type { Leaver } from './queries.ts'

export interface RefusedPeople {
  /** Ids of people whom a refused record names. */
  readonly named: ReadonlySet<string>
  /** Unusable records that name none of the people. */
  readonly unclear: number
}

/**
 * `absent` are the people whom the run did not find. A record that names a person whom the run has found is about another
 * one: the address can be that of a manager.
 */
export function peopleOfRefused(
  refused: readonly RefusedRecord[],
  absent: readonly Pick<Leaver, 'external_id' | 'address'>[],
): RefusedPeople {
  const idOf = new Map(
    absent.flatMap(({ external_id, address }) => [
      [comparisonKey(address), external_id] as const,
      [comparisonKey(external_id), external_id] as const,
    ]),
  )
  const subjects = refused.map(({ kind, texts }) => ({
    isClear: kind === 'conflict',
    ids: texts.flatMap(text => idOf.get(comparisonKey(text)) ?? []),
  }))
  return {
    named: new Set(subjects.flatMap(({ ids }) => ids)),
    unclear: subjects.filter(({ isClear, ids }) => !isClear && ids.length === 0).length,
  }
}

export const refusedProblem = ({ line, kind, field, message }: RefusedRecord): RunProblem =>
  problemOf({ kind, field, message: `Line ${line}: ${message}.` })
