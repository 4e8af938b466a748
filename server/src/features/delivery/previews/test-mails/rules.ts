import type { Content } from '@signoff/render'
import { referencesOf } from '#features/content/content/index.ts'
import { senderNameOf } from '#features/content/mail-layout/index.ts'
import type { RenderContext, RenderDeps } from '#features/signatures/live-signatures/index.ts'
import { findSignature, findVariants, type StoredVariant } from '#features/signatures/signatures/index.ts'
import { findMember } from '#features/workspace/accounts/index.ts'
import type { Caller } from '#kernel/api/scopes.ts'
import { hour } from '#kernel/base/durations.ts'
import { apiError, detail, invalid, noMailServer, orNotFound, validationError } from '#kernel/base/errors.ts'
import type { Db } from '#kernel/db/db.ts'
import { enqueue } from '#kernel/db/jobs.ts'
import { comparisonKey } from '#kernel/db/text.ts'
import { renderAsSent } from '../render.ts'
import { composeTestMail, type ShownVariant, type TestMail } from './compose.ts'
import { testMail } from './jobs.ts'
import { addressesOfWorkspace, countRecentTestMails, recordTestMail } from './queries.ts'

const limit = 10

export interface TestMailDeps extends RenderDeps {
  /** True if a mail server is configured. */
  readonly sendsMail: boolean
}

interface TestMailRequest {
  readonly signatureId: string
  /** The address whose values are used; undefined for placeholders. */
  readonly emailId: string | undefined
  /** Undefined: the member who owns the API key. */
  readonly to: readonly string[] | undefined
  readonly campaign: string | undefined
}

/** Mails the draft, with its variants, to addresses of the workspace. Returns these addresses. */
export async function sendTestMail(
  db: Db,
  by: Caller,
  request: TestMailRequest,
  { sendsMail, ...rendering }: TestMailDeps,
): Promise<readonly string[]> {
  const { workspaceId, memberEmail } = by
  const context = { ...rendering, workspaceId }
  return db.transaction(async tx => {
    const signature = orNotFound(await findSignature(tx, workspaceId, request.signatureId))
    if (memberEmail === null) throw apiError('insufficient_role')
    if (!sendsMail) throw noMailServer()
    const draft = signature.draft_content ?? signature.content
    if (!draft) throw invalid('draft_content', 'blank')
    const addresses = await addressesFor(tx, workspaceId, request.to ?? [memberEmail])
    const render = renderer(tx, context, { ...request, signatureId: signature.id })
    const mail = composeTestMail({
      signatureName: signature.name,
      sender: { name: (await findMember(tx, workspaceId, memberEmail))?.name ?? '', email: memberEmail },
      signature: await render(draft, true),
      variants: await variantsToShow(tx, workspaceId, signature.id, render),
    })
    const fromName = await senderNameOf(tx, workspaceId)
    const now = new Date()
    await refuseBeyondLimit(tx, by, now, addresses.length)
    for (const to of addresses) {
      await recordTestMail(tx, by, signature.id, now)
      const sent: TestMail = { to, fromName, ...mail }
      await tx.query(enqueue(testMail, sent))
    }
    return addresses
  })
}

/** Each address once, as it is stored. */
async function addressesFor(
  tx: Db,
  workspaceId: string,
  sent: readonly string[],
): Promise<readonly string[]> {
  const keys = sent.map(comparisonKey)
  const addresses = await addressesOfWorkspace(tx, workspaceId, [...new Set(keys)])
  const unknown = keys.flatMap((key, index) =>
    addresses.has(key) ? [] : [detail(`to[${index}]`, 'unknown_reference')],
  )
  if (unknown.length > 0) throw validationError(unknown)
  return [...new Set(keys.map(key => addresses.get(key) ?? key))]
}

type RenderDraft = (
  content: Content,
  showsCampaigns: boolean,
) => Promise<{ readonly html: string; readonly text: string }>

const renderer =
  (tx: Db, context: RenderContext, { signatureId, emailId, campaign }: TestMailRequest): RenderDraft =>
  (content, showsCampaigns) =>
    renderAsSent(tx, context, {
      content,
      references: referencesOf(content),
      signatureId,
      emailId,
      campaign: showsCampaigns ? campaign : 'none',
    })

/** Variants that exist and have content, and those that hide the signature. */
async function variantsToShow(
  tx: Db,
  workspaceId: string,
  signatureId: string,
  render: RenderDraft,
): Promise<readonly ShownVariant[]> {
  const isReply = ({ kind }: StoredVariant) => kind === 'reply'
  const variants = (await findVariants(tx, workspaceId, signatureId)) ?? []
  const rendered: ShownVariant[] = []
  for (const variant of [...variants.filter(isReply), ...variants.filter(candidate => !isReply(candidate))]) {
    const { kind, activated: isActive, hidden, show_marketing_campaigns: showsCampaigns } = variant
    const content = variant.draft_content ?? variant.content
    if (hidden) rendered.push({ kind, isActive, signature: null })
    else if (content) rendered.push({ kind, isActive, signature: await render(content, showsCampaigns) })
  }
  return rendered
}

async function refuseBeyondLimit(tx: Db, by: Caller, now: Date, count: number): Promise<void> {
  const sent = await countRecentTestMails(tx, by, new Date(now.getTime() - hour))
  const excess = sent.length + count - limit
  const freed = sent[excess - 1] // when this mail is an hour old, the request fits
  if (excess <= 0 || !freed) return
  const seconds = Math.max(1, Math.ceil((freed.getTime() + hour - now.getTime()) / 1000))
  throw apiError('rate_limited', {
    message: `At most ${limit} test mails an hour; try again later.`,
    headers: { 'Retry-After': String(seconds) },
  })
}
