// Signing in: password, link by mail, single sign-on, the second factor and the choice of a workspace; signing out.
import { findAccountByEmail, membershipsOf } from '#features/workspace/accounts/index.ts'
import { decodeWorkspaceId } from '#kernel/base/public-address.ts'
import { brandFor } from '../brand.ts'
import type { SignInPageDeps } from '../deps.ts'
import { emptyForm, type FormState } from '../fields.ts'
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
import { firstFactorPage, secondFactorPage } from './factor-view.ts'
import { continuePath, factorPath, pathAfter, pathAfterSignIn } from './paths.ts'
import { linkSentPage, problemPage, signedOutPage, signInPage, ssoChoicePage } from './sign-in-view.ts'
import { ssoRequired, withReturn } from './sso-choices.ts'
import { keepAddress, keptAddress } from './typed-address.ts'
import { workspacePages } from './workspaces.ts'

/** The page of a company has its own address; the page at `/sign-in` shows the company of the only workspace. */
async function signInShown(
  deps: SignInPageDeps,
  { db, context, query, form, params, visitor, cookie }: Visit,
  { state = emptyForm, status = 200 }: { readonly state?: FormState; readonly status?: ShownPage['status'] },
): Promise<PageResult> {
  const { brand } = context
  const returnTo = form.return_to ?? query.return_to
  const choices = withReturn(brand ? await deps.ssoChoicesIn(db, brand.workspaceId) : [], returnTo)
  const isAgain = (form.again ?? query.again) !== undefined
  const done = query.done ?? (isAgain ? (visitor?.isPending ? 'again-factor' : 'again') : undefined)
  const email =
    query.email ?? (isAgain ? visitor?.email : undefined) ?? keptAddress(deps.access.publicUrl, cookie)
  const values = email === undefined ? {} : { email }
  const page = signInPage(context, {
    form: { ...state, values: { ...values, ...state.values } },
    done: status === 200 ? done : undefined,
    cancelPath: isAgain && visitor ? pathAfter(returnTo) : null,
    returnTo,
    next: continuePath(returnTo),
    path: params.workspace === undefined ? '/sign-in' : `/sign-in/${params.workspace}`,
    hasLinks: deps.access.sendsMail,
    hasPasskeys: deps.hasPasskeys,
    choices,
    // The connections of a known company are shown; otherwise the domain of the address tells.
    hasSso: brand === null && (await deps.hasSso(db)),
  })
  return { ...show(page, status), context }
}

/** The visit with the company of its address; undefined when there is no such company. */
async function atCompany(deps: SignInPageDeps, visit: Visit): Promise<Visit | undefined> {
  const { workspace } = visit.params
  if (workspace === undefined) return visit
  const workspaceId = decodeWorkspaceId(workspace)
  const brand =
    workspaceId === undefined ? null : await brandFor(visit.db, deps.access.publicUrl, workspaceId)
  return brand ? { ...visit, context: { ...visit.context, brand } } : undefined
}

const problemStatus = (code: string): ShownPage['status'] =>
  code === 'too_many_attempts' ? 429 : code === 'unavailable' ? 503 : 403

async function openSignIn(deps: SignInPageDeps, visit: Visit): Promise<PageResult> {
  const { visitor, query, context } = visit
  if (query.problem === 'sso_required')
    return ssoRequired(deps, visit, context.brand ? [context.brand.workspaceId] : [], query.return_to)
  if (query.problem !== undefined)
    return show(problemPage(context, query.problem), problemStatus(query.problem))
  // `again`: a person without a factor needs a recent sign-in to set one up, so the form is shown to a pending session too.
  if (visitor && query.again === undefined)
    return redirect(
      visitor.isPending ? pathWith(factorPath, { return_to: query.return_to }) : pathAfter(query.return_to),
    )
  const placed = await atCompany(deps, visit)
  return placed ? signInShown(deps, placed, {}) : show(problemPage(context, 'not_found'), 404)
}

async function sendSignIn(deps: SignInPageDeps, visit: Visit): Promise<PageResult> {
  const placed = await atCompany(deps, visit)
  if (!placed) return show(problemPage(visit.context, 'not_found'), 404)
  if (placed.form.way === 'link') return sendLink(deps, placed)
  if (placed.form.way === 'sso') return sendSso(deps, placed)
  const { db, form, send, context } = placed
  const { email = '', password = '', return_to } = form
  const result = await send('POST', '/auth/password', { body: { email, password } })
  // Only after the right password: the answer tells which workspaces the account has.
  if (result.code === 'sso_required') {
    const account = await findAccountByEmail(db, email)
    const memberships = account ? await membershipsOf(db, account.id) : []
    return ssoRequired(
      deps,
      placed,
      memberships.map(({ workspaceId }) => workspaceId),
      return_to,
    )
  }
  if (result.code !== null) {
    const problems = problemsOf(context.t, result, { invalid_credentials: ['password', 'wrong_password'] })
    return signInShown(deps, placed, { state: { values: { email }, problems }, status: statusOf(result) })
  }
  return redirect(pathAfterSignIn(result.status, return_to), result.cookies)
}

const addressFirst = (deps: SignInPageDeps, visit: Visit): Promise<PageResult> =>
  signInShown(deps, visit, {
    state: { values: { email: '' }, problems: { email: visit.context.t.errors.email_first } },
    status: 422,
  })

async function sendLink(deps: SignInPageDeps, visit: Visit): Promise<PageResult> {
  const { form, send, context } = visit
  const { email = '', return_to } = form
  if (email.trim() === '') return addressFirst(deps, visit)
  const body = { email, ...(return_to !== undefined && { return_to }) }
  const result = await send('POST', '/auth/link', { body })
  if (result.code === null)
    return redirect('/sign-in/link-sent', [...result.cookies, keepAddress(deps.access.publicUrl, email)])
  const problems = problemsOf(context.t, result, { unavailable: ['form', 'no_mail'] })
  return signInShown(deps, visit, { state: { values: { email }, problems }, status: statusOf(result) })
}

/**
 * Links instead of a redirect: browsers refuse a form that ends at another site, because of `form-action`. The choice
 * depends on the domain of the address, not on whether the address has an account.
 */
async function sendSso(deps: SignInPageDeps, visit: Visit): Promise<PageResult> {
  const { db, form, context } = visit
  const { email = '', return_to } = form
  if (email.trim() === '') return addressFirst(deps, visit)
  const isAddress = /^[^\s@]+@[^\s@]+$/.test(email.trim())
  const choices = isAddress ? await deps.ssoChoicesFor(db, email.trim()) : []
  if (choices.length === 0) {
    const problem = isAddress ? context.t.signIn.ssoNone : context.t.errors.email
    return signInShown(deps, visit, {
      state: { values: { email }, problems: { email: problem } },
      status: 422,
    })
  }
  return show(ssoChoicePage(context, email.trim(), withReturn(choices, return_to)))
}

async function factorShown(
  { access, hasPasskeys }: SignInPageDeps,
  { db, context, query, form, visitor }: Visit,
  state: FormState,
  status: ShownPage['status'] = 200,
): Promise<PageResult> {
  const returnTo = form.return_to ?? query.return_to
  const factors = visitor ? await access.secondFactorsOf(db, visitor.accountId) : []
  const next = continuePath(returnTo)
  if (factors.length === 0) {
    const email = visitor?.email ?? ''
    return show(firstFactorPage(context, { hasPasskeys, email, next, returnTo }), status)
  }
  // A session that is complete has used no factor: a new sign-in asks for it.
  if (visitor && !visitor.isPending) return redirect(pathWith('/sign-in', { again: '1', return_to: next }))
  return show(secondFactorPage(context, { form: state, factors, returnTo, next }), status)
}

async function openFactor(deps: SignInPageDeps, visit: Visit): Promise<PageResult> {
  const { visitor, query } = visit
  if (!visitor) return redirect(pathWith('/sign-in', { return_to: query.return_to }))
  const isNeeded = visitor.memberships.some(({ refusal }) => refusal === 'second_factor_required')
  return visitor.isPending || isNeeded
    ? factorShown(deps, visit, emptyForm)
    : redirect(continuePath(query.return_to))
}

async function sendFactor(deps: SignInPageDeps, visit: Visit): Promise<PageResult> {
  const { form, send, context } = visit
  const isRecovery = form.recovery_code !== undefined
  const code = form.recovery_code ?? form.code ?? ''
  const result = await send('POST', '/auth/totp', { body: { code } })
  if (result.code === null) return redirect(continuePath(form.return_to), result.cookies)
  if (result.code === 'missing_session' || result.code === 'session_expired')
    return redirect(pathWith('/sign-in', { done: 'ended', return_to: form.return_to }), result.cookies)
  const place = isRecovery
    ? (['recovery_code', 'wrong_recovery'] as const)
    : (['code', 'wrong_code'] as const)
  const problems = problemsOf(context.t, result, {
    invalid_credentials: place,
    'code:invalid': place,
    'code:blank': [place[0], 'blank'],
  })
  return factorShown(deps, visit, { values: {}, problems }, statusOf(result))
}

async function signOut({ form, send }: Visit): Promise<PageResult> {
  const everywhere = form.everywhere === 'true'
  const { code, cookies } = await send('POST', '/auth/sign_out', { body: everywhere ? { everywhere } : {} })
  if (code === 'second_factor_required') return redirect(factorPath)
  const { return_to, email } = form
  // To continue as another person, such as one who was invited.
  if (return_to !== undefined)
    return redirect(pathWith('/sign-in', { done: 'invited', return_to, email }), cookies)
  return redirect('/signed-out', cookies)
}

export const signInPages = (deps: SignInPageDeps): readonly PageDefinition[] => [
  {
    method: 'GET',
    path: '/sign-in',
    summary: 'The page to sign in',
    visit: visit => openSignIn(deps, visit),
  },
  {
    method: 'POST',
    path: '/sign-in',
    summary: 'Sign in by the form',
    visit: visit => sendSignIn(deps, visit),
  },
  {
    method: 'GET',
    path: '/sign-in/{workspace}',
    summary: 'The page of a company to sign in',
    visit: visit => openSignIn(deps, visit),
  },
  {
    method: 'POST',
    path: '/sign-in/{workspace}',
    summary: 'Sign in by the form of a company',
    visit: visit => sendSignIn(deps, visit),
  },
  {
    method: 'GET',
    path: '/sign-in/link-sent',
    summary: 'The page after a link was asked for',
    visit: async ({ context, cookie }) =>
      show(linkSentPage(context, keptAddress(deps.access.publicUrl, cookie))),
  },
  {
    method: 'GET',
    path: factorPath,
    summary: 'The page for the second factor',
    visit: visit => openFactor(deps, visit),
  },
  {
    method: 'POST',
    path: factorPath,
    summary: 'Give the second factor by the form',
    visit: visit => sendFactor(deps, visit),
  },
  ...workspacePages(deps),
  { method: 'POST', path: '/sign-out', summary: 'Sign out by the form', visit: signOut },
  {
    method: 'GET',
    path: '/signed-out',
    summary: 'The page after signing out',
    visit: async ({ context }) => show(signedOutPage(context)),
  },
]
