// Mails a fresh link to the address of a personal page whose link is old.
import { hasPersonalPage } from '#features/workspace/workspaces/index.ts'
import type { Mailer } from '#kernel/base/mail.ts'
import type { Db, Sql } from '#kernel/db/db.ts'
import { enqueueAhead, type Job } from '#kernel/db/jobs.ts'
import { emailAddressOf, ensurePage } from '../queries.ts'
import { pageAsJson, pageOwnerCaller } from '../rules.ts'
import { freshLinkLetter } from './letter.ts'

const linkJob = 'personal_pages.fresh_link'

interface FreshLinkPayload {
  readonly workspace_id: string
  readonly email_id: string
}

/** A person waits for the mail. */
export const enqueueFreshLink = (workspaceId: string, emailId: string): Sql => {
  const payload: FreshLinkPayload = { workspace_id: workspaceId, email_id: emailId }
  return enqueueAhead(linkJob, payload)
}

export const freshLinkJobs = (
  db: Db,
  publicUrl: string,
  { compose, send }: Pick<Mailer, 'compose' | 'send'>,
): readonly Job[] => [
  {
    name: linkJob,
    async run(payload) {
      const { workspace_id: workspaceId, email_id } = payload as FreshLinkPayload
      if (!(await hasPersonalPage(db, workspaceId))) return
      const to = await emailAddressOf(db, workspaceId, email_id)
      const page = to && (await ensurePage(db, pageOwnerCaller(workspaceId, to), email_id))
      if (!to || !page) return // deleted since the job was enqueued
      const { url } = pageAsJson({ workspaceId, publicUrl }, page)
      await send(await compose({ to, workspaceId, language: null, write: freshLinkLetter(to, url) }))
    },
  },
]
