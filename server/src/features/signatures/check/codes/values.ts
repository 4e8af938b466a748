import { type CheckRule, type Finding, findingFor, isBlank } from '../problems.ts'
import { maxCounted } from '../queries.ts'
import type { CheckedBlock, CheckedHref, PlacedBlock } from '../tree.ts'

const fieldOfLink = ({ text, smartFieldUuid }: CheckedHref): string | undefined =>
  isBlank(text) ? smartFieldUuid : undefined

/** The smart fields without whose value a part of the block is left out. */
export function neededFields({ smartFieldUuid, href, tokens = [] }: CheckedBlock): readonly string[] {
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

/** One finding for each field. */
export const missingValues: CheckRule = ({ blocks, fields, fieldUses, recipients }) => {
  const blocksByField = new Map<string, PlacedBlock[]>()
  for (const place of blocks)
    for (const id of neededFields(place.block)) {
      const list = blocksByField.get(id)
      if (list) list.push(place)
      else blocksByField.set(id, [place])
    }
  return [...blocksByField].flatMap(([id, concerned]): readonly Finding[] => {
    const field = fields.get(id)
    if (!field || field.computed || !isBlank(field.fallback ?? '')) return []
    const counted = Math.min(recipients, maxCounted)
    const missing = counted - (fieldUses.get(id)?.filled ?? 0)
    if (missing <= 0) return []
    const message = `${field.label}: ${missing} of ${counted} recipients have none.`
    return findingFor({ code: 'missing_values', message, recipientsAffected: missing }, concerned)
  })
}
