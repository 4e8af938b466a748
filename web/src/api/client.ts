// The one client of the API. The session's cookie signs its requests; the dashboard knows no key.
import { type Me, Signoff, SignoffError } from '@signoff/sdk'
import { QueryClient } from '@tanstack/react-query'

const workspaceKey = 'signoff.workspace'

/** The workspace of this tab. Without one the service takes the last that the person has used. */
export const chosenWorkspace = (): string | undefined => sessionStorage.getItem(workspaceKey) ?? undefined

/** Loads the dashboard anew, so that nothing of the other workspace stays in memory. */
export function switchWorkspace(id: string): void {
  sessionStorage.setItem(workspaceKey, id)
  location.assign('/')
}

export const forgetWorkspace = (): void => sessionStorage.removeItem(workspaceKey)

export const api = new Signoff({ url: '/', workspace: chosenWorkspace() })

/** Codes of answers after which a page of the sign-in has to go on. */
const signInCodes = new Set(['missing_session', 'session_expired', 'second_factor_required', 'sso_required'])

export const needsSignIn = (error: unknown): boolean =>
  error instanceof SignoffError && (signInCodes.has(error.code) || error.status === 401)

export function goToSignIn(): void {
  const { pathname, search } = location
  location.assign(`/sign-in?return_to=${encodeURIComponent(pathname + search)}`)
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

export type Scope = Me['scopes'][number]
export type Role = Me['member']['role']
