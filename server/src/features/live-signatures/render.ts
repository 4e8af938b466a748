// What an address's mail carries now: its signature or variant, filled in, with the banner of whichever campaign runs.
// Everything that shows or installs a live signature asks here, so that all agree to the byte.

import { hash } from 'node:crypto'
import { compile, type Template } from '@signoff/render'
import { type BannerChoice, type Banners, bannersOf } from '#features/campaigns/index.ts'
import {
  inputsKeyOf,
  type PersonAtAddress,
  peopleAt,
  referencesOf,
  rowVersionsAt,
  surroundingsOf,
} from '#features/content/index.ts'
import type { VariantKind } from '#features/signatures/index.ts'
import { type SmartField, smartFieldsOf } from '#features/smart-fields/index.ts'
import type { LinkSet, Tracking } from '#features/tracking/index.ts'
import type { Db } from '#kernel/db.ts'
import { TimeSlice, yieldToEventLoop } from '#kernel/time-slice.ts'
import { publishedContent } from './queries.ts'
import { openTracking, type TrackedWorkspaceLinks, trackedFill, trackingInputsKey } from './tracking-links.ts'

/** How signatures are drawn. */
export interface RenderDeps {
  readonly publicUrl: string
  /** Null: nothing counts. */
  readonly tracking: Tracking | null
}

export interface RenderContext extends RenderDeps {
  readonly workspaceId: string
}

/** Which signature of which address; a variant in the place of the signature itself. */
export interface RenderRequest {
  readonly emailId: string
  readonly signatureId: string
  readonly variant: VariantKind | null
}

export interface LiveSignature extends RenderRequest, Pick<PersonAtAddress, 'address' | 'primaryAddress'> {
  readonly html: string
  readonly text: string
  readonly warnings: Template['warnings']
  /** Whose banner it shows. */
  readonly campaignId: string | null
  /** What it was drawn from: while that is the same, so is the drawing. */
  readonly renderKey: () => Promise<string>
}

/** Signatures of a workspace as they are now, made ready for any number of people. */
export interface LiveRenderer {
  /** Of each address the one that is wanted; where nothing is published, or the address is gone, there is none. */
  render(wanted: readonly RenderRequest[]): Promise<Map<string, LiveSignature>>
  /** The origins alone, which takes much less than drawing. */
  renderKeysOf(wanted: readonly RenderRequest[]): Promise<Map<string, string>>
}

interface Drawer {
  readonly place: RenderContext
  readonly fields: readonly SmartField[]
  readonly banners: Banners
  readonly tracked: TrackedWorkspaceLinks | null
}

interface Prepared {
  readonly template: Template
  readonly showsCampaigns: boolean
  readonly source: LinkSet | undefined
  /** The campaigns that its content names. */
  readonly named: readonly string[]
  readonly identity: () => Promise<string>
}

const noBanner: BannerChoice = { banners: [], fill: () => null }

/** `at` asks for the banners of another moment. */
export async function openRenderer(
  db: Db,
  place: RenderContext,
  at: Date | null = null,
): Promise<LiveRenderer> {
  const { workspaceId } = place
  const fields = await smartFieldsOf(db, workspaceId)
  const banners = await bannersOf(db, place, fields, at)
  const drawer: Drawer = {
    place,
    fields,
    banners,
    tracked: await openTracking(db, workspaceId, place.tracking),
  }
  const prepared = new Map<string, Prepared | null>()
  const readyFor = async (one: RenderRequest): Promise<Prepared | null> => {
    const name = `${one.signatureId} ${one.variant}`
    const known = prepared.get(name)
    if (known !== undefined) return known
    const ready = await prepare(db, drawer, one)
    prepared.set(name, ready)
    return ready
  }
  return {
    async render(wanted) {
      const drawn = new Map<string, LiveSignature>()
      if (wanted.length === 0) return drawn
      const people = await peopleAt(db, workspaceId, emailsOf(wanted), fields)
      await yieldToEventLoop()
      const slice = new TimeSlice()
      for (const one of wanted) {
        await slice.pause()
        const ready = await readyFor(one)
        const someone = people.get(one.emailId)
        if (ready && someone) drawn.set(one.emailId, await drawFor(drawer, ready, one, someone))
      }
      return drawn
    },
    async renderKeysOf(wanted) {
      const origins = new Map<string, string>()
      const revisions = await rowVersionsAt(db, workspaceId, emailsOf(wanted))
      for (const one of wanted) {
        const ready = await readyFor(one)
        const revision = revisions.get(one.emailId)
        if (ready && revision !== undefined) origins.set(one.emailId, await renderKeyOf(ready, revision))
      }
      return origins
    },
  }
}

const emailsOf = (wanted: readonly RenderRequest[]): string[] => wanted.map(one => one.emailId)
const renderKeyOf = async ({ identity }: Prepared, revision: string): Promise<string> =>
  `${await identity()} ${revision}`

async function drawFor(
  { banners, tracked }: Drawer,
  ready: Prepared,
  one: RenderRequest,
  someone: PersonAtAddress,
): Promise<LiveSignature> {
  const { address, primaryAddress, person, number, revision } = someone
  const choice = ready.showsCampaigns ? await banners.choiceFor({ ...one, person }, ready.named) : noBanner
  const fill = await trackedFill(tracked, ready.source, number, choice)
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
    renderKey: () => renderKeyOf(ready, revision),
  }
}

async function prepare(
  db: Db,
  { place, fields, banners, tracked }: Drawer,
  { signatureId, variant }: RenderRequest,
): Promise<Prepared | null> {
  const { workspaceId, publicUrl } = place
  const published = await publishedContent(db, workspaceId, signatureId, variant)
  if (!published?.content) return null
  const { content, shows_campaigns: showsCampaigns } = published
  const references = referencesOf(content)
  const surroundings = await surroundingsOf(db, workspaceId, publicUrl, fields, references)
  await yieldToEventLoop()
  const template = compile(content, surroundings)
  const holder = { kind: variant ? 'variant' : 'signature', signatureId, variant } as const
  const source = await tracked?.tracker.linkSetOf(db, holder, content)
  return {
    template,
    showsCampaigns,
    source,
    named: references.filter(one => one.kind === 'campaign').map(one => one.id.toLowerCase()),
    identity: once(async () => {
      const own = inputsKeyOf(content, surroundings, template, fields)
      const shown = showsCampaigns && (await banners.identity())
      const counted = await trackingInputsKey(tracked, source, banners)
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

export async function renderOne(
  db: Db,
  place: RenderContext,
  wanted: RenderRequest,
  at: Date | null = null,
): Promise<LiveSignature | undefined> {
  return (await (await openRenderer(db, place, at)).render([wanted])).get(wanted.emailId)
}
