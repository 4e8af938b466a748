// What the keys of dimensions are called.
import type { Db } from '../../../kernel/db.ts'
import { type Dimension, readVariantKey } from '../dimension.ts'
import { keepLabel, keptLabels, type Labels, signatureLabels, teammateLabels } from './queries.ts'

/** The campaigns that are there. */
export type CampaignLabels = (db: Db, workspaceId: string, ids: readonly string[]) => Promise<Labels>

export const noCampaigns: CampaignLabels = async () => new Map()

const countries = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' })

function countryName(code: string): string {
  try {
    return countries.of(code) ?? code
  } catch {
    return code // nothing that could be a country
  }
}

const living = (dimension: Dimension, campaignLabels: CampaignLabels): CampaignLabels | undefined =>
  ({ signature_template: signatureLabels, teammate: teammateLabels, marketing_campaign: campaignLabels })[
    dimension as string
  ]

/** For each id a label; of what is unknown, the id itself. */
export async function labelsFor(
  db: Db,
  workspaceId: string,
  dimension: Dimension,
  ids: readonly string[],
  campaignLabels: CampaignLabels,
): Promise<(id: string) => string> {
  if (dimension === 'country') return countryName
  if (dimension === 'campaign_variant') {
    const campaigns = [...new Set(ids.map(id => readVariantKey(id).campaignId))]
    const name = await labelsFor(db, workspaceId, 'marketing_campaign', campaigns, campaignLabels)
    return id => `${name(readVariantKey(id).campaignId)}: ${readVariantKey(id).variant}`
  }
  const find = living(dimension, campaignLabels)
  if (!find || ids.length === 0) return id => id
  const there = await find(db, workspaceId, ids)
  const gone = ids.filter(id => !there.has(id))
  const kept =
    gone.length === 0
      ? there
      : await keptLabels(db, workspaceId, dimension as Parameters<typeof keptLabels>[2], gone)
  return id => there.get(id) ?? kept.get(id) ?? id
}

/** To be run in the transaction that deletes a teammate, before the values go. */
export async function keepTeammateLabel(tx: Db, workspaceId: string, id: string): Promise<void> {
  const label = (await teammateLabels(tx, workspaceId, [id])).get(id)
  if (label !== undefined) await keepLabel(tx, workspaceId, 'teammate', id, label)
}
