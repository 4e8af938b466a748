import type { Db } from '#kernel/db.ts'
import { apiError, invalid, noMailServer, orNotFound } from '#kernel/errors.ts'
import { enqueue } from '#kernel/jobs.ts'
import type { Caller } from '#kernel/scopes.ts'
import { contentToPreview, type PreviewDeps } from '../previews/rules.ts'
import { findSignature } from '../queries.ts'
import { type TestMail, testMail } from './jobs.ts'
import { countRecentTestMails, recordTestMail } from './queries.ts'

const hour = 3600_000
const limit = 10

export interface TestMailDeps extends PreviewDeps {
  /** Whether a mail server is configured. */
  readonly sendsMail: boolean
}

/** Mails the draft only to the member who owns the API key. Returns the address of the member. */
export async function sendTestMail(
  db: Db,
  by: Caller,
  id: string,
  emailId: string | undefined,
  { publicUrl, cards, sendsMail }: TestMailDeps,
): Promise<string> {
  const { workspaceId, memberEmail: to } = by
  return db.transaction(async tx => {
    const {
      id: signatureId,
      name,
      draft_content,
      content,
    } = orNotFound(await findSignature(tx, workspaceId, id))
    if (to === null) throw apiError('insufficient_role')
    if (!sendsMail) throw noMailServer()
    const previewContent = draft_content ?? content
    if (!previewContent) throw invalid('draft_content', 'blank')
    const { html, text } = await contentToPreview(tx, {
      workspaceId,
      publicUrl,
      cards,
      content: previewContent,
      emailId,
    })
    const now = new Date()
    await refuseBeyondLimit(tx, by, now)
    await recordTestMail(tx, by, signatureId, now)
    const mail: TestMail = { to, subject: `Test: ${name}`, html, text }
    await tx.query(enqueue(testMail, mail))
    return to
  })
}

async function refuseBeyondLimit(tx: Db, by: Caller, now: Date): Promise<void> {
  const sent = await countRecentTestMails(tx, by, new Date(now.getTime() - hour))
  const oldest = sent.at(-limit)
  if (!oldest) return
  const seconds = Math.max(1, Math.ceil((oldest.getTime() + hour - now.getTime()) / 1000))
  throw apiError('rate_limited', {
    message: `At most ${limit} test mails an hour; try again later.`,
    headers: { 'Retry-After': String(seconds) },
  })
}
