// Setting up an authenticator app during a sign-in: a workspace requires a second factor, and the account has none yet.
// The dashboard does the same for an account that is signed in.
import { drawTotpQr, type NewTotp } from '#features/access/second-factors/index.ts'
import type { CallResult } from '../calls.ts'
import { emptyForm, type FormState } from '../fields.ts'
import { problemsOf, statusOf } from '../problems.ts'
import { type PageDefinition, type PageResult, pathWith, redirect, show, type Visit } from '../visit.ts'
import { recoveryCodesPage, totpSetUpPage } from './app-set-up-view.ts'
import { continuePath, factorPath } from './paths.ts'

/** Refusals that are no fault of the form. */
function refusalOf({ code, cookies }: CallResult, { form, visitor }: Visit): PageResult | null {
  const { return_to } = form
  const back = pathWith(factorPath, { return_to })
  if (!visitor || code === 'missing_session' || code === 'session_expired')
    return redirect(pathWith('/sign-in', { done: visitor ? 'ended' : undefined, return_to }), cookies)
  if (code === 'recent_sign_in_required')
    return redirect(pathWith('/sign-in', { again: '1', return_to: back }), cookies)
  // The page with the codes was loaded again, or the account has another factor: the next sign-in asks for it.
  if (code === 'second_factor_exists' || code === 'second_factor_required' || code === 'own_sign_in_required')
    return redirect(visitor.isPending ? back : continuePath(return_to), cookies)
  return null
}

const setUpPage = (visit: Visit, setUp: NewTotp, form: FormState) =>
  totpSetUpPage(visit.context, setUp, { form, returnTo: visit.form.return_to })

async function startTotp(visit: Visit): Promise<PageResult> {
  const result = await visit.send<NewTotp>('POST', '/v1/me/totp')
  if (result.code === null)
    return { ...show(setUpPage(visit, result.data, emptyForm)), cookies: result.cookies }
  return refusalOf(result, visit) ?? redirect(pathWith(factorPath, { return_to: visit.form.return_to }))
}

/** Longer texts come from no form of ours. */
const isSetUp = (secret: string, uri: string): boolean =>
  /^[A-Z2-7]{16,64}$/.test(secret) && uri.startsWith('otpauth://totp/') && uri.length <= 800

async function confirmTotp(visit: Visit): Promise<PageResult> {
  const { context, visitor, form } = visit
  const { code = '', secret = '', uri = '', return_to } = form
  const result = await visit.send<{ recovery_codes: string[] }>('POST', '/v1/me/totp/confirm', {
    body: { code },
  })
  const next = continuePath(return_to)
  if (result.code === null) {
    const { recovery_codes: codes } = result.data
    const { cookies } = result
    // The codes are shown in the answer to the form: no redirect could carry them.
    return codes.length === 0
      ? redirect(next, cookies)
      : { ...show(recoveryCodesPage(context, { codes, next, email: visitor?.email ?? '' })), cookies }
  }
  const refusal = refusalOf(result, visit)
  if (refusal) return refusal
  if (!isSetUp(secret, uri)) return redirect(pathWith(factorPath, { return_to }))
  const problems = problemsOf(context.t, result, {
    invalid_credentials: ['code', 'wrong_code'],
    'code:invalid': ['code', 'wrong_code'],
  })
  const setUp = { secret, uri, qr_code: await drawTotpQr(uri) }
  return show(setUpPage(visit, setUp, { values: {}, problems }), statusOf(result))
}

export const appSetUpPages: readonly PageDefinition[] = [
  {
    method: 'POST',
    path: `${factorPath}/app`,
    summary: 'Begin with an authenticator app by the form',
    visit: startTotp,
  },
  {
    method: 'POST',
    path: `${factorPath}/app/confirm`,
    summary: 'Turn the authenticator app on by the form',
    visit: confirmTotp,
  },
]
