// What an address's mail carries now: its signature or variant, filled in, with the banner of whichever campaign runs.
// Everything that shows or installs a live signature asks here, so that all agree to the byte.

import { hash } from 'node:crypto'
import { compile, type Template } from '@signoff/render'
import { type BannerChoice, type Banners, bannersOf } from '#features/campaigns/index.ts'
import {
  type Addressed,
  identityOf,
  peopleAt,
  referencesOf,
  revisionsAt,
  surroundingsOf,
} from '#features/content/index.ts'
import type { VariantKind } from '#features/signatures/index.ts'
import { type SmartField, smartFieldsOf } from '#features/smart-fields/index.ts'
import type { Source, Tracking } from '#features/tracking/index.ts'
import type { Db } from '#kernel/db.ts'
import { fairTurn, TimeSlice } from '#kernel/time-slice.ts'
import { publishedContent } from './queries.ts'
import { counting, identityOfCounting, type Tracked, track } from './tracking-links.ts'

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
  /** What it was drawn from: while that is the same, so is the drawing. */
  readonly origin: () => Promise<string>
}

/** Signatures of a workspace as they are now, made ready for any number of people. */
export interface LiveDrawing {
  /** Of each address the one that is wanted; where nothing is published, or the address is gone, there is none. */
  draw(wanted: readonly Wanted[]): Promise<Map<string, LiveSignature>>
  /** The origins alone, which takes much less than drawing. */
  originsOf(wanted: readonly Wanted[]): Promise<Map<string, string>>
}

interface Drawer {
  readonly place: Place
  readonly fields: readonly SmartField[]
  readonly banners: Banners
  readonly tracked: Tracked | null
}

interface Prepared {
  readonly template: Template
  readonly showsCampaigns: boolean
  readonly source: Source | undefined
  /** The campaigns that its content names. */
  readonly named: readonly string[]
  readonly identity: () => Promise<string>
}

const noBanner: BannerChoice = { banners: [], fill: () => null }

/** `at` asks for the banners of another moment. */
export async function openDrawing(db: Db, place: Place, at: Date | null = null): Promise<LiveDrawing> {
  const { workspaceId } = place
  const fields = await smartFieldsOf(db, workspaceId)
  const banners = await bannersOf(db, place, fields, at)
  const drawer: Drawer = {
    place,
    fields,
    banners,
    tracked: await track(db, workspaceId, place.tracking),
  }
  const prepared = new Map<string, Prepared | null>()
  const readyFor = async (one: Wanted): Promise<Prepared | null> => {
    const name = `${one.signatureId} ${one.variant}`
    const known = prepared.get(name)
    if (known !== undefined) return known
    const ready = await prepare(db, drawer, one)
    prepared.set(name, ready)
    return ready
  }
  return {
    async draw(wanted) {
      const drawn = new Map<string, LiveSignature>()
      if (wanted.length === 0) return drawn
      const people = await peopleAt(db, workspaceId, emailsOf(wanted), fields)
      await fairTurn()
      const slice = new TimeSlice()
      for (const one of wanted) {
        await slice.pause()
        const ready = await readyFor(one)
        const someone = people.get(one.emailId)
        if (ready && someone) drawn.set(one.emailId, await drawFor(drawer, ready, one, someone))
      }
      return drawn
    },
    async originsOf(wanted) {
      const origins = new Map<string, string>()
      const revisions = await revisionsAt(db, workspaceId, emailsOf(wanted))
      for (const one of wanted) {
        const ready = await readyFor(one)
        const revision = revisions.get(one.emailId)
        if (ready && revision !== undefined) origins.set(one.emailId, await originOf(ready, revision))
      }
      return origins
    },
  }
}

const emailsOf = (wanted: readonly Wanted[]): string[] => wanted.map(one => one.emailId)
const originOf = async ({ identity }: Prepared, revision: string): Promise<string> =>
  `${await identity()} ${revision}`

async function drawFor(
  { banners, tracked }: Drawer,
  ready: Prepared,
  one: Wanted,
  someone: Addressed,
): Promise<LiveSignature> {
  const { address, primaryAddress, person, number, revision } = someone
  const choice = ready.showsCampaigns ? await banners.choiceFor({ ...one, person }, ready.named) : noBanner
  const fill = await counting(tracked, ready.source, number, choice)
  const { html, text, warnings, shown } = ready.template.render(person, fill)
  const campaignId = shown[0]?.id ?? null
  return {
    ...one,
    address,
    primaryAddress,
    html,
    text,
    warnings,
    campaignId,
    origin: () => originOf(ready, revision),
  }
}

async function prepare(
  db: Db,
  { place, fields, banners, tracked }: Drawer,
  { signatureId, variant }: Wanted,
): Promise<Prepared | null> {
  const { workspaceId, publicUrl } = place
  const published = await publishedContent(db, workspaceId, signatureId, variant)
  if (!published?.content) return null
  const { content, shows_campaigns: showsCampaigns } = published
  const references = referencesOf(content)
  const surroundings = await surroundingsOf(db, workspaceId, publicUrl, fields, references)
  await fairTurn()
  const template = compile(content, surroundings)
  const holder = { kind: variant ? 'variant' : 'signature', signatureId, variant } as const
  const source = await tracked?.tracker.source(db, holder, content)
  return {
    template,
    showsCampaigns,
    source,
    named: references.filter(one => one.kind === 'campaign').map(one => one.id.toLowerCase()),
    identity: once(async () => {
      const own = identityOf(content, surroundings, template, fields)
      const shown = showsCampaigns && (await banners.identity())
      const counted = await identityOfCounting(tracked, source, banners)
      return hash('sha256', JSON.stringify([signatureId, variant, own, shown, counted]), 'base64url')
    }),
  }
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

export async function drawLiveOne(
  db: Db,
  place: Place,
  wanted: Wanted,
  at: Date | null = null,
): Promise<LiveSignature | undefined> {
  return (await (await openDrawing(db, place, at)).draw([wanted])).get(wanted.emailId)
}
