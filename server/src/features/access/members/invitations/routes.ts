import { SecondFactorNeeded, signedIn } from '#features/access/access/index.ts'
import { anonymousRoute, dataOf, noContent, ok, plainBody, type Route } from '#kernel/api/routes.ts'
import type { MemberDeps } from '../rules.ts'
import { acceptInvitation, describeInvitation } from './rules.ts'
import { InvitationAnswer, InvitationDetails, InvitationToken } from './schemas.ts'

export const invitationAcceptRoutes = (deps: MemberDeps, onChange: () => void): readonly Route[] => [
  anonymousRoute({
    name: 'auth.describeInvitation',
    method: 'POST',
    path: '/auth/invitation/details',
    summary: 'Read an invitation before it is accepted',
    description:
      'What a page shows about an invitation: the workspace, the role, who invited, and what accepting needs. A token that was used or replaced, or has expired, gives 404 `not_found`. Nothing changes.',
    body: plainBody(InvitationToken),
    errors: ['not_found'],
    answers: { 200: dataOf(InvitationDetails) },
    handle: async ({ db, body, client }) => ok(await describeInvitation(db, body.token, client, deps)),
  }),
  anonymousRoute({
    name: 'auth.acceptInvitation',
    method: 'POST',
    path: '/auth/invitation',
    summary: 'Accept an invitation',
    description:
      'Joins the workspace with the token of the link, which works once and for seven days. A new account gets the name and the password, and the answer sets the cookie of its session. An account that is in use keeps its password: without a session of that account the answer is 401 `missing_session`; with one, the token alone is enough, and the answer sets a new cookie. A token that was used or replaced, has expired, or offers a role above that of the inviter gives 404.',
    body: plainBody(InvitationAnswer),
    errors: ['missing', 'not_found', 'missing_session', 'sso_required', 'weak_password', 'leaked_password'],
    answers: { 202: dataOf(SecondFactorNeeded), 204: null },
    async handle({ db, body, client }) {
      const joined = await acceptInvitation(db, body, client, deps)
      onChange()
      return 'started' in joined ? signedIn(joined.started) : { ...noContent(), cookies: [joined.cookie] }
    },
  }),
]
