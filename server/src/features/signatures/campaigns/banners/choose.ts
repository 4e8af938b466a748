// Chooses the banner of a signature: of the live campaigns that target the address, the one that started last.
import {
  type RenderedCampaign as Banner,
  type Content,
  compile,
  type Person,
  type RenderHooks,
} from '@signoff/render'
import { comparedValue } from '#features/content/assets/index.ts'
import { inputsKeyOf, referencesOf, surroundingsOf } from '#features/content/content/index.ts'
import { compileConditions } from '#features/signatures/recipients/index.ts'
import type { SmartField } from '#features/workspace/smart-fields/index.ts'
import { TimeSlice, yieldToEventLoop } from '#kernel/base/time-slice.ts'
import type { Db } from '#kernel/db/db.ts'
import { comparisonKey } from '#kernel/db/text.ts'
import { bannerContents, findCampaign, liveCampaigns, type RunningCampaign } from '../queries.ts'
import { assignVariant } from './assign-variant.ts'

/**
 * The address, signature and person that a signature is rendered for. Null in previews: without a person only campaigns
 * without conditions apply, without a signature only campaigns for all signatures, and without an address the first
 * variant is shown.
 */
export interface BannerViewer {
  readonly emailId: string | null
  readonly signatureId: string | null
  readonly person: Person | null
}

/** A compiled banner. `variantId` is null when the campaign has no variants. */
export interface ChosenBanner extends Banner {
  readonly variantId: string | null
  readonly content: Content
  readonly identity: () => string
}

/** The banners that the signature of an address can show. */
export interface BannerChoice {
  readonly banners: readonly ChosenBanner[]
  /** Gives the banner for a marketing block. */
  readonly fill: NonNullable<RenderHooks['campaign']>
}

export interface Banners {
  /** All banners that can be shown. A banner is compiled at its first use: one person needs one or two of them. */
  all(): Promise<readonly ChosenBanner[]>
  /** Changes when the banners or their targeting change. */
  identity(): Promise<string>
  /** `namedCampaignIds` are the campaigns that the signature's content refers to. */
  choiceFor(viewer: BannerViewer, namedCampaignIds: readonly string[]): Promise<BannerChoice>
}

interface BannerContext {
  readonly workspaceId: string
  readonly publicUrl: string
}

interface LiveCampaign {
  readonly id: string
  readonly appliesTo: TargetingTest
  readonly all: () => Promise<readonly ChosenBanner[]>
  readonly shownTo: (emailId: string | null) => Promise<ChosenBanner | null>
}

export const noBanners: BannerChoice = { banners: [], fill: () => null }

/** Prepares the campaigns that are live now, or at the given moment, for any number of people. */
export async function bannersOf(
  db: Db,
  context: BannerContext,
  fields: readonly SmartField[],
  at: Date | null = null,
): Promise<Banners> {
  const live = await liveCampaigns(db, context.workspaceId, at)
  const campaigns = live.map(campaign => prepareCampaign(db, context, fields, campaign))
  const all = memoize(async () => {
    const banners: ChosenBanner[] = []
    for (const campaign of campaigns) banners.push(...(await campaign.all()))
    return banners
  })
  return {
    all,
    identity: memoize(async () => JSON.stringify([live, (await all()).map(banner => banner.identity())])),
    choiceFor: async (viewer, namedCampaignIds) =>
      campaigns.length === 0 ? noBanners : chooseBanners(campaigns, viewer, new Set(namedCampaignIds)),
  }
}

/** Chooses as if this campaign, in any state, were the only one and applied to every address. Undefined when it is unknown. */
export async function onlyBannerOf(
  db: Db,
  context: BannerContext,
  fields: readonly SmartField[],
  campaignId: string,
  emailId: string | null,
): Promise<BannerChoice | undefined> {
  const campaign = await findCampaign(db, context.workspaceId, campaignId)
  if (!campaign) return undefined
  const banner = await prepareCampaign(db, context, fields, campaign).shownTo(emailId)
  return {
    banners: banner ? [banner] : [],
    fill: id => (id === undefined || id.toLowerCase() === campaign.id ? banner : null),
  }
}

async function chooseBanners(
  campaigns: readonly LiveCampaign[],
  viewer: BannerViewer,
  namedCampaignIds: ReadonlySet<string>,
): Promise<BannerChoice> {
  const slice = new TimeSlice()
  const bannerById = new Map<string, ChosenBanner | null>()
  let defaultBanner: ChosenBanner | null | undefined
  for (const campaign of campaigns) {
    if (defaultBanner !== undefined && !namedCampaignIds.has(campaign.id)) continue
    if (!(await campaign.appliesTo(viewer, slice))) continue
    const banner = await campaign.shownTo(viewer.emailId)
    if (defaultBanner === undefined) defaultBanner = banner
    bannerById.set(campaign.id, banner)
  }
  return {
    banners: [...bannerById.values()].filter(banner => banner !== null),
    fill: id => (id === undefined ? defaultBanner : bannerById.get(id.toLowerCase())) ?? null,
  }
}

type TargetingTest = (viewer: BannerViewer, slice: TimeSlice) => boolean | Promise<boolean>

/** Returns a test whether a campaign targets a signature and a person. */
export function compileTargeting({
  signature_template_ids,
  smart_fields_conditions,
}: Pick<RunningCampaign, 'signature_template_ids' | 'smart_fields_conditions'>): TargetingTest {
  const signatures = new Set(signature_template_ids)
  const matchesConditions = compileConditions(smart_fields_conditions)
  return ({ signatureId, person }, slice) => {
    if (signatures.size > 0 && (signatureId === null || !signatures.has(signatureId))) return false
    if (smart_fields_conditions.length === 0) return true
    return (
      person !== null && matchesConditions(field => comparisonKey(comparedValue(person[field] ?? '')), slice)
    )
  }
}

function prepareCampaign(
  db: Db,
  context: BannerContext,
  fields: readonly SmartField[],
  campaign: RunningCampaign,
): LiveCampaign {
  const { id, variants } = campaign
  const contents = memoize(() => bannerContents(db, context.workspaceId, id))
  const compileVariant = async (content: Content | null, variantId: string | null) =>
    content && compileBanner(db, context, fields, { id, variantId, content })
  if (variants.length === 0) {
    // A campaign without content is live but shows nothing.
    const onlyBanner = memoize(async () => compileVariant((await contents()).content, null))
    const all = async () => [await onlyBanner()].filter(banner => banner !== null)
    return { id, appliesTo: compileTargeting(campaign), all, shownTo: onlyBanner }
  }
  const weightedBanners = variants.map(({ id: variantId, weight }) => ({
    id: variantId,
    weight,
    banner: memoize(async () => {
      const stored = (await contents()).variants.find(variant => variant.id === variantId)
      return compileVariant(stored?.content ?? null, variantId)
    }),
  }))
  return {
    id,
    appliesTo: compileTargeting(campaign),
    async all() {
      const banners: ChosenBanner[] = []
      for (const { banner } of weightedBanners)
        banners.push(...[await banner()].filter(compiled => compiled !== null))
      return banners
    },
    async shownTo(emailId) {
      const variant = emailId === null ? weightedBanners[0] : assignVariant(id, emailId, weightedBanners)
      return (await variant?.banner()) ?? null
    },
  }
}

async function compileBanner(
  db: Db,
  { workspaceId, publicUrl }: BannerContext,
  fields: readonly SmartField[],
  { id, variantId, content }: Pick<ChosenBanner, 'id' | 'variantId' | 'content'>,
): Promise<ChosenBanner> {
  const surroundings = await surroundingsOf(db, workspaceId, publicUrl, fields, referencesOf(content))
  await yieldToEventLoop()
  const template = compile(content, surroundings)
  return {
    id,
    variantId,
    content,
    template,
    identity: () => inputsKeyOf(content, surroundings, template, fields),
  }
}

/** Calls `compute` once and returns the same promise every time. */
function memoize<T>(compute: () => Promise<T>): () => Promise<T> {
  let cached: Promise<T> | undefined
  return () => {
    cached ??= compute()
    return cached
  }
}

/** A running campaign, without its compiled banner: clients that render by themselves ask for it. */
export interface RunningBanner {
  readonly campaign_id: string
  /** Null when the campaign has no variants, or none that is shown. */
  readonly variant_id: string | null
}

/** The campaign that started last is first: marketing blocks that name no campaign show it. */
export async function runningBanners(
  db: Db,
  workspaceId: string,
  viewer: BannerViewer,
): Promise<readonly RunningBanner[]> {
  const slice = new TimeSlice()
  const running: RunningBanner[] = []
  for (const campaign of await liveCampaigns(db, workspaceId, null)) {
    if (!(await compileTargeting(campaign)(viewer, slice))) continue
    const { id, variants } = campaign
    const variant = viewer.emailId === null ? variants[0] : assignVariant(id, viewer.emailId, variants)
    running.push({ campaign_id: id, variant_id: variant?.id ?? null })
  }
  return running
}
