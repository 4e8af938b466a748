// The addresses that a campaign can reach: found by what PostgreSQL can look up, always all of them and seldom more.
// Whether one really sees the banner is decided where its signature is drawn.
import type { Db } from '../../kernel/db.ts'
import type { Condition, Conditions } from '../recipients/index.ts'
import { smartFieldsOf } from '../smart-fields/index.ts'
import { type Narrowing, placesFor, type Selected, selectedAfter } from './queries.ts'

/** Whom a campaign was or is for. It outlives the campaign in the queue. */
export interface Reach {
  readonly campaign_id: string
  readonly signature_ids: readonly string[]
  readonly conditions: Conditions
}

interface Targeted {
  readonly id: string
  readonly signature_template_ids: readonly string[]
  readonly smart_fields_conditions: Conditions
}

export const reachOf = ({ id, signature_template_ids, smart_fields_conditions }: Targeted): Reach => ({
  campaign_id: id,
  signature_ids: signature_template_ids,
  conditions: smart_fields_conditions,
})

/** Of a group of conditions the one that can be looked up; null when none can, which leaves everybody. */
function narrowing(group: readonly Condition[], computed: ReadonlySet<string>): Narrowing | null {
  const found = group.find(({ operator = 'is_any_of' }) => !operator.startsWith('is_no'))
  if (!found) return null
  const { smart_field_id, operator = 'is_any_of', values = [] } = found
  const fieldId = smart_field_id.toLowerCase()
  return { fieldId: computed.has(fieldId) ? null : fieldId, operator, values }
}

function narrowings(conditions: Conditions, computed: ReadonlySet<string>): readonly Narrowing[] | null {
  const all = conditions.map(group => narrowing(group, computed))
  const known = all.filter(one => one !== null)
  return all.length === 0 || known.length < all.length ? null : known
}

/** Each address once, in pages, by id. */
export async function* addressesWithin(
  db: Db,
  workspaceId: string,
  reaches: readonly Reach[],
  page: number,
): AsyncGenerator<readonly string[]> {
  const fields = await smartFieldsOf(db, workspaceId)
  const computed = new Set(fields.filter(field => field.computed).map(field => field.id))
  const selected: Selected[] = []
  for (const { campaign_id, signature_ids, conditions } of reaches) {
    const signatureIds = await placesFor(db, workspaceId, campaign_id, signature_ids)
    if (signatureIds.length > 0) selected.push({ signatureIds, people: narrowings(conditions, computed) })
  }
  if (selected.length === 0) return
  for (let after: string | null = null; ; ) {
    const found: readonly string[] = await selectedAfter(db, workspaceId, selected, after, page)
    if (found.length > 0) yield found
    if (found.length < page) return
    after = found.at(-1) ?? null
  }
}
