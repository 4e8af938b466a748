// The audience of a campaign: every targeted address whose signature has a marketing block for it.
import type { Person } from '@signoff/render'
import { peopleAt } from '#features/content/content/index.ts'
import { candidatesForMany, choose, newMail } from '#features/signatures/recipients/index.ts'
import { smartFieldsOf } from '#features/workspace/smart-fields/index.ts'
import type { PageQuery } from '#kernel/api/pagination.ts'
import { TimeSlice } from '#kernel/base/time-slice.ts'
import type { Db } from '#kernel/db/db.ts'
import { assignVariant } from '../banners/assign-variant.ts'
import { compileTargeting } from '../banners/choose.ts'
import { reachedPage, type StoredCampaign } from '../queries.ts'
import { canShow, liveSignatureSlots } from './queries.ts'
import { recipientsMatching } from './reach.ts'

interface TargetedAddress {
  readonly emailId: string
  readonly signatureId: string
  readonly person: Person
}

/** Number of people in memory at once, with all of their values. */
const pageSize = 1_000

/** Yields pages of addresses that get one of these signatures and that the campaign targets, ordered by email id. */
export async function* targetedAddresses(
  db: Db,
  workspaceId: string,
  campaign: StoredCampaign,
  signatureIds: readonly string[],
  page = pageSize,
): AsyncGenerator<readonly TargetedAddress[]> {
  if (campaign.lost_targets) return
  const conditions = campaign.smart_fields_conditions
  const fields = await smartFieldsOf(db, workspaceId)
  const isTargeted = compileTargeting(campaign)
  const chosenIds = new Set(signatureIds)
  const slice = new TimeSlice()
  for await (const emailIds of recipientsMatching(db, workspaceId, signatureIds, conditions, page)) {
    const candidates = await candidatesForMany(db, workspaceId, emailIds)
    const people = await peopleAt(db, workspaceId, emailIds, fields)
    const targeted: TargetedAddress[] = []
    for (const emailId of emailIds) {
      await slice.pause()
      const signatureId = choose(candidates.get(emailId) ?? [], newMail).signature?.signature_id
      const person = people.get(emailId)?.person
      if (!signatureId || !person || !chosenIds.has(signatureId)) continue
      if (await isTargeted({ emailId, signatureId, person }, slice))
        targeted.push({ emailId, signatureId, person })
    }
    yield targeted
  }
}

export interface ReachedAddress {
  readonly emailId: string
  readonly signatureId: string
  readonly variantId: string | null
}

/** Yields pages of addresses that show the campaign, ordered by email id. */
export async function* audienceOf(
  db: Db,
  workspaceId: string,
  campaign: StoredCampaign,
): AsyncGenerator<readonly ReachedAddress[]> {
  const live = await liveSignatureSlots(db, workspaceId, campaign.signature_template_ids)
  const showing = live.filter(signature => canShow(signature, campaign.id)).map(({ id }) => id)
  for await (const targeted of targetedAddresses(db, workspaceId, campaign, showing))
    yield targeted.map(({ emailId, signatureId }) => ({
      emailId,
      signatureId,
      variantId: assignVariant(campaign.id, emailId, campaign.variants)?.id ?? null,
    }))
}

interface Audience {
  readonly reached: readonly object[]
  readonly count: number
  readonly variants: readonly { readonly id: string; readonly name: string; readonly count: number }[]
}

export async function readAudience(
  db: Db,
  workspaceId: string,
  campaign: StoredCampaign,
  { page: pageNumber, limit }: PageQuery,
): Promise<Audience> {
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
