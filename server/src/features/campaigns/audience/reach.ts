// The addresses that a campaign can reach: found by what PostgreSQL can look up, always all of them and seldom more.
// Whether one really sees the banner is decided where its signature is drawn.

import type { Condition, Conditions, Operator } from '#features/recipients/index.ts'
import { smartFieldsOf } from '#features/smart-fields/index.ts'
import { comparisonKey, type Db } from '#kernel/db.ts'
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

interface TargetedCampaign {
  readonly id: string
  readonly signature_template_ids: readonly string[]
  readonly smart_fields_conditions: Conditions
}

export const reachOf = ({
  id,
  signature_template_ids,
  smart_fields_conditions,
}: TargetedCampaign): CampaignReach => ({
  campaign_id: id,
  signature_ids: signature_template_ids,
  conditions: smart_fields_conditions,
})

/** Operators that people can be looked up by; the ones that find the fewest first. */
const lookupOperators: readonly Operator[] = ['is_any_of', 'starts_with', 'ends_with', 'contains', 'is_set']

/** Of a group of conditions the one to look people up by. */
function chooseNarrowest(group: readonly Condition[]): Required<Condition> | undefined {
  const candidates = group.map(({ operator = 'is_any_of', values = [], smart_field_id }) => ({
    smart_field_id: smart_field_id.toLowerCase(),
    operator,
    values,
  }))
  for (const operator of lookupOperators) {
    const match = candidates.find(candidate => candidate.operator === operator)
    if (match) return match
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
    const condition = chooseNarrowest(group)
    if (!condition) return null
    const { smart_field_id: fieldId, operator, values } = condition
    const isAddress = computed.has(fieldId)
    if (operator === 'is_set') {
      if (isAddress) return null
      set.add(fieldId)
    } else if (operator === 'is_any_of') {
      const keys = values.map(comparisonKey)
      if (isAddress) address.equal.push(...keys)
      else equal.push(...keys.map(value => ({ fieldId, value })))
    } else {
      const patterns = values.map(value => patternOf(operator, value))
      if (isAddress) address.like.push(...patterns)
      else like.set(fieldId, [...(like.get(fieldId) ?? []), ...patterns])
    }
  }
  return conditions.length === 0 ? null : { equal, like, set: [...set], address }
}

/** How many milliseconds PostgreSQL may look people up for. A large rule over long values could take hours. */
const lookupMilliseconds = 3_000
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
  milliseconds = lookupMilliseconds,
): AsyncGenerator<readonly string[]> {
  const signatureIds = await signaturesShowing(db, workspaceId, campaign_id, signature_ids)
  if (signatureIds.length === 0) return
  const fields = await smartFieldsOf(db, workspaceId)
  const computed = new Set(fields.filter(field => field.computed).map(field => field.id))
  let lookup = lookupOf(conditions, computed)
  const count = page * pagesAtOnce
  for (let after: string | null = null; ; ) {
    const nextRecipients = (connection: Db, filter: AddressFilter | null) =>
      recipientsAfter(connection, workspaceId, signatureIds, filter, after, count)
    const currentLookup = lookup
    let emailIds =
      currentLookup && (await withTimeLimit(db, milliseconds, tx => nextRecipients(tx, currentLookup)))
    if (!emailIds) {
      lookup = null
      emailIds = await nextRecipients(db, null)
    }
    for (let at = 0; at < emailIds.length; at += page) yield emailIds.slice(at, at + page)
    if (emailIds.length < count) return
    after = emailIds.at(-1) ?? null
  }
}
