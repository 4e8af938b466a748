// Labels for the keys of dimensions.

import { type FieldLabels, linkLabels, linkSourceLabel } from '@signoff/render'
import type { Db } from '#kernel/db/db.ts'
import { type Dimension, parseVariantKey } from '../dimension.ts'
import {
  campaignLabels,
  contentsWithLinks,
  earlierLinks,
  fieldLabels,
  type LabelKind,
  type Labels,
  labelsById,
  savedLabels,
  saveLabel,
  signatureLabels,
  teammateLabelRows,
  variantLabels,
} from './queries.ts'

/** Labels of links, from the content that is published now, else from the version that was live when the link was made. */
async function anchorLabels(db: Db, workspaceId: string, ids: readonly string[]): Promise<Labels> {
  const fields = labelsById(await fieldLabels(db, workspaceId))
  const contents = await contentsWithLinks(db, workspaceId, ids)
  const labelOf: FieldLabels = id => fields.get(id.toLowerCase())
  const labels = new Map(contents.flatMap(content => [...linkLabels(content, labelOf)]))
  const missing = ids.filter(id => !labels.has(id))
  if (missing.length === 0) return labels
  for (const { id, link, content } of await earlierLinks(db, workspaceId, missing)) {
    const label = (content && linkLabels(content, labelOf).get(id)) ?? linkSourceLabel(link, labelOf)
    if (label !== '') labels.set(id, label)
  }
  return labels
}

const countries = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' })

function countryName(code: string): string {
  try {
    return countries.of(code) ?? code
  } catch {
    return code // not a valid country code
  }
}

/** Labels of objects that still exist. */
const labelFinders: Readonly<Record<LabelKind, typeof signatureLabels>> = {
  signature_template: signatureLabels,
  marketing_campaign: campaignLabels,
  campaign_variant: variantLabels,
  teammate: teammateLabelRows,
}

/** Returns a function from key to label: the current name, else the name at deletion, else the id. */
export async function labelsFor(
  db: Db,
  workspaceId: string,
  dimension: Dimension,
  keys: readonly string[],
): Promise<(key: string) => string> {
  if (dimension === 'country') return countryName
  if (keys.length === 0) return key => key
  if (dimension === 'anchor') {
    const labels = await anchorLabels(db, workspaceId, keys)
    return key => labels.get(key) ?? key
  }
  const currentLabels = labelsById(await labelFinders[dimension](db, workspaceId, keys))
  const deletedKeys = keys.filter(key => !currentLabels.has(key))
  const storedLabels =
    deletedKeys.length === 0
      ? currentLabels
      : labelsById(await savedLabels(db, workspaceId, dimension, deletedKeys))
  return key => currentLabels.get(key) ?? storedLabels.get(key) ?? shownIdOf(dimension, key)
}

/** The id that the API shows for a key: for a variant, its id without the campaign. */
export const shownIdOf = (dimension: Dimension, key: string): string =>
  dimension === 'campaign_variant' ? parseVariantKey(key).variant : key

export const teammateLabels = async (db: Db, workspaceId: string, ids: readonly string[]): Promise<Labels> =>
  labelsById(await teammateLabelRows(db, workspaceId, ids))

/** Run this in the transaction that deletes a teammate, before the smart field values are deleted. */
export async function saveTeammateLabel(tx: Db, workspaceId: string, id: string): Promise<void> {
  const [teammate] = await teammateLabelRows(tx, workspaceId, [id])
  if (teammate) await saveLabel(tx, workspaceId, 'teammate', id, teammate.label)
}
