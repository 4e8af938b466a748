// What the keys of dimensions are called.
import type { Db } from '#kernel/db.ts'
import { type Dimension, readVariantKey } from '../dimension.ts'
import {
  campaignLabels,
  type LabelKind,
  type Labels,
  savedLabels,
  saveLabel,
  signatureLabels,
  teammateLabels,
  variantLabels,
} from './queries.ts'

const countries = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' })

function countryName(code: string): string {
  try {
    return countries.of(code) ?? code
  } catch {
    return code // nothing that could be a country
  }
}

type FindLabels = (db: Db, workspaceId: string, ids: readonly string[]) => Promise<Labels>

/** Those that are there. */
const labelFinders: Readonly<Record<LabelKind, FindLabels>> = {
  signature_template: signatureLabels,
  marketing_campaign: campaignLabels,
  campaign_variant: variantLabels,
  teammate: teammateLabels,
}

const hasNames = (dimension: Dimension): dimension is LabelKind => dimension in labelFinders

/** For each key a label: what it is called, or was when it was deleted; of what nobody knows, its id. */
export async function labelsFor(
  db: Db,
  workspaceId: string,
  dimension: Dimension,
  keys: readonly string[],
): Promise<(key: string) => string> {
  if (dimension === 'country') return countryName
  if (!hasNames(dimension) || keys.length === 0) return key => key
  const currentLabels = await labelFinders[dimension](db, workspaceId, keys)
  const deletedKeys = keys.filter(key => !currentLabels.has(key))
  const storedLabels =
    deletedKeys.length === 0 ? currentLabels : await savedLabels(db, workspaceId, dimension, deletedKeys)
  return key => currentLabels.get(key) ?? storedLabels.get(key) ?? idIn(dimension, key)
}

/** A key as it is shown: a variant goes by its own id. */
export const idIn = (dimension: Dimension, key: string): string =>
  dimension === 'campaign_variant' ? readVariantKey(key).variant : key

/** To be run in the transaction that deletes a teammate, before the values go. */
export async function saveTeammateLabel(tx: Db, workspaceId: string, id: string): Promise<void> {
  const label = (await teammateLabels(tx, workspaceId, [id])).get(id)
  if (label !== undefined) await saveLabel(tx, workspaceId, 'teammate', id, label)
}
