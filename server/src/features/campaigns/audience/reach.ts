// The addresses that a campaign can reach: found by what PostgreSQL can look up, always all of them and seldom more.
// Whether one really sees the banner is decided where its signature is drawn.

import type { Condition, Conditions, Operator } from '#features/recipients/index.ts'
import { smartFieldsOf } from '#features/smart-fields/index.ts'
import type { Db } from '#kernel/db.ts'
import { comparisonKey } from '#kernel/text.ts'
import {
  type AddressFilter,
  patternOf,
  recipientsAfter,
  signaturesShowing,
  withTimeLimit,
} from './queries.ts'

/** Whom a campaign was or is for. It outlives the campaign in `banner_reaches`. */
export interface CampaignReach {
  readonly campaign_id: string
  readonly signature_ids: readonly string[]
  readonly conditions: Conditions
}

interface Targeted {
  readonly id: string
  readonly signature_template_ids: readonly string[]
  readonly smart_fields_conditions: Conditions
}

export const reachOf = ({
  id,
  signature_template_ids,
  smart_fields_conditions,
}: Targeted): CampaignReach => ({
  campaign_id: id,
  signature_ids: signature_template_ids,
  conditions: smart_fields_conditions,
})

/** Operators that people can be looked up by; the ones that find the fewest first. */
const preference: readonly Operator[] = ['is_any_of', 'starts_with', 'ends_with', 'contains', 'is_set']

/** Of a group of conditions the one to look people up by. */
function narrowest(group: readonly Condition[]): Required<Condition> | undefined {
  const known = group.map(({ operator = 'is_any_of', values = [], smart_field_id }) => ({
    smart_field_id: smart_field_id.toLowerCase(),
    operator,
    values,
  }))
  for (const operator of preference) {
    const found = known.find(one => one.operator === operator)
    if (found) return found
  }
  return undefined
}

/** The groups in one lookup; null when one of them leaves everybody. */
function lookupOf(conditions: Conditions, computed: ReadonlySet<string>): AddressFilter | null {
  const equal: { fieldId: string; value: string }[] = []
  const like = new Map<string, string[]>()
  const set = new Set<string>()
  const address = { equal: [] as string[], like: [] as string[] }
  for (const group of conditions) {
    const chosen = narrowest(group)
    if (!chosen) return null
    const { smart_field_id: fieldId, operator, values } = chosen
    const isAddress = computed.has(fieldId)
    if (operator === 'is_set') {
      if (isAddress) return null
      set.add(fieldId)
    } else if (operator === 'is_any_of') {
      const wanted = values.map(comparisonKey)
      if (isAddress) address.equal.push(...wanted)
      else equal.push(...wanted.map(value => ({ fieldId, value })))
    } else {
      const patterns = values.map(value => patternOf(operator, value))
      if (isAddress) address.like.push(...patterns)
      else like.set(fieldId, [...(like.get(fieldId) ?? []), ...patterns])
    }
  }
  return conditions.length === 0 ? null : { equal, like, set: [...set], address }
}

/** How many milliseconds PostgreSQL may look people up for. A large rule over long values could take hours. */
const lookupPatience = 3_000
/** Looking them up again for every page would take longer than all the rest. */
const pagesAtOnce = 10

/**
 * Each address once, in pages, by id. When PostgreSQL cannot look people up in time, they are all recipients of the
 * campaign's signatures: reading these takes a moment, whatever the rule is.
 */
export async function* addressesWithin(
  db: Db,
  workspaceId: string,
  { campaign_id, signature_ids, conditions }: CampaignReach,
  page: number,
  patience = lookupPatience,
): AsyncGenerator<readonly string[]> {
  const signatureIds = await signaturesShowing(db, workspaceId, campaign_id, signature_ids)
  if (signatureIds.length === 0) return
  const fields = await smartFieldsOf(db, workspaceId)
  const computed = new Set(fields.filter(field => field.computed).map(field => field.id))
  let lookup = lookupOf(conditions, computed)
  const count = page * pagesAtOnce
  for (let after: string | null = null; ; ) {
    const next = (within: Db, by: AddressFilter | null) =>
      recipientsAfter(within, workspaceId, signatureIds, by, after, count)
    const wanted = lookup
    let found = wanted && (await withTimeLimit(db, patience, tx => next(tx, wanted)))
    if (!found) {
      lookup = null
      found = await next(db, null)
    }
    for (let at = 0; at < found.length; at += page) yield found.slice(at, at + page)
    if (found.length < count) return
    after = found.at(-1) ?? null
  }
}
