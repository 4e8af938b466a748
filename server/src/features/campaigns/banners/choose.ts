// Which banner a signature shows: of the campaigns that are live and for this address, the one that started last.
import {
  type RenderedCampaign as Banner,
  type Content,
  compile,
  type Fill,
  type Person,
} from '@signoff/render'
import { inputsKeyOf, referencesOf, surroundingsOf } from '#features/content/index.ts'
import { compileConditions } from '#features/recipients/index.ts'
import type { SmartField } from '#features/smart-fields/index.ts'
import type { Db } from '#kernel/db.ts'
import { comparisonKey } from '#kernel/text.ts'
import { TimeSlice, yieldToEventLoop } from '#kernel/time-slice.ts'
import { bannerContents, liveCampaigns, type RunningCampaign } from '../queries.ts'
import { assignVariant } from './assign-variant.ts'

/** Whose signature is drawn. */
export interface BannerViewer {
  readonly emailId: string
  readonly signatureId: string
  readonly person: Person
}

/** A banner as it is drawn; `variantId` tells which of several. */
export interface ChosenBanner extends Banner {
  readonly variantId: string | null
  readonly content: Content
  readonly identity: () => string
}

/** What an address's signature may show. */
export interface BannerChoice {
  readonly banners: readonly ChosenBanner[]
  /** For its marketing blocks. */
  readonly fill: NonNullable<Fill['campaign']>
}

export interface Banners {
  /** Every one that may be drawn. Each is compiled when it is first needed: one person needs one or two of them. */
  all(): Promise<readonly ChosenBanner[]>
  /** Another one when others are shown, or to others. */
  identity(): Promise<string>
  /** `named` are the campaigns that the signature's content names. */
  choiceFor(bearer: BannerViewer, named: readonly string[]): Promise<BannerChoice>
}

interface Place {
  readonly workspaceId: string
  readonly publicUrl: string
}

interface LiveCampaign {
  readonly id: string
  readonly appliesTo: AppliesTo
  readonly all: () => Promise<readonly ChosenBanner[]>
  readonly shownTo: (emailId: string) => Promise<ChosenBanner | null>
}

const none: BannerChoice = { banners: [], fill: () => null }

/** The campaigns of a workspace that are live, or are at the given moment, made ready for any number of people. */
export async function bannersOf(
  db: Db,
  place: Place,
  fields: readonly SmartField[],
  at: Date | null = null,
): Promise<Banners> {
  const live = await liveCampaigns(db, place.workspaceId, at)
  const campaigns = live.map(campaign => prepare(db, place, fields, campaign))
  const all = once(async () => {
    const banners: ChosenBanner[] = []
    for (const campaign of campaigns) banners.push(...(await campaign.all()))
    return banners
  })
  return {
    all,
    identity: once(async () => JSON.stringify([live, (await all()).map(banner => banner.identity())])),
    choiceFor: async (bearer, named) =>
      campaigns.length === 0 ? none : choose(campaigns, bearer, new Set(named)),
  }
}

async function choose(
  campaigns: readonly LiveCampaign[],
  bearer: BannerViewer,
  named: ReadonlySet<string>,
): Promise<BannerChoice> {
  const slice = new TimeSlice()
  const shown = new Map<string, ChosenBanner | null>()
  let first: ChosenBanner | null | undefined
  for (const campaign of campaigns) {
    if (first !== undefined && !named.has(campaign.id)) continue
    if (!(await campaign.appliesTo(bearer, slice))) continue
    const banner = await campaign.shownTo(bearer.emailId)
    if (first === undefined) first = banner
    shown.set(campaign.id, banner)
  }
  return {
    banners: [...shown.values()].filter(banner => banner !== null),
    fill: id => (id === undefined ? first : shown.get(id.toLowerCase())) ?? null,
  }
}

type AppliesTo = (bearer: BannerViewer, slice: TimeSlice) => boolean | Promise<boolean>

/** Whether a campaign is for this signature and this person. */
export function compileTargeting({
  signature_template_ids,
  smart_fields_conditions,
}: Pick<RunningCampaign, 'signature_template_ids' | 'smart_fields_conditions'>): AppliesTo {
  const signatures = new Set(signature_template_ids)
  const test = compileConditions(smart_fields_conditions)
  return ({ signatureId, person }, slice) => {
    if (signatures.size > 0 && !signatures.has(signatureId)) return false
    return smart_fields_conditions.length === 0 || test(field => comparisonKey(person[field] ?? ''), slice)
  }
}

function prepare(
  db: Db,
  place: Place,
  fields: readonly SmartField[],
  campaign: RunningCampaign,
): LiveCampaign {
  const { id, variants } = campaign
  const contents = once(() => bannerContents(db, place.workspaceId, id))
  const compiled = async (content: Content | null, variantId: string | null) =>
    content && compileBanner(db, place, fields, { id, variantId, content })
  if (variants.length === 0) {
    // A campaign without content runs and shows nothing.
    const only = once(async () => compiled((await contents()).content, null))
    const all = async () => [await only()].filter(banner => banner !== null)
    return { id, appliesTo: compileTargeting(campaign), all, shownTo: only }
  }
  const each = variants.map(({ id: variantId, weight }) => ({
    id: variantId,
    weight,
    banner: once(async () => {
      const found = (await contents()).variants.find(variant => variant.id === variantId)
      return compiled(found?.content ?? null, variantId)
    }),
  }))
  return {
    id,
    appliesTo: compileTargeting(campaign),
    async all() {
      const banners: ChosenBanner[] = []
      for (const { banner } of each) banners.push(...[await banner()].filter(one => one !== null))
      return banners
    },
    shownTo: async emailId => (await assignVariant(id, emailId, each)?.banner()) ?? null,
  }
}

async function compileBanner(
  db: Db,
  { workspaceId, publicUrl }: Place,
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

/** The same promise every time. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}
