// What an address's mail carries now: its signature or variant, filled in, with the banner of whichever campaign runs.
// Everything that shows or installs a live signature asks here, so that all agree to the byte.
import { type Campaign, compile, type Template } from '@signoff/render'
import type { Db } from '../../kernel/db.ts'
import { type Banners, bannersOf } from '../campaigns/index.ts'
import { type Addressed, peopleAt, referencesOf, surroundingsOf } from '../content/index.ts'
import type { VariantKind } from '../signatures/index.ts'
import { type SmartField, smartFieldsOf } from '../smart-fields/index.ts'
import { publishedContent } from './queries.ts'

export interface Place {
  readonly workspaceId: string
  readonly publicUrl: string
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
}

interface Prepared {
  readonly template: Template
  readonly showsCampaigns: boolean
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
  const drawer: Drawer = { place, fields, banners: await bannersOf(db, place, fields, at) }
  const prepared = new Map<string, Prepared | null>()
  const drawn = new Map<string, LiveSignature>()
  for (const one of wanted) {
    const name = `${one.signatureId} ${one.variant}`
    if (!prepared.has(name)) prepared.set(name, await prepare(db, drawer, one))
    const ready = prepared.get(name)
    const someone = people.get(one.emailId)
    if (!ready || !someone) continue
    const { address, primaryAddress, person } = someone
    const campaign = ready.showsCampaigns ? drawer.banners.fillFor({ ...one, person }) : noBanner
    const { html, text, warnings, shown } = ready.template.render(person, { campaign })
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

async function prepare(
  db: Db,
  { place, fields }: Drawer,
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
