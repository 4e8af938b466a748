// The one client of the API. The session's cookie signs its requests; the dashboard knows no key.
import { type Me, Signoff, SignoffError } from '@signoff/sdk'
import { QueryClient } from '@tanstack/react-query'
import { watchedFetch } from '#state/connection-state.ts'

const workspaceKey = 'signoff.workspace'

/** The workspace of this tab. Without one the service takes the last that the person has used. */
export const chosenWorkspace = (): string | undefined => sessionStorage.getItem(workspaceKey) ?? undefined

/** Loads the dashboard anew, so that nothing of the other workspace stays in memory. */
export function switchWorkspace(id: string): void {
  sessionStorage.setItem(workspaceKey, id)
  location.assign('/')
}

export const forgetWorkspace = (): void => sessionStorage.removeItem(workspaceKey)

export const api = new Signoff({ url: '/', workspace: chosenWorkspace(), fetch: watchedFetch })

/** Codes of answers after which a page of the sign-in has to go on. */
const signInCodes = new Set(['missing_session', 'session_expired', 'second_factor_required', 'sso_required'])

export const needsSignIn = (error: unknown): boolean =>
  error instanceof SignoffError && (signInCodes.has(error.code) || error.status === 401)

export function goToSignIn(path = '/sign-in'): void {
  const { pathname, search } = location
  location.assign(`${path}?return_to=${encodeURIComponent(pathname + search)}`)
}

/** Codes of a session that is good, but not for the workspace that it would act in. */
const refusals = new Set(['second_factor_required', 'sso_required', 'unverified_account', 'not_found'])

/** Leads to the page that goes on after `/v1/me` has failed; false when no page can. */
export function leaveRefused(error: unknown): boolean {
  if (!(error instanceof SignoffError)) return false
  const isRefused = refusals.has(error.code)
  if (!isRefused && !needsSignIn(error)) return false
  // The tab would choose the same workspace again.
  if (isRefused) forgetWorkspace()
  goToSignIn(isRefused ? '/sign-in/workspace' : '/sign-in')
  return true
}

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      gcTime: 10 * 60_000,
      // The client has retried already what can be retried.
      retry: false,
      refetchOnWindowFocus: true,
    },
    mutations: { retry: false },
  },
})

/** Queries whose keys begin with one of these names are read again. */
export const readAgain = (...names: readonly string[]): Promise<unknown> =>
  Promise.all(names.map(name => queryClient.invalidateQueries({ queryKey: [name] })))

export type Scope = Me['scopes'][number]
