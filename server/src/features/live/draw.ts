// What an address's mail carries now: its signature or variant, filled in, with the banner of whichever campaign runs.
// Everything that shows or installs a live signature asks here, so that all agree to the byte.
import { type Campaign, compile, type Fill, type Template } from '@signoff/render'
import type { Db } from '../../kernel/db.ts'
import { type Banners, bannersOf } from '../campaigns/index.ts'
import { type Addressed, peopleAt, referencesOf, surroundingsOf } from '../content/index.ts'
import type { VariantKind } from '../signatures/index.ts'
import { type SmartField, smartFieldsOf } from '../smart-fields/index.ts'
import type { Source, Tracker, Tracking } from '../tracking/index.ts'
import { publishedContent } from './queries.ts'

/** How signatures are drawn. */
export interface Drawing {
  readonly publicUrl: string
  /** Null: nothing counts. */
  readonly tracking: Tracking | null
}

export interface Place extends Drawing {
  readonly workspaceId: string
}

/** Which signature of which address; a variant in the place of the signature itself. */
export interface Wanted {
  readonly emailId: string
  readonly signatureId: string
  readonly variant: VariantKind | null
}

export interface LiveSignature extends Wanted, Pick<Addressed, 'address' | 'primaryAddress'> {
  readonly html: string
  readonly text: string
  readonly warnings: Template['warnings']
  /** Whose banner it shows. */
  readonly campaignId: string | null
}

interface Drawer {
  readonly place: Place
  readonly fields: readonly SmartField[]
  readonly banners: Banners
  readonly tracked: Tracked | null
}

/** Where the workspace counts views and clicks. */
interface Tracked {
  readonly tracker: Tracker
  readonly banners: ReadonlyMap<Campaign, Source>
}

interface Prepared {
  readonly template: Template
  readonly showsCampaigns: boolean
  readonly source: Source | undefined
}

const noBanner = (): Campaign | null => null

/**
 * Of each address the one that is wanted; where nothing is published, or the address is gone, there is none. `at` asks
 * for the banners of another moment.
 */
export async function drawLive(
  db: Db,
  place: Place,
  wanted: readonly Wanted[],
  at: Date | null = null,
): Promise<Map<string, LiveSignature>> {
  if (wanted.length === 0) return new Map()
  const { workspaceId } = place
  const fields = await smartFieldsOf(db, workspaceId)
  const emailIds = wanted.map(one => one.emailId)
  const people = await peopleAt(db, workspaceId, emailIds, fields)
  const banners = await bannersOf(db, place, fields, at)
  const drawer: Drawer = { place, fields, banners, tracked: await track(db, place, banners) }
  const prepared = new Map<string, Prepared | null>()
  const drawn = new Map<string, LiveSignature>()
  for (const one of wanted) {
    const name = `${one.signatureId} ${one.variant}`
    if (!prepared.has(name)) prepared.set(name, await prepare(db, drawer, one))
    const ready = prepared.get(name)
    const someone = people.get(one.emailId)
    if (!ready || !someone) continue
    const { address, primaryAddress, person, number } = someone
    const campaign = ready.showsCampaigns ? banners.fillFor({ ...one, person }) : noBanner
    const fill = counting(drawer.tracked, ready.source, number, campaign)
    const { html, text, warnings, shown } = ready.template.render(person, fill)
    drawn.set(one.emailId, {
      ...one,
      address,
      primaryAddress,
      html,
      text,
      warnings,
      campaignId: shown[0]?.id ?? null,
    })
  }
  return drawn
}

async function track(db: Db, { workspaceId, tracking }: Place, { all }: Banners): Promise<Tracked | null> {
  const tracker = await tracking?.trackerOf(db, workspaceId)
  if (!tracker) return null
  const banners = new Map<Campaign, Source>()
  for (const banner of all) {
    const holder = { kind: 'campaign', campaignId: banner.id, campaignVariant: banner.variantId } as const
    banners.set(banner, await tracker.source(db, holder, banner.content))
  }
  return { tracker, banners }
}

/** For one person, for whom one of several banners of a campaign is drawn. */
function counting(
  tracked: Tracked | null,
  source: Source | undefined,
  emailNumber: number,
  campaign: NonNullable<Fill['campaign']>,
): Fill {
  if (!tracked || !source) return { campaign }
  const drawn = new Map<string, Source | undefined>()
  return {
    ...tracked.tracker.fillFor(emailNumber, source, id => drawn.get(id)),
    campaign(named) {
      const banner = campaign(named)
      if (banner) drawn.set(banner.id, tracked.banners.get(banner))
      return banner
    },
  }
}

async function prepare(
  db: Db,
  { place, fields, tracked }: Drawer,
  { signatureId, variant }: Wanted,
): Promise<Prepared | null> {
  const { workspaceId, publicUrl } = place
  const published = await publishedContent(db, workspaceId, signatureId, variant)
  if (!published?.content) return null
  const references = referencesOf(published.content)
  const surroundings = await surroundingsOf(db, workspaceId, publicUrl, fields, references)
  return {
    template: compile(published.content, surroundings),
    showsCampaigns: published.shows_campaigns,
    source: await tracked?.tracker.source(
      db,
      { kind: variant ? 'variant' : 'signature', signatureId, variant },
      published.content,
    ),
  }
}

export async function drawLiveOne(
  db: Db,
  place: Place,
  wanted: Wanted,
  at: Date | null = null,
): Promise<LiveSignature | undefined> {
  return (await drawLive(db, place, [wanted], at)).get(wanted.emailId)
}
