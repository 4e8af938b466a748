// The account page and its forms.

import { drawTotpQr, type NewTotp } from '#features/access/second-factors/index.ts'
import { type Account, findAccount } from '#features/workspace/accounts/index.ts'
import { orNotFound } from '#kernel/base/errors.ts'
import { brandFor } from '../brand.ts'
import type { CallResult } from '../calls.ts'
import type { SignInPageDeps } from '../deps.ts'
import { contextIn } from '../document.ts'
import { refusedChoice } from '../entry/sign-in.ts'
import { currentWorkspaceOf, switchWorkspace, workspacesSeenBy } from '../entry/workspaces.ts'
import type { FormState } from '../fields.ts'
import { problemsOf, statusOf } from '../problems.ts'
import {
  type PageDefinition,
  type PageResult,
  pathWith,
  redirect,
  type ShownPage,
  show,
  type Visit,
  type Visitor,
} from '../visit.ts'
import type { AccountContent, AccountFactors, AccountSession } from './data.ts'
import { recoveryCodesPage, totpSetUpPage } from './totp-view.ts'
import { type AccountForm, accountPage } from './view.ts'

const noFactors: AccountFactors = { totp: { enabled: false }, passkeys: [], recovery_codes: { remaining: 0 } }

/** Null for a session of single sign-on: it is good for one workspace, not for the account. */
async function ownSettings({ send }: Visit, { ssoWorkspaceId }: Visitor, { hasPassword }: Account) {
  if (ssoWorkspaceId !== null) return null
  const { code, data } = await send<AccountFactors>('GET', '/v1/me/second_factors')
  return { hasPassword, factors: code === null ? data : noFactors }
}

/** The page needs all of it, so the requests run at once. */
async function contentFor(visit: Visit, visitor: Visitor): Promise<AccountContent> {
  const { db, send } = visit
  const account = orNotFound(await findAccount(db, visitor.accountId))
  const [own, workspaces, sessions] = await Promise.all([
    ownSettings(visit, visitor, account),
    workspacesSeenBy(db, visitor),
    send<readonly AccountSession[]>('GET', '/v1/sessions?limit=100'),
  ])
  const { name, email, locale } = account
  return {
    name,
    email,
    locale,
    own,
    sessions: sessions.code === null ? sessions.data : [],
    workspaces,
    workspaceId: currentWorkspaceOf(visitor),
  }
}

interface AccountFailure {
  readonly form: AccountForm
  readonly state: FormState
  readonly status: ShownPage['status']
}

async function accountShown(
  deps: SignInPageDeps,
  visit: Visit,
  visitor: Visitor,
  failed: AccountFailure | null = null,
): Promise<PageResult> {
  const content = await contentFor(visit, visitor)
  const { workspaceId } = content
  const brand = workspaceId === null ? null : await brandFor(visit.db, deps.access.publicUrl, workspaceId)
  const context = contextIn(visit.context.language, brand)
  const done = failed ? undefined : visit.query.done
  const page = accountPage(context, content, { done, failed, canUsePasskeys: deps.hasPasskeys })
  return { ...show(page, failed?.status ?? 200), context }
}

type SignedInVisit = (visit: Visit, visitor: Visitor) => Promise<PageResult>

const factorPath = '/sign-in/second-factor?return_to=%2Faccount'

/** Sends a visitor without a session to the page that is needed first. */
const withSession =
  (show: SignedInVisit) =>
  async (visit: Visit): Promise<PageResult> =>
    visit.visitor ? show(visit, visit.visitor) : redirect(pathWith('/sign-in', { return_to: '/account' }))

/** The same for a visitor whose second factor is missing. */
const signedIn = (show: SignedInVisit) =>
  withSession(async (visit, visitor) => (visitor.isPending ? redirect(factorPath) : show(visit, visitor)))

/** Refusals that every form of the account answers alike; null for the others. */
function refusalOf({ code, cookies }: CallResult, { isPending }: Visitor): PageResult | null {
  if (code === 'second_factor_required' && isPending) return redirect(factorPath)
  if (code === 'recent_sign_in_required') return redirect('/sign-in?again=1&return_to=%2Faccount')
  if (code === 'missing_session' || code === 'session_expired')
    return redirect('/sign-in?done=ended&return_to=%2Faccount', cookies)
  if (code === 'own_sign_in_required') return redirect('/account?done=own-sign-in')
  return null
}

interface AccountAction {
  readonly path: string
  readonly summary: string
  readonly call: (visit: Visit) => Promise<CallResult>
  /** The word for the message after the redirect. */
  readonly done: string
  readonly form?: AccountForm
  readonly places?: Parameters<typeof problemsOf>[2]
  /** Fields that the page shows again after a problem. */
  readonly keeps?: readonly string[]
}

const idIn = ({ id = '' }: Visit['form']): string => encodeURIComponent(id)

const actions: readonly AccountAction[] = [
  {
    path: '/account/profile',
    summary: 'Change your name and language by the form',
    call: ({ form: { name = '', locale = '' }, send }) =>
      send('PATCH', '/v1/me/account', { body: { name, locale: locale === '' ? null : locale } }),
    done: 'profile',
    form: 'profile',
    keeps: ['name', 'locale'],
  },
  {
    path: '/account/password',
    summary: 'Change your password by the form',
    call: ({ form, send }) =>
      send('POST', '/auth/password/change', {
        body: { new: form.new ?? '', ...(form.current !== undefined && { current: form.current }) },
      }),
    done: 'password',
    form: 'password',
    places: {
      'current:invalid': ['current', 'wrong_current'],
      'password:weak_password': ['new', 'weak_password'],
      'password:leaked_password': ['new', 'leaked_password'],
    },
  },
  {
    path: '/account/sessions/end',
    summary: 'Sign out another browser by the form',
    call: ({ form, send }) => send('DELETE', `/v1/sessions/${idIn(form)}`),
    done: 'session',
  },
  {
    path: '/account/passkeys/rename',
    summary: 'Rename a passkey by the form',
    call: ({ form, send }) =>
      send('PATCH', `/v1/me/passkeys/${idIn(form)}`, { body: { name: form.name ?? '' } }),
    done: 'passkey-renamed',
  },
  {
    path: '/account/passkeys/remove',
    summary: 'Remove a passkey by the form',
    call: ({ form, send }) => send('DELETE', `/v1/me/passkeys/${idIn(form)}`),
    done: 'passkey-removed',
  },
  {
    path: '/account/totp/remove',
    summary: 'Turn the authenticator app off by the form',
    call: ({ send }) => send('DELETE', '/v1/me/totp'),
    done: 'totp-removed',
  },
]

const actionPage = (deps: SignInPageDeps, action: AccountAction): PageDefinition => ({
  method: 'POST',
  path: action.path,
  summary: action.summary,
  visit: signedIn(async (visit, visitor) => {
    const { form = 'page', places = {}, keeps = [] } = action
    const result = await action.call(visit)
    if (result.code === null) return redirect(pathWith('/account', { done: action.done }), result.cookies)
    const refusal = refusalOf(result, visitor)
    if (refusal) return refusal
    const values = Object.fromEntries(keeps.map(name => [name, visit.form[name] ?? '']))
    const problems = problemsOf(visit.context.t, result, places)
    // A problem of a field that the form does not show concerns the whole form.
    const shown = form === 'page' ? { form: Object.values(problems)[0] ?? '' } : problems
    return accountShown(deps, visit, visitor, {
      form,
      state: { values, problems: shown },
      status: statusOf(result),
    })
  }),
})

async function changeWorkspace(deps: SignInPageDeps, visit: Visit, visitor: Visitor): Promise<PageResult> {
  const choice = await switchWorkspace(deps, visit, visitor)
  return choice === 'chosen'
    ? redirect('/account?done=workspace')
    : refusedChoice(deps, visit, choice, '/account')
}

async function startTotp(deps: SignInPageDeps, visit: Visit, visitor: Visitor): Promise<PageResult> {
  const result = await visit.send<NewTotp>('POST', '/v1/me/totp')
  if (result.code === null)
    return {
      ...show(totpSetUpPage(visit.context, result.data, { values: {}, problems: {} })),
      cookies: result.cookies,
    }
  return refusalOf(result, visitor) ?? pageProblem(deps, visit, visitor, result)
}

/** A visitor whose second factor is missing sees no account. */
const pageProblem = async (
  deps: SignInPageDeps,
  visit: Visit,
  visitor: Visitor,
  result: CallResult,
): Promise<PageResult> =>
  visitor.isPending
    ? redirect(factorPath)
    : accountShown(deps, visit, visitor, {
        form: 'page',
        state: { values: {}, problems: problemsOf(visit.context.t, { ...result, details: [] }) },
        status: statusOf(result),
      })

/** Longer texts come from no form of ours. */
const isSetUp = (secret: string, uri: string): boolean =>
  /^[A-Z2-7]{16,64}$/.test(secret) && uri.startsWith('otpauth://totp/') && uri.length <= 800

async function confirmTotp(deps: SignInPageDeps, visit: Visit, visitor: Visitor): Promise<PageResult> {
  const { code = '', secret = '', uri = '' } = visit.form
  const result = await visit.send<{ recovery_codes: string[] }>('POST', '/v1/me/totp/confirm', {
    body: { code },
  })
  if (result.code === null) return codesShown(visit, visitor, result, [result.data.recovery_codes, 'totp'])
  // The page with the codes was loaded again: they are gone, and the app is on.
  if (result.code === 'second_factor_exists') return redirect('/account?done=totp-exists')
  const refusal = refusalOf(result, visitor)
  if (refusal) return refusal
  if (!isSetUp(secret, uri)) return pageProblem(deps, visit, visitor, result)
  const problems = problemsOf(visit.context.t, result, {
    invalid_credentials: ['code', 'wrong_code'],
    'code:invalid': ['code', 'wrong_code'],
  })
  const setUp = { secret, uri, qr_code: await drawTotpQr(uri) }
  return show(totpSetUpPage(visit.context, setUp, { values: {}, problems }), statusOf(result))
}

/** The codes are shown in the answer to the form: no redirect could carry them. */
const codesShown = (
  { context }: Visit,
  { email }: Visitor,
  { cookies }: CallResult,
  [codes, done]: readonly [codes: readonly string[], done: string],
): PageResult =>
  codes.length === 0
    ? redirect(pathWith('/account', { done }), cookies)
    : { ...show(recoveryCodesPage(context, { codes, done, email })), cookies }

async function newCodes(deps: SignInPageDeps, visit: Visit, visitor: Visitor): Promise<PageResult> {
  const result = await visit.send<{ codes: string[] }>('POST', '/v1/me/recovery_codes')
  if (result.code === null) return codesShown(visit, visitor, result, [result.data.codes, 'profile'])
  return refusalOf(result, visitor) ?? pageProblem(deps, visit, visitor, result)
}

export const accountPages = (deps: SignInPageDeps): readonly PageDefinition[] => [
  {
    method: 'GET',
    path: '/account',
    summary: 'The page of your account',
    visit: signedIn((visit, visitor) => accountShown(deps, visit, visitor)),
  },
  ...actions.map(action => actionPage(deps, action)),
  {
    method: 'POST',
    path: '/account/workspace',
    summary: 'Choose another workspace by the form',
    visit: signedIn((visit, visitor) => changeWorkspace(deps, visit, visitor)),
  },
  {
    method: 'POST',
    path: '/account/totp',
    summary: 'Begin with an authenticator app by the form',
    visit: withSession((visit, visitor) => startTotp(deps, visit, visitor)),
  },
  {
    method: 'POST',
    path: '/account/totp/confirm',
    summary: 'Turn the authenticator app on by the form',
    visit: withSession((visit, visitor) => confirmTotp(deps, visit, visitor)),
  },
  {
    method: 'POST',
    path: '/account/recovery-codes',
    summary: 'Make new recovery codes by the form',
    visit: signedIn((visit, visitor) => newCodes(deps, visit, visitor)),
  },
]
