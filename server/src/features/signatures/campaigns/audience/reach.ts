// Finds the addresses that a campaign can reach, by conditions that PostgreSQL can look up. The result contains all of
// them and rarely more. The renderer decides whether an address really shows the banner.

import type { Condition, Conditions, Operator } from '#features/signatures/recipients/index.ts'
import { smartFieldsOf } from '#features/workspace/smart-fields/index.ts'
import type { Db } from '#kernel/db/db.ts'
import { comparisonKey } from '#kernel/db/text.ts'
import { withTimeLimit } from '#kernel/db/time-limit.ts'
import { type AddressFilter, canShow, liveSignatureSlots, patternOf, recipientsAfter } from './queries.ts'

/** The targeting of a campaign. It is also stored in `banner_reaches`, where it outlives the campaign. */
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

/** Operators that PostgreSQL can look up, the most selective first. */
const lookupOperators: readonly Operator[] = ['is_any_of', 'starts_with', 'ends_with', 'contains', 'is_set']

/** The most selective condition of a group that can be looked up; undefined when there is none. */
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

/** All groups in one lookup; null when a group cannot be looked up, so all recipients must be read. */
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

/** Time limit of the lookup in PostgreSQL. A large rule over long values could take hours. */
const lookupMilliseconds = 3_000
/** Pages per lookup: a new lookup for every page would take longer than all other work. */
const pagesAtOnce = 10

/** Yields each address that can show the campaign once, in pages, ordered by id. */
export async function* addressesInReach(
  db: Db,
  workspaceId: string,
  { campaign_id, signature_ids, conditions }: CampaignReach,
  page: number,
  milliseconds?: number,
): AsyncGenerator<readonly string[]> {
  const live = await liveSignatureSlots(db, workspaceId, signature_ids)
  const signatureIds = live.filter(signature => canShow(signature, campaign_id)).map(({ id }) => id)
  yield* recipientsMatching(db, workspaceId, signatureIds, conditions, page, milliseconds)
}

/**
 * Yields recipients of these signatures. When the lookup times out, it yields all of them: reading these is fast for
 * every rule.
 */
export async function* recipientsMatching(
  db: Db,
  workspaceId: string,
  signatureIds: readonly string[],
  conditions: Conditions,
  page: number,
  milliseconds = lookupMilliseconds,
): AsyncGenerator<readonly string[]> {
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
