// Invitations are noted and queued in one transaction, a batch at a time: a crash repeats nothing that was queued. A mail is noted before
// it is sent and never begun twice: after a crash in between nobody knows whether it went out, and two are worse than none.

import { preferredTo } from '#features/recipients/index.ts'
import { hasPersonalPage } from '#features/workspaces/index.ts'
import type { Db } from '#kernel/db.ts'
import { enqueue, type Job } from '#kernel/jobs.ts'
import { operator } from '#kernel/scopes.ts'
import { emailAddressOf, ensurePage } from '../queries.ts'
import { pageAsJson } from '../rules.ts'
import { beginMail, type Invitation, inviteNext, type PublishedVersion, releaseMail } from './queries.ts'

export interface InvitationMail {
  readonly to: string
  readonly subject: string
  readonly text: string
}

export interface Mailer {
  readonly send: (mail: InvitationMail) => Promise<void>
  /** Whether this failure means that the mail was certainly not taken. */
  readonly wasRefused: (error: unknown) => boolean
}

type Round = Omit<Invitation, 'email_id'>

const round = 'personal_pages.invite'
const mail = 'personal_pages.invitation'

/** A round of a newer version does for an older one: it mails everybody whom the older one would have mailed. */
export const enqueueInvitations = (workspaceId: string, { id, version_number }: PublishedVersion) =>
  enqueue(round, { workspace_id: workspaceId, signature_id: id, version_number }, `${round} ${id}`)

const batch = 200

export const invitationJobs = (db: Db, publicUrl: string, { send, wasRefused }: Mailer): readonly Job[] => [
  {
    name: round,
    async run(payload) {
      const { workspace_id, signature_id: id, version_number } = payload as Round
      for (let invited = batch; invited === batch; ) {
        invited = await db.transaction(async tx => {
          const preferred = await preferredTo(tx, workspace_id, id)
          if (!preferred) return 0
          const next = await inviteNext(tx, workspace_id, { id, version_number }, preferred, batch)
          for (const { email_id } of next)
            await tx.query(enqueue(mail, { workspace_id, signature_id: id, version_number, email_id }))
          return next.length
        })
      }
    },
  },
  {
    name: mail,
    async run(payload) {
      const invitation = payload as Invitation
      const { workspace_id: workspaceId, email_id } = invitation
      if (!(await hasPersonalPage(db, workspaceId))) return
      const to = await emailAddressOf(db, workspaceId, email_id)
      const page = await ensurePage(db, operator(workspaceId), email_id)
      if (!to || !page) return // gone meanwhile
      const { url } = pageAsJson({ workspaceId, publicUrl }, page)
      if (!(await beginMail(db, invitation))) return
      try {
        await send({ to, subject: 'Your email signature is ready', text: wordsOf(url) })
      } catch (error) {
        if (wasRefused(error)) await releaseMail(db, invitation)
        throw error
      }
    },
  },
]

const wordsOf = (url: string): string => `Hello,

your email signature has been updated. Open your private page, copy the signature with one click, and paste it into your mail program; the page tells how:

${url}

The address is for you alone: please do not pass it on.
`
