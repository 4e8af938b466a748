import { Type } from 'typebox'
import { accepted, dataOf, plainBody, type Route, route } from '#kernel/api/routes.ts'
import { EmailAddress, Uuid } from '#kernel/api/validation.ts'
import { NamedObject } from '#kernel/base/closed.ts'
import { CampaignQuery } from '../schemas.ts'
import { sendTestMail, type TestMailDeps } from './rules.ts'

const TestEmailInput = NamedObject('TestEmailInput', {
  email_id: Type.Optional(Uuid({ description: 'Whose values to fill in. Left out: placeholders.' })),
  to: Type.Optional(
    Type.Array(EmailAddress(), {
      minItems: 1,
      maxItems: 5,
      description: 'Addresses of teammates or members of this workspace. Left out: your own.',
    }),
  ),
})
const TestEmailReceipt = NamedObject('TestEmailReceipt', {
  sent_to: Type.String({ description: 'The addresses, separated by commas.' }),
})

export const testMailRoutes = (deps: TestMailDeps): readonly Route[] => [
  route({
    name: 'signatures.sendTestEmail',
    method: 'POST',
    path: '/v1/signatures/{id}/test_email',
    access: 'signatures:write',
    summary: 'Mail the draft to yourself or to colleagues',
    description:
      'Mails the draft, or the published content when there is no draft, to the member who owns the key or to up to five addresses of teammates and members; each gets a mail of its own. The mail says what it is and who sent it, and shows the variants for replies and internal mail below the signature. It shows the campaign that runs for `email_id`, as an installation does; `campaign` chooses another one. Links are not tracked. A member can send ten mails an hour; one over that is answered with 429.',
    query: CampaignQuery,
    body: plainBody(TestEmailInput),
    errors: ['blank', 'unknown_reference'],
    answers: { 202: dataOf(TestEmailReceipt) },
    async handle({ db, by, params, query, body }) {
      const request = {
        signatureId: params.id,
        emailId: body.email_id,
        to: body.to,
        campaign: query.campaign,
      }
      return accepted({ sent_to: (await sendTestMail(db, by, request, deps)).join(', ') })
    },
  }),
]
