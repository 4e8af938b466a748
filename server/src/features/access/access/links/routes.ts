import {
  type Answer,
  accepted,
  anonymousRoute,
  dataOf,
  noContent,
  plainBody,
  type RequestClient,
  type Route,
} from '#kernel/api/routes.ts'
import { withCookie } from '#kernel/api/session-cookies.ts'
import { signedIn } from '../routes.ts'
import { SecondFactorNeeded } from '../schemas.ts'
import { requestPasswordReset, resetPassword } from './password-resets.ts'
import { ForgotBody, LinkBody, MailAsked, ResetBody } from './schemas.ts'
import { type LinkOutcome, openSignInLink, requestSignInLink } from './sign-in-links.ts'
import type { ResetDeps } from './verification.ts'

export interface LinkRouteDeps extends ResetDeps {
  readonly onSessionChange: () => void
}

const redirect = (location: string): Answer => ({ status: 303, body: '', headers: { location } })

/** The pages that explain what happened. */
function redirectAfter(outcome: LinkOutcome): Answer {
  if ('problem' in outcome) return redirect(`/sign-in?problem=${outcome.problem}`)
  const { started, returnTo } = outcome
  // As after every way in: the second factor if one is missing, then the choice of a workspace.
  const next = started.isPending ? '/sign-in/second-factor' : '/sign-in/workspace'
  return withCookie(redirect(`${next}?return_to=${encodeURIComponent(returnTo)}`), started.cookie)
}

/** A request that only looks: of a browser that loads links in advance, or of a program that checks them. */
const isPreview = ({ method, headers }: RequestClient): boolean =>
  method === 'HEAD' || /prefetch|preview/.test(String(headers['sec-purpose'] ?? headers.purpose ?? ''))

/** Ways in by a link. */
export const linkRoutes = (deps: LinkRouteDeps): readonly Route[] => [
  anonymousRoute({
    name: 'auth.requestLink',
    method: 'POST',
    path: '/auth/link',
    summary: 'Ask for a link by mail that signs in',
    description:
      'Always answers 202, in the same time, whether there is an account or not. The link works once, for 15 minutes, in the browser that sent this request. An address gets at most 5 such mails in an hour, and a network can ask for 30; further requests are answered in the same way, and send nothing. Needs a mail server: without one the answer is 503.',
    body: plainBody(LinkBody),
    errors: [],
    answers: { 202: dataOf(MailAsked) },
    async handle({ db, body, client }) {
      await requestSignInLink(db, body, client, deps)
      return accepted({ valid_minutes: 15 })
    },
  }),
  anonymousRoute({
    name: 'auth.openLink',
    method: 'GET',
    path: '/auth/link/{token}',
    summary: 'Sign in by a link',
    description:
      'Signs in and leads, over the second factor and the choice of a workspace where they are needed, to the page that was asked for. Only the browser that asked for the link uses it up: for any other browser, and for mail scanners, the answer leads to a page that says so, and the link goes on working. A link that the operator made at the command line works once, in any browser.',
    errors: [],
    answers: { 303: null },
    async handle({ db, params, client }) {
      if (isPreview(client)) return redirect('/sign-in')
      const answer = redirectAfter(await openSignInLink(db, params.token, client, deps))
      deps.onSessionChange()
      return answer
    },
  }),
  anonymousRoute({
    name: 'auth.forgotPassword',
    method: 'POST',
    path: '/auth/password/forgot',
    summary: 'Ask for a mail with a link to choose a new password',
    description:
      'Always answers 202, in the same time, whether there is an account or not. The link works once, for 30 minutes. The limits are those of links that sign in. Needs a mail server: without one the answer is 503.',
    body: plainBody(ForgotBody),
    errors: [],
    answers: { 202: dataOf(MailAsked) },
    async handle({ db, body, client }) {
      await requestPasswordReset(db, body.email, client, deps)
      return accepted({ valid_minutes: 30 })
    },
  }),
  anonymousRoute({
    name: 'auth.resetPassword',
    method: 'POST',
    path: '/auth/password/reset',
    summary: 'Choose a new password with the token of a link',
    description:
      'Ends all sessions of the account. After a link by mail the answer is 204 without a session: the next sign-in asks for the new password and the second factor. A link of the operator also signs in; the answer is 202 while a second factor is missing.',
    body: plainBody(ResetBody),
    errors: ['not_found', 'weak_password', 'leaked_password'],
    answers: { 202: dataOf(SecondFactorNeeded), 204: null },
    async handle({ db, body, client }) {
      const started = await resetPassword(db, body, client, deps)
      deps.onSessionChange()
      return started ? signedIn(started) : noContent()
    },
  }),
]
