import { Type } from 'typebox'
import { accepted, dataOf, plainBody, type Route, route } from '#kernel/routes.ts'
import { Uuid } from '#kernel/validation.ts'
import { sendTestMail, type TestMailDeps } from './rules.ts'

const TestEmailInput = Type.Object(
  { email_id: Type.Optional(Uuid({ description: 'Whose values to fill in. Left out: placeholders.' })) },
  { title: 'TestEmailInput', additionalProperties: false },
)
const TestEmailReceipt = Type.Object(
  { sent_to: Type.String() },
  { title: 'TestEmailReceipt', additionalProperties: false },
)

export const testMailRoutes = (deps: TestMailDeps): readonly Route[] => [
  route({
    name: 'signatures.sendTestEmail',
    method: 'POST',
    path: '/v1/signatures/{id}/test_email',
    access: 'signatures:write',
    summary: 'Mail the draft to yourself',
    body: plainBody(TestEmailInput),
    answers: { 202: dataOf(TestEmailReceipt) },
    handle: async ({ db, by, params, body }) =>
      accepted({ sent_to: await sendTestMail(db, by, params.id, body.email_id, deps) }),
  }),
]
