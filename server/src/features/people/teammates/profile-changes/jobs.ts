// The mail that tells a person how a manager has decided. A mail that was begun is never begun again: after a crash in
// between one mail can be missing, but none is sent twice.

import type { Mailer } from '#kernel/base/mail.ts'
import type { Db, Sql } from '#kernel/db/db.ts'
import { enqueue, type Job } from '#kernel/db/jobs.ts'
import { decisionMail } from './mail.ts'
import { claimDecisionMail, findChange, releaseDecisionMail } from './queries.ts'

const mailJob = 'profile_changes.mail'

interface DecisionMailPayload {
  readonly workspace_id: string
  readonly id: string
}

export const enqueueDecisionMail = (workspaceId: string, id: string): Sql => {
  const payload: DecisionMailPayload = { workspace_id: workspaceId, id }
  return enqueue(mailJob, payload)
}

interface DecisionMailDeps extends Mailer {
  readonly publicUrl: string
  /** The address of the personal page of a teammate's primary address; null when there is none. */
  readonly pageOf: (workspaceId: string, teammateId: string) => Promise<string | null>
}

export const profileChangeJobs = (
  db: Db,
  { publicUrl, pageOf, compose, send, wasRefused }: DecisionMailDeps,
): readonly Job[] => [
  {
    name: mailJob,
    async run(payload) {
      const { workspace_id: workspaceId, id } = payload as DecisionMailPayload
      const change = await findChange(db, { workspaceId, publicUrl }, id)
      // Deleted with the person or the field since.
      if (!change || change.teammate.email === '') return
      const page = await pageOf(workspaceId, change.teammate.id)
      const write = decisionMail(change, page)
      const mail = await compose({ to: change.teammate.email, workspaceId, language: null, write })
      if (!(await claimDecisionMail(db, workspaceId, id))) return
      try {
        await send(mail)
      } catch (error) {
        if (wasRefused(error)) await releaseDecisionMail(db, workspaceId, id)
        throw error
      }
    },
  },
]
