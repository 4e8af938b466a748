// Requests to Microsoft Graph, as an app registration. Only reads.
import { setTimeout as sleep } from 'node:timers/promises'
import { DirectoryError } from '#features/people/directories/index.ts'
import { minute } from '#kernel/base/durations.ts'
import { unreachableText } from '../http/json-client.ts'
import { readRetryAfter } from '../http/retry-after.ts'
import { endpointsOf } from './clouds.ts'
import { CredentialProblem, openCredential } from './credentials.ts'
import { createGraphTokens, type GraphTokenRequest, type GraphTokens } from './graph-tokens.ts'
import { tokenRemedy } from './remedies.ts'
import { createMicrosoftClient, type MicrosoftAnswer, microsoftReason } from './request.ts'

/** Application permissions of Microsoft Graph. */
export const graphPermissions = {
  users: 'User.Read.All',
  groups: 'GroupMember.Read.All',
  photos: 'ProfilePhoto.Read.All',
  domains: 'Domain.Read.All',
} as const
export type GraphPermission = (typeof graphPermissions)[keyof typeof graphPermissions]

export interface GraphAccess {
  readonly settings: Readonly<Record<string, unknown>>
  readonly secret: string | null
  readonly signal: AbortSignal
  /** Not those that runs share: a test must find out which permissions a new token has. */
  readonly freshTokens?: GraphTokens
}

export interface GraphRead {
  readonly permission: GraphPermission
  /** Answers that mean something besides 200. */
  readonly statuses?: readonly number[]
  readonly attempts?: number
  readonly headers?: Readonly<Record<string, string>>
  /** False: the answer was cut off, or comes from another system. */
  readonly isComplete: (answer: MicrosoftAnswer) => boolean
}

const send = createMicrosoftClient()
const tokens = createGraphTokens(send)
/** For a test of the connection. */
export const freshGraphTokens = (): GraphTokens => createGraphTokens(send)

const requestMilliseconds = minute
/** Attempts of one request. The pauses grow with jitter, to two seconds at most, unless Microsoft names a longer one. */
const maxAttempts = 4
const pauseBefore = (attempt: number): number => 125 * 2 ** attempt * (1 + Math.random())
/** Microsoft counts requests that come earlier than it allows. After a longer pause the next run goes on. */
const longestPause = minute

const isPassing = ({ status }: MicrosoftAnswer): boolean => status === 429 || status >= 500

export const refusalOf = (answer: MicrosoftAnswer): string => {
  const { code, message } = microsoftReason(answer)
  const text = message.trim().replace(/\.$/, '') || code
  return `Microsoft answered ${answer.status}${text === '' ? '' : `: ${text}`}.`
}

function tokenRequestOf({ settings, secret }: GraphAccess, signal: AbortSignal): GraphTokenRequest {
  try {
    const credential = openCredential(secret ?? '')
    return {
      endpoints: endpointsOf(settings),
      clientId: String(settings.client_id ?? ''),
      credential,
      signal,
    }
  } catch (error) {
    if (!(error instanceof CredentialProblem)) throw error
    throw new DirectoryError('access_lost', `The stored ${error.field} ${error.message}.`)
  }
}

/** The secret has expired, the certificate is not registered, the tenant does not exist. */
export class MicrosoftSignInRefused extends DirectoryError {
  readonly refusal: string
  readonly remedy: string

  constructor(answer: MicrosoftAnswer) {
    const refusal = refusalOf(answer)
    const remedy = tokenRemedy(microsoftReason(answer).code)
    super('access_lost', `${refusal} ${remedy}`)
    this.refusal = refusal
    this.remedy = remedy
  }
}

async function tokenOf(request: GraphTokenRequest, source: GraphTokens): Promise<string> {
  const token = await source.get(request)
  if (typeof token === 'string') return token
  if (isPassing(token)) throw new DirectoryError('unavailable', refusalOf(token))
  if (token.status === 200)
    throw new DirectoryError(
      'unavailable',
      'Microsoft gave an answer without a token, or one that was cut off.',
    )
  throw new MicrosoftSignInRefused(token)
}

/** For a test of the connection. Throws DirectoryError. */
export async function signInToMicrosoft(access: GraphAccess): Promise<void> {
  await tokenOf(tokenRequestOf(access, access.signal), access.freshTokens ?? tokens).catch(error => {
    throw error instanceof DirectoryError
      ? error
      : new DirectoryError('unavailable', unreachableText('Microsoft', error, requestMilliseconds))
  })
}

async function requestOnce(path: string, access: GraphAccess, read: GraphRead): Promise<MicrosoftAnswer> {
  const signal = AbortSignal.any([access.signal, AbortSignal.timeout(requestMilliseconds)])
  const tokenRequest = tokenRequestOf(access, signal)
  const { freshTokens: source = tokens } = access
  for (let isFirst = true; ; isFirst = false) {
    const token = await tokenOf(tokenRequest, source)
    const answer = await send(`${tokenRequest.endpoints.graph}${path}`, {
      method: 'GET',
      headers: { authorization: `Bearer ${token}`, ...read.headers },
      signal,
    })
    // A token has the permissions of the time when it was given: after a consent, a new one is needed.
    if (answer.status === 401 || answer.status === 403) source.forget(tokenRequest)
    if (answer.status !== 401 || !isFirst) return answer
  }
}

function errorOf(answer: MicrosoftAnswer, { permission, isComplete }: GraphRead): DirectoryError | undefined {
  if (answer.status === 200)
    return isComplete(answer)
      ? undefined
      : new DirectoryError('unavailable', 'Microsoft gave an answer that was cut off or makes no sense.')
  if (isPassing(answer)) return new DirectoryError('unavailable', refusalOf(answer))
  if (answer.status === 401 || answer.status === 403)
    return new DirectoryError(
      'access_lost',
      `${refusalOf(answer)} The app registration needs the application permission ${permission}, with admin consent.`,
    )
  return new DirectoryError('invalid_answer', refusalOf(answer))
}

/** `path` begins with `/v1.0/`. */
export async function readGraph(
  path: string,
  access: GraphAccess,
  read: GraphRead,
): Promise<MicrosoftAnswer> {
  const { statuses = [], attempts = maxAttempts } = read
  for (let attempt = 1; ; attempt++) {
    let failure: DirectoryError
    let wait: number | undefined
    try {
      const answer = await requestOnce(path, access, read)
      if (statuses.includes(answer.status)) return answer
      const error = errorOf(answer, read)
      if (!error) return answer
      failure = error
      wait = readRetryAfter(answer.retryAfter)
    } catch (error) {
      access.signal.throwIfAborted()
      failure =
        error instanceof DirectoryError
          ? error
          : new DirectoryError('unavailable', unreachableText('Microsoft', error, requestMilliseconds))
    }
    const pause = wait ?? pauseBefore(attempt)
    if (failure.code !== 'unavailable' || attempt >= attempts || pause > longestPause) throw failure
    await sleep(pause, undefined, { signal: access.signal })
  }
}
