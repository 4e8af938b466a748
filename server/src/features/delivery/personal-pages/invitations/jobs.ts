// Invitations are stored and enqueued in one transaction, a batch at a time: after a crash nothing is enqueued twice.
// The mail job marks a mail as begun before it sends it, and never sends a begun mail again: after a crash in between,
// it is unknown whether the mail went out, and two mails are worse than none.

import { signaturesWinningOver } from '#features/signatures/recipients/index.ts'
import { hasPersonalPage } from '#features/workspace/workspaces/index.ts'
import { operator } from '#kernel/api/scopes.ts'
import type { Mailer } from '#kernel/base/mail.ts'
import type { Db } from '#kernel/db/db.ts'
import { enqueue, type Job } from '#kernel/db/jobs.ts'
import { emailAddressOf, ensurePage } from '../queries.ts'
import { pageAsJson } from '../rules.ts'
import { invitationLetter } from './letter.ts'
import {
  claimInvitation,
  type Invitation,
  inviteNext,
  type PublishedVersion,
  releaseInvitation,
} from './queries.ts'

type InvitationRound = Omit<Invitation, 'email_id'>

const roundJob = 'personal_pages.invite'
const mailJob = 'personal_pages.invitation'

/** The signature id is the job key: a job for a newer version replaces one for an older version and mails its people too. */
export const enqueueInvitations = (workspaceId: string, { id, version_number }: PublishedVersion) =>
  enqueue(roundJob, { workspace_id: workspaceId, signature_id: id, version_number }, `${roundJob} ${id}`)

const batchSize = 200

export const invitationJobs = (
  db: Db,
  publicUrl: string,
  { compose, send, wasRefused }: Mailer,
): readonly Job[] => [
  {
    name: roundJob,
    async run(payload) {
      const { workspace_id, signature_id: id, version_number } = payload as InvitationRound
      for (let invited = batchSize; invited === batchSize; ) {
        invited = await db.transaction(async tx => {
          const preferred = await signaturesWinningOver(tx, workspace_id, id)
          if (!preferred) return 0
          const invitations = await inviteNext(tx, workspace_id, { id, version_number }, preferred, batchSize)
          for (const { email_id } of invitations)
            await tx.query(enqueue(mailJob, { workspace_id, signature_id: id, version_number, email_id }))
          return invitations.length
        })
      }
    },
  },
  {
    name: mailJob,
    async run(payload) {
      const invitation = payload as Invitation
      const { workspace_id: workspaceId, email_id } = invitation
      if (!(await hasPersonalPage(db, workspaceId))) return
      const to = await emailAddressOf(db, workspaceId, email_id)
      const page = await ensurePage(db, operator(workspaceId), email_id)
      if (!to || !page) return // deleted since the job was enqueued
      const { url } = pageAsJson({ workspaceId, publicUrl }, page)
      const mail = await compose({ to, workspaceId, language: null, write: invitationLetter(to, url) })
      if (!(await claimInvitation(db, invitation))) return
      try {
        await send(mail)
      } catch (error) {
        if (wasRefused(error)) await releaseInvitation(db, invitation)
        throw error
      }
    },
  },
]
