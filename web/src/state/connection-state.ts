// Whether the service answers and the session is good, as the requests of this page tell.
import { createStore, useStore } from './create-store.ts'

export type ServiceState = 'here' | 'away' | 'signedOut'

const state = createStore<ServiceState>('here')

export const useServiceState = (): ServiceState => useStore(state)

export const isReachable = (): Promise<boolean> =>
  fetch('/readyz', { cache: 'no-store', signal: AbortSignal.timeout(5_000) }).then(
    ({ ok }) => ok,
    () => false,
  )

const retryMilliseconds = 3_000

async function waitForService(): Promise<void> {
  while (!(await isReachable())) {
    state.setState('away')
    await new Promise(resolve => setTimeout(resolve, retryMilliseconds))
  }
  if (state.getState() === 'away') state.setState('here')
}

let waiting: Promise<void> | undefined

/** After a failed request, which can fail although the service is here: returns when the service answers. */
export function askService(): Promise<void> {
  waiting ??= waitForService().finally(() => {
    waiting = undefined
  })
  return waiting
}

export const setSignedIn = (): void => state.setState('here')

const gatewayFailures = [502, 503, 504]

/** `fetch` for all requests to the API. */
export const watchedFetch: typeof fetch = async (input, init) => {
  try {
    const answer = await fetch(input, init)
    if (answer.status === 401) state.setState('signedOut')
    if (gatewayFailures.includes(answer.status)) void askService()
    return answer
  } catch (error) {
    if (!init?.signal?.aborted) void askService()
    throw error
  }
}
