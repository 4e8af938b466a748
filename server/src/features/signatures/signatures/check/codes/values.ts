import { type CheckRule, type Finding, findingFor, isBlank } from '../problems.ts'
import type { CheckedBlock, CheckedHref, PlacedBlock } from '../tree.ts'

const fieldOfLink = ({ text, smartFieldUuid }: CheckedHref): string | undefined =>
  isBlank(text) ? smartFieldUuid : undefined

/** The smart fields without whose value a part of the block is left out. */
function neededFields({ smartFieldUuid, href, tokens = [] }: CheckedBlock): readonly string[] {
  const ids = [
    smartFieldUuid,
    href && fieldOfLink(href),
    ...tokens.flatMap(token => [
      isBlank(token.fallback) && isBlank(token.value) ? token.smartFieldUuid : undefined,
      token.href && fieldOfLink(token.href),
    ]),
  ]
  return ids.filter(id => id !== undefined).map(id => id.toLowerCase())
}

function blocksByField(blocks: readonly PlacedBlock[]): ReadonlyMap<string, readonly PlacedBlock[]> {
  const byField = new Map<string, PlacedBlock[]>()
  for (const place of blocks)
    for (const id of neededFields(place.block)) {
      const list = byField.get(id)
      if (list) list.push(place)
      else byField.set(id, [place])
    }
  return byField
}

/** A sample gives two digits: "about 6700 of 100000". */
function estimate(missing: number, counted: number, recipients: number): number {
  const scaled = Math.round((missing / counted) * recipients)
  return Math.min(recipients, Number(scaled.toPrecision(2)))
}

const notCounted = {
  code: 'missing_values',
  severity: 'note',
  message: 'The values of the recipients were not counted: it took PostgreSQL too long. Check again later.',
  recipientsAffected: 0,
} as const

/** One finding for each field. */
export const missingValues: CheckRule = ({ blocks, fields, values: { counted, byField }, recipients }) => {
  const concerned = [...blocksByField(blocks)].flatMap(([id, places]) => {
    const field = fields.get(id)
    return !field || field.computed || !isBlank(field.fallback ?? '') ? [] : [{ field, places }]
  })
  if (counted === 0 && recipients > 0)
    return findingFor(
      notCounted,
      concerned.flatMap(({ places }) => places),
    )
  return concerned.flatMap(({ field, places }): readonly Finding[] => {
    const missing = counted - (byField.get(field.id)?.filled ?? 0)
    if (missing <= 0) return []
    const isSample = counted < recipients
    const recipientsAffected = isSample ? estimate(missing, counted, recipients) : missing
    const share = isSample ? `about ${recipientsAffected} of ${recipients}` : `${missing} of ${counted}`
    const message = `${field.label}: ${share} recipients ${recipientsAffected === 1 ? 'has' : 'have'} none.`
    return findingFor(
      { code: 'missing_values', message, recipientsAffected, smartField: field.label },
      places,
    )
  })
}
