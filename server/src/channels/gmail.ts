// Signatures written into Gmail's settings, for each person in their own name.
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
import { gmailOutcomeOf } from './gmail-refusals.ts'
import type { Quota } from './quota.ts'

export const gmailScopes = {
  /** For the primary address. */
  basic: 'https://www.googleapis.com/auth/gmail.settings.basic',
  /** For aliases, besides. */
  sharing: 'https://www.googleapis.com/auth/gmail.settings.sharing',
} as const

/** Gmail refuses longer ones. */
const mostCharacters = 10_000
/** 1,200,000 units a minute and project, of which an update takes 100. */
export const gmailUpdatesPerMinute = 12_000

export interface GmailOptions {
  readonly quota: Quota
  /** For a delivery as a whole. */
  readonly milliseconds?: number
}

export function gmailChannel({ quota, milliseconds = 15_000 }: GmailOptions): PushChannel {
  const ask = createGoogleClient()
  const tokens = createAccessTokens(ask)
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
    return ask(`${base}/gmail/v1/users/${user}/settings/sendAs/${alias}`, {
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
    const wish = {
      account,
      user: delivery.primaryAddress,
      scopes: isAlias ? [gmailScopes.basic, gmailScopes.sharing] : [gmailScopes.basic],
      tokenUri: String(connection.settings.token_uri ?? googleTokenUri),
      signal,
    }
    for (let isFirst = true; ; isFirst = false) {
      const token = await tokens.get(wish)
      if (typeof token !== 'string') return gmailOutcomeOf(token, isAlias)
      const answer = await patch(delivery, connection, token, signal)
      if (answer.status === 200) return outcomeOfSaved(delivery, answer)
      // Delegation that was withdrawn and given back leaves tokens that are of no use any more.
      if (answer.status === 401) tokens.forget(wish)
      if (answer.status !== 401 || !isFirst) return gmailOutcomeOf(answer, isAlias)
    }
  }

  return {
    name: 'google_workspace',
    atOnce: 16,
    async deliver(delivery, connection) {
      const { length } = delivery.html
      if (length > mostCharacters)
        return failedDelivery(
          'signature_too_long',
          `Gmail takes ${mostCharacters} characters; these are ${length}.`,
          'reject',
        )
      let account: ServiceAccount
      try {
        account = accountOf(connection)
      } catch (error) {
        return failedDelivery('access_lost', `The stored key ${(error as Error).message}.`, 'halt')
      }
      const wait = await quota(connection)
      if (wait > 0) return usedUp(wait)
      try {
        return await write(delivery, connection, account)
      } catch (error) {
        return failedDelivery('unreachable', troubleIn(error, milliseconds), 'retry')
      }
    },
  }
}

/** Spread over some seconds, so that the processes do not all come back at once. */
const usedUp = (wait: number): DeliveryOutcome => ({
  ok: false,
  code: 'rate_limited',
  message: `The quota of ${gmailUpdatesPerMinute} updates a minute is used up.`,
  next: 'retry',
  afterMilliseconds: wait + Math.round(Math.random() * 3_000),
  quotaExhausted: true,
})

/**
 * The answer holds what was stored. Gmail drops comments and properties that it does not like and writes tags its own way; that changes
 * nothing to be seen and is not worth a failure. One that holds nothing of what was sent is.
 */
function outcomeOfSaved({ html }: Delivery, { body: { signature } }: GoogleAnswer): DeliveryOutcome {
  if (typeof signature !== 'string')
    return failedDelivery('unreachable', 'What answered 200 was not the Gmail API.', 'retry')
  if (signature === '' && html !== '')
    return failedDelivery('refused', 'Gmail kept nothing of the signature.', 'reject')
  return { ok: true }
}

function troubleIn(error: unknown, milliseconds: number): string {
  const { name, code } = error as { name?: string; code?: string }
  if (name === 'TimeoutError') return `Google gave no full answer within ${milliseconds / 1_000} seconds.`
  return `Google cannot be reached${code ? ` (${code})` : ''}.`
}
