// Writes signatures into Gmail's settings. The service account acts as each user.
import { LRUCache } from 'lru-cache'
import {
  type Connection,
  type Delivery,
  type DeliveryOutcome,
  failedDelivery,
  type PushChannel,
} from '#features/installations/index.ts'
import {
  createAccessTokens,
  googleTokenUri,
  readServiceAccount,
  type ServiceAccount,
} from '#providers/google/account.ts'
import { createGoogleClient, type GoogleAnswer } from '#providers/google/request.ts'
import { outcomeOfGoogleError } from './gmail-refusals.ts'
import type { Quota } from './quota.ts'

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
  const tokens = createAccessTokens(send)
  const accounts = new LRUCache<string, ServiceAccount>({ max: 100 })

  const accountOf = ({ secret }: Connection): ServiceAccount => {
    const text = secret ?? ''
    const account = accounts.get(text) ?? readServiceAccount(text)
    accounts.set(text, account)
    return account
  }

  const patch = (
    delivery: Delivery,
    { settings }: Connection,
    token: string,
    signal: AbortSignal,
  ): Promise<GoogleAnswer> => {
    const [user, alias] = [delivery.primaryAddress, delivery.address].map(encodeURIComponent)
    const base = String(settings.api ?? 'https://gmail.googleapis.com')
    return send(`${base}/gmail/v1/users/${user}/settings/sendAs/${alias}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ signature: delivery.html }),
      signal,
    })
  }

  async function write(
    delivery: Delivery,
    connection: Connection,
    account: ServiceAccount,
  ): Promise<DeliveryOutcome> {
    const isAlias = delivery.address.toLowerCase() !== delivery.primaryAddress.toLowerCase()
    const signal = AbortSignal.timeout(milliseconds)
    const tokenRequest = {
      account,
      user: delivery.primaryAddress,
      scopes: isAlias ? [gmailScopes.basic, gmailScopes.sharing] : [gmailScopes.basic],
      tokenUri: String(connection.settings.token_uri ?? googleTokenUri),
      signal,
    }
    for (let isFirst = true; ; isFirst = false) {
      const token = await tokens.get(tokenRequest)
      if (typeof token !== 'string') return outcomeOfGoogleError(token, isAlias)
      const answer = await patch(delivery, connection, token, signal)
      if (answer.status === 200) return outcomeOfSaved(delivery, answer)
      // When an admin withdraws the delegation and grants it again, Google refuses the tokens from before.
      if (answer.status === 401) tokens.forget(tokenRequest)
      if (answer.status !== 401 || !isFirst) return outcomeOfGoogleError(answer, isAlias)
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
      let account: ServiceAccount
      try {
        account = accountOf(connection)
      } catch (error) {
        return failedDelivery('access_lost', `The stored key ${(error as Error).message}.`, 'halt')
      }
      const wait = await quota(connection)
      if (wait > 0) return quotaOutcomeOf(wait)
      try {
        return await write(delivery, connection, account)
      } catch (error) {
        return failedDelivery('unreachable', describeError(error, milliseconds), 'retry')
      }
    },
  }
}

/** Adds up to 3 random seconds, so that not all processes retry at the same moment. */
const quotaOutcomeOf = (wait: number): DeliveryOutcome => ({
  ok: false,
  code: 'rate_limited',
  message: `The quota of ${gmailUpdatesPerMinute} updates a minute is used up.`,
  next: 'retry',
  afterMilliseconds: wait + Math.round(Math.random() * 3_000),
  quotaExhausted: true,
})

/**
 * Gmail answers with the HTML that it stored. It removes comments and some properties, and rewrites tags: the visible
 * result is the same, so this is no failure. An empty result is a failure.
 */
function outcomeOfSaved({ html }: Delivery, { body: { signature } }: GoogleAnswer): DeliveryOutcome {
  if (typeof signature !== 'string')
    return failedDelivery('unreachable', 'What answered 200 was not the Gmail API.', 'retry')
  if (signature === '' && html !== '')
    return failedDelivery('refused', 'Gmail kept nothing of the signature.', 'reject')
  return { ok: true }
}

function describeError(error: unknown, milliseconds: number): string {
  const { name, code } = error as { name?: string; code?: string }
  if (name === 'TimeoutError') return `Google gave no full answer within ${milliseconds / 1_000} seconds.`
  return `Google cannot be reached${code ? ` (${code})` : ''}.`
}
