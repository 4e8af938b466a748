import type { SendMail } from '#kernel/base/mail.ts'
import type { Db } from '#kernel/db/db.ts'
import type { Job } from '#kernel/db/jobs.ts'
import { findFeedback } from './queries.ts'

export interface FeedbackMailPayload {
  readonly workspace_id: string
  readonly feedback_id: string
}

export const feedbackMailJob = 'feedback.mail'

/** Mails feedback to the operator of this installation. */
export const feedbackJob = (db: Db, operatorEmail: string | null, send: SendMail): Job => ({
  name: feedbackMailJob,
  async run(payload) {
    const { workspace_id, feedback_id } = payload as FeedbackMailPayload
    const feedback = await findFeedback(db, workspace_id, feedback_id)
    if (!feedback || operatorEmail === null) return
    const { category, message, tool_name, reporter, workspace } = feedback
    const about = [`Workspace: ${workspace}`, `About: ${tool_name ?? '–'}`, `From: ${reporter ?? '–'}`]
    await send({
      to: operatorEmail,
      subject: `Signoff feedback: ${category}`,
      text: `${message}\n\n${about.join('\n')}\n`,
    })
  },
})
