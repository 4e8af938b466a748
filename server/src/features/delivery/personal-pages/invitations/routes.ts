import { Type } from 'typebox'
import { accepted, dataOf, type Route, route } from '#kernel/api/routes.ts'
import { Uuid } from '#kernel/api/validation.ts'
import { NamedObject } from '#kernel/base/closed.ts'
import { type InviteDeps, invite } from './rules.ts'

const Invited = NamedObject('Invited', {
  signature_id: Uuid(),
  queued: Type.Integer({ description: 'Addresses that were not invited to this version before.' }),
})

export const invitationRoutes = (deps: InviteDeps): readonly Route[] => [
  route({
    name: 'signatures.invite',
    method: 'POST',
    path: '/v1/signatures/{id}/invite',
    access: 'signatures:write',
    summary: 'Mail all recipients of a signature the link to their private page, once per version',
    description:
      'Mails each recipient the link to their private page, where they copy the signature. A person is mailed at most once for each published version, so repeating the call is safe. Without a mail server the call is refused.',
    errors: ['no_signature_to_install', 'installation_unavailable'],
    answers: { 202: dataOf(Invited) },
    async handle({ db, by, params }) {
      return accepted({ signature_id: params.id, queued: await invite(db, by, params.id, deps) })
    },
  }),
]
