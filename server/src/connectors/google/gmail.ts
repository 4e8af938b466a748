// Writes signatures into Gmail's settings. The service account acts as each user.
import { LRUCache } from 'lru-cache'
import {
  type Connection,
  failedDelivery,
  type MailboxToRead,
  type PushChannel,
  type ReadOutcome,
} from '#features/delivery/installations/index.ts'
import { unreachableText } from '../http/json-client.ts'
import type { Quota } from '../http/quota.ts'
import { createGoogleTokens, googleTokenUri, readServiceAccount, type ServiceAccount } from './account.ts'
import { outcomeOfGoogleError } from './gmail-refusals.ts'
import { createGoogleClient, type GoogleAnswer } from './request.ts'

export const gmailScopes = {
  /** For the primary address. */
  basic: 'https://www.googleapis.com/auth/gmail.settings.basic',
  /** Needed in addition for aliases. */
  sharing: 'https://www.googleapis.com/auth/gmail.settings.sharing',
} as const

/** Gmail refuses longer signatures. */
const maxCharacters = 10_000
/** Google allows 1,200,000 units per minute and project; an update takes 100. */
export const gmailUpdatesPerMinute = 12_000

export interface GmailOptions {
  readonly quota: Quota
  /** Timeout of a whole delivery, including the request for an access token. */
  readonly milliseconds?: number
}

export function gmailChannel({ quota, milliseconds = 15_000 }: GmailOptions): PushChannel {
  const send = createGoogleClient()
  const tokens = createGoogleTokens(send)
  const accounts = new LRUCache<string, ServiceAccount>({ max: 100 })

  const accountOf = ({ secret }: Connection): ServiceAccount => {
    const text = secret ?? ''
    const account = accounts.get(text) ?? readServiceAccount(text)
    accounts.set(text, account)
    return account
  }

  /** Writes `html` when it is given. Answers with the signature that is stored then. */
  async function ask(
    { primaryAddress: user, address }: MailboxToRead,
    { settings }: Connection,
    account: ServiceAccount,
    html?: string,
  ): Promise<ReadOutcome> {
    const isAlias = address.toLowerCase() !== user.toLowerCase()
    const needsSharing = isAlias && html !== undefined
    const signal = AbortSignal.timeout(milliseconds)
    const tokenRequest = {
      account,
      user,
      scopes: needsSharing ? [gmailScopes.basic, gmailScopes.sharing] : [gmailScopes.basic],
      tokenUri: String(settings.token_uri ?? googleTokenUri),
      signal,
    }
    for (let isFirst = true; ; isFirst = false) {
      const token = await tokens.get(tokenRequest)
      if (typeof token !== 'string') return outcomeOfGoogleError(token, isAlias)
      const answer = await send(sendAsUrl(settings, user, address), { ...requestOf(token, html), signal })
      if (answer.status === 200) return outcomeOfStored(answer)
      // When an admin withdraws the delegation and grants it again, Google refuses the tokens from before.
      if (answer.status === 401) tokens.forget(tokenRequest)
      if (answer.status !== 401 || !isFirst) return outcomeOfGoogleError(answer, isAlias)
    }
  }

  const askSafely = async (
    place: MailboxToRead,
    connection: Connection,
    html?: string,
  ): Promise<ReadOutcome> => {
    let account: ServiceAccount
    try {
      account = accountOf(connection)
    } catch (error) {
      return failedDelivery('access_lost', `The stored key ${(error as Error).message}.`, 'halt')
    }
    const wait = html === undefined ? 0 : await quota(connection)
    if (wait > 0) return quotaOutcomeOf(wait)
    try {
      return await ask(place, connection, account, html)
    } catch (error) {
      return failedDelivery('unreachable', unreachableText('Google', error, milliseconds), 'retry')
    }
  }

  return {
    name: 'google_workspace',
    atOnce: 16,
    async deliver(delivery, connection) {
      const { length } = delivery.html
      if (length > maxCharacters)
        return failedDelivery(
          'signature_too_long',
          `Gmail takes ${maxCharacters} characters; these are ${length}.`,
          'reject',
        )
      const outcome = await askSafely(delivery, connection, delivery.html)
      // Gmail removes comments and some properties, and rewrites tags: the visible result is the same.
      if (outcome.ok && outcome.stored === '' && delivery.html !== '')
        return failedDelivery('refused', 'Gmail kept nothing of the signature.', 'reject')
      return outcome
    },
    // A read takes 1 of 1,200,000 units per minute, a write 100: reads do not count against the quota of writes.
    read: (place, connection) => askSafely(place, connection),
  }
}

const sendAsUrl = (settings: Connection['settings'], user: string, address: string): string => {
  const base = String(settings.api ?? 'https://gmail.googleapis.com')
  return `${base}/gmail/v1/users/${encodeURIComponent(user)}/settings/sendAs/${encodeURIComponent(address)}`
}

function requestOf(token: string, html: string | undefined) {
  const authorization = `Bearer ${token}`
  if (html === undefined) return { method: 'GET' as const, headers: { authorization } }
  return {
    method: 'PATCH' as const,
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ signature: html }),
  }
}

/** Adds up to 3 random seconds, so that not all processes retry at the same moment. */
const quotaOutcomeOf = (wait: number): ReadOutcome => ({
  ok: false,
  code: 'rate_limited',
  message: `The quota of ${gmailUpdatesPerMinute} updates a minute is used up.`,
  next: 'retry',
  afterMilliseconds: wait + Math.round(Math.random() * 3_000),
  quotaExhausted: true,
})

/** Gmail answers with the HTML that it stored. */
const outcomeOfStored = ({ body: { signature } }: GoogleAnswer): ReadOutcome =>
  typeof signature === 'string'
    ? { ok: true, stored: signature }
    : failedDelivery('unreachable', 'What answered 200 was not the Gmail API.', 'retry')
