// The audience of a campaign: every targeted address whose signature has a marketing block for it.

import { peopleAt } from '#features/content/index.ts'
import { candidatesForMany, choose, newMail } from '#features/recipients/index.ts'
import { smartFieldsOf } from '#features/smart-fields/index.ts'
import type { Db } from '#kernel/db.ts'
import { orNotFound } from '#kernel/errors.ts'
import type { PageQuery } from '#kernel/pagination.ts'
import { TimeSlice } from '#kernel/time-slice.ts'
import { assignVariant } from '../banners/assign-variant.ts'
import { compileTargeting } from '../banners/choose.ts'
import { findStoredCampaign, reachedPage, type StoredCampaign } from '../queries.ts'
import { signaturesShowing } from './queries.ts'
import { addressesInReach, reachOf } from './reach.ts'

export interface ReachedAddress {
  readonly emailId: string
  readonly signatureId: string
  readonly variantId: string | null
}

/** Number of people in memory at once, with all of their values. */
const page = 1_000

/** Yields pages of reached addresses, ordered by email id. */
export async function* audienceOf(
  db: Db,
  workspaceId: string,
  campaign: StoredCampaign,
): AsyncGenerator<readonly ReachedAddress[]> {
  if (campaign.lost_targets) return
  const reach = reachOf(campaign)
  const showingIds = new Set(await signaturesShowing(db, workspaceId, campaign.id, reach.signature_ids))
  const fields = await smartFieldsOf(db, workspaceId)
  const isTargeted = compileTargeting(campaign)
  const slice = new TimeSlice()
  for await (const emailIds of addressesInReach(db, workspaceId, reach, page)) {
    const candidates = await candidatesForMany(db, workspaceId, emailIds)
    const people = await peopleAt(db, workspaceId, emailIds, fields)
    const reached: ReachedAddress[] = []
    for (const emailId of emailIds) {
      await slice.pause()
      const signatureId = choose(candidates.get(emailId) ?? [], newMail).signature?.signature_id
      const person = people.get(emailId)?.person
      if (!signatureId || !person || !showingIds.has(signatureId)) continue
      if (!(await isTargeted({ emailId, signatureId, person }, slice))) continue
      const variantId = assignVariant(campaign.id, emailId, campaign.variants)?.id ?? null
      reached.push({ emailId, signatureId, variantId })
    }
    yield reached
  }
}

export interface Audience {
  readonly reached: readonly object[]
  readonly count: number
  readonly variants: readonly { readonly id: string; readonly name: string; readonly count: number }[]
}

export async function readAudience(
  db: Db,
  workspaceId: string,
  id: string,
  { page: pageNumber, limit }: PageQuery,
): Promise<Audience> {
  const campaign = orNotFound(await findStoredCampaign(db, workspaceId, id))
  const allReached: ReachedAddress[] = []
  for await (const batch of audienceOf(db, workspaceId, campaign)) allReached.push(...batch)
  // Newest first, like all lists of the API.
  const from = allReached.length - (pageNumber - 1) * limit
  const pageRows = allReached.slice(Math.max(0, from - limit), Math.max(0, from)).reverse()
  const byVariant = Map.groupBy(allReached, address => address.variantId)
  return {
    reached: await reachedPage(db, workspaceId, pageRows),
    count: allReached.length,
    variants: campaign.variants.map(variant => ({
      id: variant.id,
      name: variant.name,
      count: byVariant.get(variant.id)?.length ?? 0,
    })),
  }
}
