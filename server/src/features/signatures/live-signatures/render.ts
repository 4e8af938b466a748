// Renders the live signature of an address: the published signature or variant, filled in with the person's values,
// with the banner of the running campaign. Every part that shows or installs a live signature uses this renderer, so
// their output is identical to the byte.

import { hash } from 'node:crypto'
import { compile, type Template } from '@signoff/render'
import type { ContactCards, WorkspaceCards } from '#features/content/contact-cards/index.ts'
import { createContactCards } from '#features/content/contact-cards/index.ts'
import {
  inputsKeyOf,
  type PersonAtAddress,
  peopleAt,
  referencesOf,
  rowVersionsAt,
  surroundingsOf,
} from '#features/content/content/index.ts'
import type { LinkSet, Tracking } from '#features/measurement/tracking/index.ts'
import { createTracking } from '#features/measurement/tracking/index.ts'
import { type Banners, bannersOf, noBanners } from '#features/signatures/campaigns/index.ts'
import type { VariantKind } from '#features/signatures/signatures/index.ts'
import { type SmartField, smartFieldsOf } from '#features/workspace/smart-fields/index.ts'
import { TimeSlice, yieldToEventLoop } from '#kernel/base/time-slice.ts'
import type { Db } from '#kernel/db/db.ts'
import { openTracking, type TrackedWorkspaceLinks, trackedFill, trackingInputsKey } from './link-tracking.ts'
import { publishedContent } from './queries.ts'

/** The part of the configuration that the renderer needs. */
export interface RenderDeps {
  readonly publicUrl: string
  readonly cards: ContactCards
  /** Null: views and clicks are not tracked. */
  readonly tracking: Tracking | null
}

export interface RenderContext extends RenderDeps {
  readonly workspaceId: string
}

/** A signature and an address. `variant` renders that variant instead of the main signature. */
interface RenderRequest {
  readonly emailId: string
  readonly signatureId: string
  readonly variant: VariantKind | null
}

/** One of the forms that the signature of an address has. */
export type FormRequest = Pick<RenderRequest, 'signatureId' | 'variant'>

export interface LiveSignature extends RenderRequest, Pick<PersonAtAddress, 'address' | 'primaryAddress'> {
  readonly html: string
  readonly text: string
  readonly warnings: Template['warnings']
  /** The campaign whose banner is in the signature. */
  readonly campaignId: string | null
  /** Identifies everything the output depends on: an equal key means an equal output. */
  readonly renderKey: () => Promise<string>
}

/** Renders current signatures of a workspace. Each signature is compiled once and used for many people. */
export interface LiveRenderer {
  /** Signatures by email id. An address has no entry when nothing is published or the address was deleted. */
  render(requests: readonly RenderRequest[]): Promise<Map<string, LiveSignature>>
  /** The render keys alone, by email id. Much cheaper than rendering. */
  renderKeysOf(requests: readonly RenderRequest[]): Promise<Map<string, string>>
  /** Several forms for one address, in their order, by one read. Undefined: not published, or the address was deleted. */
  renderForms(emailId: string, forms: readonly FormRequest[]): Promise<(LiveSignature | undefined)[]>
  /** The render keys of `renderForms`. */
  formKeysOf(emailId: string, forms: readonly FormRequest[]): Promise<(string | undefined)[]>
}

interface RenderInputs {
  readonly context: RenderContext
  readonly fields: readonly SmartField[]
  readonly banners: Banners
  readonly tracked: TrackedWorkspaceLinks | null
  readonly cards: WorkspaceCards
}

interface CompiledSignature {
  readonly template: Template
  readonly showsCampaigns: boolean
  readonly links: LinkSet | undefined
  /** Ids of the campaigns that marketing blocks in the content name. */
  readonly namedCampaigns: readonly string[]
  readonly inputsKey: () => Promise<string>
}

/** `at`: use the banners of this moment instead of now. */
export async function openRenderer(
  db: Db,
  context: RenderContext,
  at: Date | null = null,
): Promise<LiveRenderer> {
  const { workspaceId } = context
  const fields = await smartFieldsOf(db, workspaceId)
  const banners = await bannersOf(db, context, fields, at)
  const inputs: RenderInputs = {
    context,
    fields,
    banners,
    tracked: await openTracking(db, workspaceId, context.tracking),
    cards: await context.cards.of(db, workspaceId, fields),
  }
  const compiledByKey = new Map<string, CompiledSignature | null>()
  const compiledOf = async (request: RenderRequest): Promise<CompiledSignature | null> => {
    const key = `${request.signatureId} ${request.variant}`
    const cached = compiledByKey.get(key)
    if (cached !== undefined) return cached
    const compiled = await compileSignature(db, inputs, request)
    compiledByKey.set(key, compiled)
    return compiled
  }
  return {
    async render(requests) {
      const rendered = new Map<string, LiveSignature>()
      if (requests.length === 0) return rendered
      const people = await peopleAt(db, workspaceId, emailsOf(requests), fields)
      await yieldToEventLoop()
      const slice = new TimeSlice()
      for (const request of requests) {
        await slice.pause()
        const compiled = await compiledOf(request)
        const recipient = people.get(request.emailId)
        if (compiled && recipient)
          rendered.set(request.emailId, await renderFor(inputs, compiled, request, recipient))
      }
      return rendered
    },
    async renderKeysOf(requests) {
      const keys = new Map<string, string>()
      const rowVersions = await rowVersionsAt(db, workspaceId, emailsOf(requests))
      for (const request of requests) {
        const compiled = await compiledOf(request)
        const rowVersion = rowVersions.get(request.emailId)
        if (compiled && rowVersion !== undefined)
          keys.set(request.emailId, await renderKeyOf(compiled, rowVersion))
      }
      return keys
    },
    async renderForms(emailId, forms) {
      const recipient = (await peopleAt(db, workspaceId, [emailId], fields)).get(emailId)
      const rendered: (LiveSignature | undefined)[] = []
      for (const form of forms) {
        const request = { ...form, emailId }
        const compiled = recipient && (await compiledOf(request))
        rendered.push(compiled ? await renderFor(inputs, compiled, request, recipient) : undefined)
      }
      return rendered
    },
    async formKeysOf(emailId, forms) {
      const rowVersion = (await rowVersionsAt(db, workspaceId, [emailId])).get(emailId)
      const keys: (string | undefined)[] = []
      for (const form of forms) {
        const compiled = rowVersion === undefined ? null : await compiledOf({ ...form, emailId })
        keys.push(compiled && rowVersion !== undefined ? await renderKeyOf(compiled, rowVersion) : undefined)
      }
      return keys
    },
  }
}

const emailsOf = (requests: readonly RenderRequest[]): string[] => requests.map(request => request.emailId)
const renderKeyOf = async ({ inputsKey }: CompiledSignature, rowVersion: string): Promise<string> =>
  `${await inputsKey()} ${rowVersion}`

async function renderFor(
  { banners, tracked, cards }: RenderInputs,
  compiled: CompiledSignature,
  request: RenderRequest,
  recipient: PersonAtAddress,
): Promise<LiveSignature> {
  const { address, primaryAddress, person, number, rowVersion } = recipient
  const choice = compiled.showsCampaigns
    ? await banners.choiceFor({ ...request, person }, compiled.namedCampaigns)
    : noBanners
  const fill = await trackedFill(tracked, compiled.links, number, choice)
  const hooks = { ...fill, ...cards.hooksFor(number, person) }
  const { html, text, warnings, drawnCampaigns } = compiled.template.render(person, hooks)
  const campaignId = drawnCampaigns[0]?.id ?? null
  return {
    ...request,
    address,
    primaryAddress,
    html,
    text,
    warnings,
    campaignId,
    renderKey: () => renderKeyOf(compiled, rowVersion),
  }
}

async function compileSignature(
  db: Db,
  { context, fields, banners, tracked, cards }: RenderInputs,
  { signatureId, variant }: RenderRequest,
): Promise<CompiledSignature | null> {
  const { workspaceId, publicUrl } = context
  const published = await publishedContent(db, workspaceId, signatureId, variant)
  if (!published?.content) return null
  const { content, shows_campaigns: showsCampaigns } = published
  const references = referencesOf(content)
  const surroundings = await surroundingsOf(db, workspaceId, publicUrl, fields, references)
  await yieldToEventLoop()
  const template = compile(content, surroundings)
  const holder = { kind: variant ? 'variant' : 'signature', signatureId, variant } as const
  const links = await tracked?.tracker.linkSetOf(db, holder, content)
  return {
    template,
    showsCampaigns,
    links,
    namedCampaigns: references
      .filter(reference => reference.kind === 'campaign')
      .map(reference => reference.id.toLowerCase()),
    inputsKey: memoize(async () => {
      const contentKey = inputsKeyOf(content, surroundings, template, fields)
      const bannersKey = showsCampaigns && (await banners.identity())
      const trackingKey = await trackingInputsKey(tracked, links, banners)
      return hash(
        'sha256',
        JSON.stringify([signatureId, variant, contentKey, bannersKey, trackingKey, cards.inputsKey]),
        'base64url',
      )
    }),
  }
}

function memoize<T>(compute: () => T): () => T {
  let result: { readonly value: T } | undefined
  return () => {
    result ??= { value: compute() }
    return result.value
  }
}

export const renderOne = async (
  db: Db,
  context: RenderContext,
  request: RenderRequest,
  at: Date | null = null,
): Promise<LiveSignature | undefined> =>
  (await (await openRenderer(db, context, at)).render([request])).get(request.emailId)

/** Makes the dependencies of rendering for mailboxes: with tracked links and contact cards. */
export const renderDepsOf = (deps: Parameters<typeof createTracking>[0]): RenderDeps => ({
  publicUrl: deps.publicUrl,
  cards: createContactCards(deps),
  tracking: createTracking(deps),
})
