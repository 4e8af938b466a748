// Requests to the Admin SDK's Directory API, as an administrator of the domain. Only reads.
import { setTimeout as sleep } from 'node:timers/promises'
import { DirectoryError } from '#features/people/directories/index.ts'
import { minute } from '#kernel/base/durations.ts'
import { unreachableText } from '../http/json-client.ts'
import { readRetryAfter } from '../http/retry-after.ts'
import {
  createGoogleTokens,
  type GoogleTokens,
  googleTokenUri,
  readServiceAccount,
  type ServiceAccount,
} from './account.ts'
import { createGoogleClient, type GoogleAnswer, googleReason } from './request.ts'

const scope = (name: string): string => `https://www.googleapis.com/auth/admin.directory.${name}.readonly`

export const directoryScopes = {
  users: scope('user'),
  groups: scope('group'),
  orgUnits: scope('orgunit'),
  domains: scope('domain'),
} as const

export interface AdminAccess {
  readonly settings: Readonly<Record<string, unknown>>
  readonly secret: string | null
  readonly signal: AbortSignal
  /** Not those that runs share: a test must find out whether Google gives tokens now. */
  readonly freshTokens?: GoogleTokens
}

/** For a test of the connection. */
export const freshTokens = (): GoogleTokens => createGoogleTokens(send)

export type AdminBody = Readonly<Record<string, unknown>>

const send = createGoogleClient(32 * 1024 * 1024)
const tokens = createGoogleTokens(send)

const requestMilliseconds = minute
const limits = new Set(['userRateLimitExceeded', 'rateLimitExceeded', 'quotaExceeded', 'dailyLimitExceeded'])

/** Attempts of one request. The pauses grow with jitter, to two seconds at most: the next run is some minutes later. */
const maxAttempts = 4
const pauseBefore = (attempt: number): number => 125 * 2 ** attempt * (1 + Math.random())

function accountIn(secret: string | null): ServiceAccount {
  try {
    return readServiceAccount(secret ?? '')
  } catch (error) {
    throw new DirectoryError('access_lost', `The stored key ${(error as Error).message}.`)
  }
}

const refusal = (answer: GoogleAnswer): string => {
  const { message } = googleReason(answer)
  return `Google answered ${answer.status}${message === '' ? '' : `: ${message.slice(0, 300)}`}.`
}

const isPassing = (answer: GoogleAnswer): boolean =>
  answer.status === 429 || answer.status >= 500 || limits.has(googleReason(answer).reason)

/** The token endpoint refuses a key, an administrator, or scopes that are not delegated. */
function tokenError(answer: GoogleAnswer): DirectoryError {
  if (isPassing(answer)) return new DirectoryError('unavailable', refusal(answer))
  return new DirectoryError(
    'access_lost',
    `${refusal(answer)} Check the key, the administrator, and the domain-wide delegation of the service account.`,
  )
}

async function requestOnce(
  url: string,
  access: AdminAccess,
  scopes: readonly string[],
): Promise<GoogleAnswer> {
  const signal = AbortSignal.any([access.signal, AbortSignal.timeout(requestMilliseconds)])
  const tokenRequest = {
    account: accountIn(access.secret),
    user: String(access.settings.admin ?? ''),
    scopes,
    tokenUri: String(access.settings.token_uri ?? googleTokenUri),
    signal,
  }
  const { freshTokens: source = tokens } = access
  for (let isFirst = true; ; isFirst = false) {
    const token = await source.get(tokenRequest)
    if (typeof token !== 'string') throw tokenError(token)
    const answer = await send(url, {
      method: 'GET',
      headers: { authorization: `Bearer ${token}` },
      signal,
    })
    if (answer.status !== 401 || !isFirst) return answer
    source.forget(tokenRequest)
  }
}

/** The error for an answer that cannot be used: an error that passes, or an error for an admin. */
function errorOf(answer: GoogleAnswer): DirectoryError {
  if (isPassing(answer)) return new DirectoryError('unavailable', refusal(answer))
  if (answer.status === 401 || answer.status === 403)
    return new DirectoryError(
      'access_lost',
      `${refusal(answer)} The administrator must be allowed to read users, groups and org units, and the Admin SDK API must be enabled in the project of the service account.`,
    )
  return new DirectoryError('invalid_answer', refusal(answer))
}

/** A body of the right kind, or undefined for 404. An answer that was cut off has no kind. */
export async function readAdmin(
  path: string,
  kind: string,
  query: Readonly<Record<string, string>>,
  access: AdminAccess,
  scopes: readonly string[] = Object.values(directoryScopes),
  attempts = maxAttempts,
): Promise<AdminBody | undefined> {
  const base = String(access.settings.directory_api ?? 'https://admin.googleapis.com')
  const url = `${base}/admin/directory/v1/${path}?${new URLSearchParams(query)}`
  for (let attempt = 1; ; attempt++) {
    let failure: DirectoryError
    let wait: number | undefined
    try {
      const answer = await requestOnce(url, access, scopes)
      if (answer.status === 404) return undefined
      if (answer.status === 200 && answer.body.kind === kind) return answer.body
      failure =
        answer.status === 200
          ? new DirectoryError('unavailable', 'Google gave an answer that was cut off or makes no sense.')
          : errorOf(answer)
      wait = readRetryAfter(answer.retryAfter)
    } catch (error) {
      access.signal.throwIfAborted()
      failure =
        error instanceof DirectoryError
          ? error
          : new DirectoryError('unavailable', unreachableText('Google', error, requestMilliseconds))
    }
    if (failure.code !== 'unavailable' || attempt >= attempts) throw failure
    await sleep(Math.min(wait ?? pauseBefore(attempt), minute), undefined, { signal: access.signal })
  }
}

/** All pages of a list. Google's page tokens are valid for three days. */
export async function* adminPages(
  path: string,
  kind: string,
  query: Readonly<Record<string, string>>,
  access: AdminAccess,
): AsyncGenerator<AdminBody> {
  for (let pageToken = ''; ; ) {
    const page = await readAdmin(path, kind, { ...query, ...(pageToken && { pageToken }) }, access)
    if (page === undefined) return
    yield page
    pageToken = typeof page.nextPageToken === 'string' ? page.nextPageToken : ''
    if (pageToken === '') return
  }
}
