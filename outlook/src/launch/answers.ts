// What the service answers for an address, and the last answer of each address, for a service that is slow or away.
import type { AddInSettings, SignatureAnswer, TroubleReport } from '../wire.ts'
import { afterwards, failWith, type Trouble, within } from './outlook.ts'

declare const SIGNOFF: AddInSettings

interface FetchOptions {
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: string
}
interface FetchAnswer {
  readonly ok: boolean
  readonly status: number
  json(): Promise<unknown>
}
declare const fetch: (address: string, options: FetchOptions) => Promise<FetchAnswer>

interface Store {
  getItem(key: string): string | null | Promise<string | null>
  setItem(key: string, value: string): unknown
}
declare const localStorage: Store | undefined
declare const OfficeRuntime: { readonly storage?: Store } | undefined

/** Resolves with null where there is no token. */
export type TokenSource = () => Promise<string | null>

const month = 30 * 24 * 3_600_000

/** With a stored answer, how long to wait for the service; without one; and for everything that is not the answer. */
const patience = { stored: 3_000, nothing: 10_000, aside: 3_000 }

/** Browsers throw when storage is denied to frames. Classic Outlook has no localStorage, and often no OfficeRuntime. */
function findStore(): Store | undefined {
  try {
    if (localStorage) return localStorage
  } catch {
    // Denied, or not there.
  }
  return OfficeRuntime?.storage
}

const keyOf = (from: string): string => `signoff:${from}`

/** Null when nothing is stored, or what is stored is older than a month. */
export const loadAnswer = (from: string): Promise<SignatureAnswer | null> =>
  within(
    patience.aside,
    Promise.resolve().then(() => findStore()?.getItem(keyOf(from))),
  )
    .then(text => {
      const { at, answer } = JSON.parse(text ?? '')
      return Date.now() - at < month ? answer : null
    })
    .catch(() => null)

const saveAnswer = (from: string, answer: SignatureAnswer | null): Promise<unknown> =>
  within(
    patience.aside,
    Promise.resolve().then(() =>
      findStore()?.setItem(keyOf(from), JSON.stringify({ at: Date.now(), answer })),
    ),
  ).catch(() => null)

/** A spread would add a helper of 1 kB to the script. */
const identityOf = (bearer: string | null, headers: Record<string, string>): Record<string, string> => {
  if (bearer) headers.authorization = `Bearer ${bearer}`
  return headers
}

/** The service does not want to answer. 408 and 429: it cannot answer now. */
const isRefusal = (status: number): boolean =>
  status > 399 && status < 500 && status !== 408 && status !== 429

/** `GET {base}/{path}?from=`; resolves with the value of `data`. */
export const requestData = <T>(path: string, from: string, token: TokenSource): Promise<T> =>
  token().then(bearer =>
    fetch(`${SIGNOFF.base}/${path}?from=${encodeURIComponent(from)}`, {
      headers: identityOf(bearer, {}),
    }).then(
      answer => {
        if (answer.ok)
          return answer.json().then(
            body => (body as { data: T }).data,
            () => failWith('fetch_failed'),
          )
        if (!isRefusal(answer.status)) return failWith('fetch_failed')
        return failWith(SIGNOFF.auth === 'naa' && !bearer ? 'no_token' : 'refused')
      },
      () => failWith('fetch_failed'),
    ),
  )

export interface Obtained {
  readonly answer: SignatureAnswer
  /** Resolves when a newer answer is stored, or will not come any more. */
  readonly refreshed: Promise<unknown>
}

/**
 * Asks the service. A stored answer replaces an answer that fails or is late. A refusal takes the stored answer away:
 * otherwise a revoked token would go on for a month.
 */
export const obtainAnswer = (from: string, token: TokenSource): Promise<Obtained> =>
  loadAnswer(from).then(stored => {
    let usable = stored
    const fresh = within(
      patience.nothing,
      requestData<SignatureAnswer>('signature', from, token).then(
        answer => saveAnswer(from, answer).then(() => answer),
        (problem: Trouble) => {
          if (problem.trouble !== 'refused' && problem.trouble !== 'no_token') throw problem
          usable = null
          return saveAnswer(from, null).then(() => Promise.reject(problem))
        },
      ),
    )
    const answered = stored
      ? Promise.race([
          fresh.catch(problem => usable || Promise.reject(problem)),
          afterwards(patience.stored, () => usable || fresh),
        ])
      : fresh
    return answered.then(answer => ({ answer, refreshed: fresh.catch(() => null) }))
  })

export const reportTrouble = (report: TroubleReport, token: TokenSource): Promise<unknown> =>
  within(
    patience.aside,
    token().then(bearer =>
      fetch(`${SIGNOFF.base}/trouble`, {
        method: 'POST',
        headers: identityOf(bearer, { 'content-type': 'application/json' }),
        body: JSON.stringify(report),
      }),
    ),
  ).catch(() => null)

/** Begins the addresses of links, pictures and the pixel in signatures. */
export const ownAddress = (): string => SIGNOFF.base.replace(/outlook\/[^/]*$/, '')
