// The routes of a person's own account. API keys cannot use them, so the SDK has none of them.
import { type ErrorBody, SignoffError } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { watchedFetch } from '#state/connection-state.ts'
import { readAgain } from './client.ts'

export interface Profile {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly locale: 'en' | 'de' | null
}

export interface Passkey {
  readonly id: string
  readonly name: string
  readonly created_at: string
  readonly last_used_at: string | null
}

export interface SecondFactors {
  readonly totp: { readonly enabled: boolean }
  readonly passkeys: readonly Passkey[]
  readonly recovery_codes: { readonly remaining: number }
  readonly has_password: boolean
}

export interface BrowserSession {
  readonly id: string
  readonly browser: string
  readonly network: string
  readonly current: boolean
  readonly created_at: string
  readonly last_used_at: string
}

export interface TotpSetUp {
  readonly secret: string
  readonly uri: string
  readonly qr_code: string
}

/** The browser is on its way to another page: nothing more is shown here. */
export const leaveTo = (go: () => void): Promise<never> => {
  go()
  return new Promise(() => undefined)
}

/** Some changes need a sign-in of the last 15 minutes. */
const signInAgain = () => location.assign('/sign-in?again=1&return_to=%2Faccount')

export async function accountCall<Data = undefined>(
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: object,
): Promise<Data> {
  const answer = await watchedFetch(path, {
    method,
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })
  const read = answer.status === 204 ? {} : await answer.json()
  if (answer.ok) return read.data
  const error = new SignoffError(read as ErrorBody, answer.status, answer.headers)
  if (error.code === 'recent_sign_in_required') return leaveTo(signInAgain)
  throw error
}

const isSsoRefusal = (error: unknown): boolean =>
  error instanceof SignoffError && error.code === 'own_sign_in_required'

/** Null for a session of single sign-on: it is good for its workspace, and must not see the account. */
const unlessSso = <Data>(request: Promise<Data>): Promise<Data | null> =>
  request.catch((error: unknown) => {
    if (isSsoRefusal(error)) return null
    throw error
  })

const queryOf = <Data>(name: string, path: string) => ({
  queryKey: ['account', name],
  queryFn: () => unlessSso(accountCall<Data>('GET', path)),
})

export const useProfile = () => useQuery(queryOf<Profile>('profile', '/v1/me/account'))
export const useSecondFactors = () => useQuery(queryOf<SecondFactors>('factors', '/v1/me/second_factors'))
export const useSessions = () =>
  useQuery(queryOf<readonly BrowserSession[]>('sessions', '/v1/sessions?limit=100'))

export const refreshAccount = () => readAgain('account')
