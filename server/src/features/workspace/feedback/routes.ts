import { Type } from 'typebox'
import { accepted, dataOf, plainBody, type Route, route } from '#kernel/api/routes.ts'
import { Nullable, OneOf, Text } from '#kernel/api/validation.ts'
import { NamedObject } from '#kernel/base/closed.ts'
import { enqueue } from '#kernel/db/jobs.ts'
import { type FeedbackMailPayload, feedbackMailJob } from './jobs.ts'
import { insertFeedback } from './queries.ts'

const categories = ['bug', 'missing_capability', 'question', 'other'] as const

const note = (description: string) =>
  Type.Optional(Nullable<string>(Type.String({ maxLength: 200, description })))

const FeedbackInput = NamedObject('FeedbackInput', {
  category: OneOf(categories),
  message: Text(5_000, { examples: ['The preview is too small.'] }),
  tool_name: note('The endpoint or tool the feedback is about.'),
  reporter: note('Who is reporting, when they opted to share it.'),
})

const FeedbackReceipt = NamedObject('FeedbackReceipt', {
  received: Type.Boolean(),
  category: OneOf(categories),
})

interface FeedbackDeps {
  /** True when an operator address and a mail server are configured. */
  readonly mailsFeedback: boolean
}

export const feedbackRoutes = (deps: FeedbackDeps): readonly Route[] => [
  route({
    name: 'feedback.send',
    method: 'POST',
    path: '/v1/feedback',
    access: 'any key',
    summary: 'Send feedback to the service team',
    description:
      'Sends a report, question or wish to the people who run this service. It is stored, and mailed to the operator where an address is configured.',
    body: plainBody(FeedbackInput),
    answers: { 202: dataOf(FeedbackReceipt) },
    async handle({ db, by, body }) {
      await db.transaction(async tx => {
        const feedback_id = await insertFeedback(tx, by, body)
        const mail: FeedbackMailPayload = { workspace_id: by.workspaceId, feedback_id }
        if (deps.mailsFeedback) await tx.query(enqueue(feedbackMailJob, mail))
      })
      return accepted({ received: true, category: body.category })
    },
  }),
]
