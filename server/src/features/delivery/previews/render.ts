// Renders content as an installation does, with the campaign that runs for the address, but without tracking. The
// installed size comes from a second rendering with links of the tracked length.
import { type Content, type ContentReference, compile, type Person } from '@signoff/render'
import {
  type DrawnPreview,
  peopleAt,
  placeholderPerson,
  surroundingsOf,
  toPreview,
} from '#features/content/content/index.ts'
import {
  type BannerChoice,
  bannersOf,
  noBanners,
  onlyBannerOf,
} from '#features/signatures/campaigns/index.ts'
import {
  openSampleTracking,
  type RenderContext,
  trackedFill,
} from '#features/signatures/live-signatures/index.ts'
import { type SmartField, smartFieldsOf } from '#features/workspace/smart-fields/index.ts'
import { invalid } from '#kernel/base/errors.ts'
import { yieldToEventLoop } from '#kernel/base/time-slice.ts'
import type { Db } from '#kernel/db/db.ts'

/** The content to show, and its address. */
interface PreviewedContent {
  readonly content: Content
  readonly references: readonly ContentReference[]
  /** Null: the content belongs to no signature. */
  readonly signatureId: string | null
  /** The address whose values are used; undefined for placeholders. */
  readonly emailId: string | undefined
  /** The id of a campaign, or `none`; undefined for the campaign that runs. */
  readonly campaign: string | undefined
  /** Replaces values of the address. */
  readonly values?: Person
}

export interface SizedPreview extends DrawnPreview {
  readonly installed_bytes: number
}

interface PreviewedPerson {
  readonly person: Person
  /** The number in tracked links and contact cards; null for placeholders. */
  readonly number: number | null
}

/** Throws `unknown_reference` for an unknown address or campaign. */
export async function renderAsSent(
  db: Db,
  context: RenderContext,
  previewed: PreviewedContent,
): Promise<SizedPreview> {
  const { workspaceId, publicUrl, tracking, cards } = context
  const { content, references } = previewed
  const fields = await smartFieldsOf(db, workspaceId)
  const { person, number } = await personOf(db, context, fields, previewed)
  const choice = await choiceOf(db, context, fields, previewed, person)
  const surroundings = await surroundingsOf(db, workspaceId, publicUrl, fields, references)
  const cardHooks = (await cards.of(db, workspaceId, fields)).hooksFor(number, person)
  const sample = await openSampleTracking(db, workspaceId, tracking)
  await yieldToEventLoop()
  const template = compile(content, surroundings)
  const fill = await trackedFill(sample, sample?.linksIn(content), number ?? 0, choice)
  await yieldToEventLoop()
  const installed = template.render(person, { ...fill, ...cardHooks })
  await yieldToEventLoop()
  const { html, text } = template.render(person, { ...cardHooks, campaign: choice.fill })
  // A warning about the length is about what mailboxes get.
  const preview = toPreview({ html, text, warnings: installed.warnings })
  return { ...preview, installed_bytes: Buffer.byteLength(installed.html) }
}

async function personOf(
  db: Db,
  { workspaceId, publicUrl }: RenderContext,
  fields: readonly SmartField[],
  { emailId, values }: PreviewedContent,
): Promise<PreviewedPerson> {
  if (emailId === undefined) return { person: placeholderPerson(fields, publicUrl), number: null }
  const recipient = (await peopleAt(db, workspaceId, [emailId], fields)).get(emailId.toLowerCase())
  if (!recipient) throw invalid('email_id', 'unknown_reference')
  return { ...recipient, person: { ...recipient.person, ...values } }
}

async function choiceOf(
  db: Db,
  context: RenderContext,
  fields: readonly SmartField[],
  { references, signatureId, emailId, campaign }: PreviewedContent,
  person: Person,
): Promise<BannerChoice> {
  const viewer = { emailId: emailId?.toLowerCase() ?? null, signatureId, person: emailId ? person : null }
  if (campaign === 'none') return noBanners
  if (campaign !== undefined) {
    const choice = await onlyBannerOf(db, context, fields, campaign, viewer.emailId)
    if (!choice) throw invalid('campaign', 'unknown_reference')
    return choice
  }
  const namedCampaigns = references
    .filter(reference => reference.kind === 'campaign')
    .map(reference => reference.id.toLowerCase())
  const banners = await bannersOf(db, context, fields)
  return banners.choiceFor(viewer, namedCampaigns)
}
