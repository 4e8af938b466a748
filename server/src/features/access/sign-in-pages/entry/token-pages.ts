// Set-up, invitation and a new password: pages of links whose token is behind the #.
import { browserOf, readReset, readSetup } from '#features/access/access/index.ts'
import { SessionCookie } from '#kernel/api/session-cookies.ts'
import { ApiError } from '#kernel/base/errors.ts'
import type { SignInPageDeps } from '../deps.ts'
import { emptyForm } from '../fields.ts'
import { problemsOf, statusOf } from '../problems.ts'
import {
  type PageDefinition,
  type PageResult,
  pathWith,
  redirect,
  type ShownPage,
  show,
  type Visit,
} from '../visit.ts'
import { pathAfterSignIn } from './paths.ts'
import { resetSentPage } from './sign-in-view.ts'
import {
  deadLinkPage,
  forgotPage,
  type InvitationContent,
  invitationPage,
  resetPage,
  setUpPage,
  setUpPasskeyPage,
  setUpPasskeyPath,
  tokenPage,
} from './token-views.ts'
import { keepAddress, keptAddress } from './typed-address.ts'

/** The whole link can be pasted too. */
const tokenIn = ({ token = '' }: Visit['form']): string => token.slice(token.indexOf('#') + 1).trim()

const deadLink = ({ context, visitor }: Visit, kind: 'setUp' | 'invitation' | 'reset'): ShownPage =>
  show(deadLinkPage(context, kind, visitor !== null), 422)

const afterSetUp = '/welcome'

const setUpForm = ({ context: { t } }: Visit) => ({ title: t.setUp.title, path: '/setup' })

async function sendSetUp({ hasPasskeys }: SignInPageDeps, visit: Visit): Promise<PageResult> {
  const { db, form, send, context } = visit
  const token = tokenIn(form)
  const owner = await readSetup(db, token).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 404) return undefined
    throw error
  })
  if (!owner) return deadLink(visit, 'setUp')
  if (form.step === undefined) return show(setUpPage(context, emptyForm, { token, ...owner }))
  const { name = '', email = '', password = '' } = form
  const body = { token, name, password, ...(owner.email === null && { email }) }
  const result = await send('POST', '/auth/setup', { body })
  // 202 asks for the second factor, so the person has one already.
  const offersPasskey = hasPasskeys && result.status !== 202
  const next = offersPasskey ? setUpPasskeyPath : pathAfterSignIn(result.status, afterSetUp)
  if (result.code === null) return redirect(next, result.cookies)
  if (result.code === 'not_found') return deadLink(visit, 'setUp')
  const problems = problemsOf(context.t, result, { 'email:taken': ['email', 'taken'] })
  const state = { values: { name, email }, problems }
  return show(setUpPage(context, state, { token, ...owner }), statusOf(result))
}

/** Offers a passkey to an account that has none. */
async function openSetUpPasskey({ hasPasskeys }: SignInPageDeps, visit: Visit): Promise<PageResult> {
  const { visitor, context, userAgent, send } = visit
  if (!visitor) return redirect(pathWith('/sign-in', { return_to: afterSetUp }))
  const next = pathAfterSignIn(visitor.isPending ? 202 : 200, afterSetUp)
  if (!hasPasskeys || visitor.isPending || visitor.ssoWorkspaceId !== null) return redirect(next)
  const { code, data } = await send<{ passkeys: readonly unknown[] }>('GET', '/v1/me/second_factors')
  if (code !== null || data.passkeys.length > 0) return redirect(next)
  const browser = context.t.browser(browserOf(userAgent))
  return show(setUpPasskeyPage(context, { email: visitor.email, browser, next }))
}

const invitationForm = ({ context: { t } }: Visit) => ({ title: t.invitation.title, path: '/invitation' })

/**
 * Keeps the token while a person signs in to accept: an address with the token in it would be in logs and in the history
 * of the browser.
 */
const invitationCookie = ({ access }: SignInPageDeps) =>
  new SessionCookie(access.publicUrl, 'signoff-invitation')
const invitationSeconds = 30 * 60

async function sendInvitation(deps: SignInPageDeps, visit: Visit): Promise<PageResult> {
  const { form, send, context } = visit
  const token = tokenIn(form)
  if (form.step === undefined) return invitationShown(deps, visit, token)
  const { name = '', password = '' } = form
  const details = await detailsOf(visit, token)
  if (details.code !== null) return invitationRefused(deps, visit)
  const content = { ...details.data, token }
  const body = { token, ...(content.needs === 'password' && { name, password }) }
  const result = await send('POST', '/auth/invitation', { body })
  if (result.code === null) return redirect('/', [...result.cookies, invitationCookie(deps).clear()])
  if (result.code === 'not_found') return invitationRefused(deps, visit)
  const state = { values: { name }, problems: problemsOf(context.t, result) }
  return show(invitationPage(context, content, { form: state }), statusOf(result))
}

/** A question, although by POST: it is asked for a page that another site has led to, too. */
const detailsOf = ({ send }: Visit, token: string) =>
  send<Omit<InvitationContent, 'token'>>('POST', '/auth/invitation/details', {
    body: { token },
    headers: { 'sec-fetch-site': 'same-origin' },
  })

const invitationRefused = (deps: SignInPageDeps, visit: Visit): PageResult => ({
  ...deadLink(visit, 'invitation'),
  cookies: [invitationCookie(deps).clear()],
})

async function invitationShown(deps: SignInPageDeps, visit: Visit, token: string): Promise<PageResult> {
  const { code, data } = await detailsOf(visit, token)
  if (code !== null) return invitationRefused(deps, visit)
  const page = show(
    invitationPage(visit.context, { ...data, token }, { signedInAs: visit.visitor?.email ?? null }),
  )
  return data.needs === 'sign_in'
    ? { ...page, cookies: [invitationCookie(deps).set(token, invitationSeconds)] }
    : page
}

/** After the sign-in. Opening it changes nothing: the person accepts by the form. */
async function continueInvitation(deps: SignInPageDeps, visit: Visit): Promise<PageResult> {
  const token = invitationCookie(deps).tokenIn(visit.cookie)
  return token === undefined ? redirect('/invitation') : invitationShown(deps, visit, token)
}

async function sendForgot({ access }: SignInPageDeps, visit: Visit): Promise<PageResult> {
  const { form, send, context } = visit
  const { email = '' } = form
  const result = await send('POST', '/auth/password/forgot', { body: { email } })
  if (result.code === null)
    return redirect('/forgot/sent', [...result.cookies, keepAddress(access.publicUrl, email)])
  const problems = problemsOf(context.t, result, { unavailable: ['form', 'no_mail'] })
  return show(forgotPage(context, { values: { email }, problems }, access.sendsMail), statusOf(result))
}

async function sendReset({ access }: SignInPageDeps, visit: Visit): Promise<PageResult> {
  const { db, form, send, context } = visit
  const token = tokenIn(form)
  const account = await readReset(db, token)
  if (!account) return deadLink(visit, 'reset')
  const content = { token, ...account }
  if (form.step === undefined) return show(resetPage(context, emptyForm, content))
  const { password = '' } = form
  const result = await send('POST', '/auth/password/reset', {
    body: { token, password },
  })
  const session = `${new SessionCookie(access.publicUrl).name}=`
  const hasSession = result.cookies.some(cookie => cookie.startsWith(session))
  // A link by mail does not sign in.
  if (result.code === null && !hasSession) return redirect('/sign-in?done=reset', result.cookies)
  if (result.code === null) return redirect(pathAfterSignIn(result.status, '/account'), result.cookies)
  if (result.code === 'not_found') return deadLink(visit, 'reset')
  const problems = problemsOf(context.t, result)
  return show(resetPage(context, { values: {}, problems }, content), statusOf(result))
}

export const tokenPages = (deps: SignInPageDeps): readonly PageDefinition[] => [
  {
    method: 'GET',
    path: '/setup',
    summary: 'The page of the set-up link',
    visit: async visit => show(tokenPage(visit.context, setUpForm(visit))),
  },
  {
    method: 'POST',
    path: '/setup',
    summary: 'Complete the first start by the form',
    visit: visit => sendSetUp(deps, visit),
  },
  {
    method: 'GET',
    path: setUpPasskeyPath,
    summary: 'The page that offers a passkey after the set-up',
    visit: visit => openSetUpPasskey(deps, visit),
  },
  {
    method: 'GET',
    path: '/invitation',
    summary: 'The page of an invitation',
    visit: async visit => show(tokenPage(visit.context, invitationForm(visit))),
  },
  {
    method: 'POST',
    path: '/invitation',
    summary: 'Accept an invitation by the form',
    visit: visit => sendInvitation(deps, visit),
  },
  {
    method: 'GET',
    path: '/invitation/continue',
    summary: 'The page of an invitation after the sign-in',
    visit: visit => continueInvitation(deps, visit),
  },
  {
    method: 'GET',
    path: '/forgot',
    summary: 'The page for a forgotten password',
    visit: async ({ context }) => show(forgotPage(context, emptyForm, deps.access.sendsMail)),
  },
  {
    method: 'POST',
    path: '/forgot',
    summary: 'Ask for a link for a new password by the form',
    visit: visit => sendForgot(deps, visit),
  },
  {
    method: 'GET',
    path: '/forgot/sent',
    summary: 'The page after a link for a new password was asked for',
    visit: async ({ context, cookie }) =>
      show(resetSentPage(context, keptAddress(deps.access.publicUrl, cookie))),
  },
  {
    method: 'GET',
    path: '/reset',
    summary: 'The page to choose a new password',
    visit: async ({ context }) => show(tokenPage(context, { title: context.t.reset.title, path: '/reset' })),
  },
  {
    method: 'POST',
    path: '/reset',
    summary: 'Set a new password by the form',
    visit: visit => sendReset(deps, visit),
  },
]
