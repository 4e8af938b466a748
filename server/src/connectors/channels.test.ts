// The contract that every push channel keeps.
import { beforeAll } from 'vitest'
import { createPublicFetch } from '#platform/public-fetch.ts'
import { basicScope, type GmailBehavior, type Google, startGoogle } from '#test/support/directories/google.ts'
import { describeChannelContract, type FakeProvider } from '#test/support/outside/channel-contract.ts'
import { type Receiver, startReceiver } from '#test/support/outside/webhook.ts'
import { gmailChannel } from './google/gmail.ts'
import { webhookChannel } from './webhook/channel.ts'

type Behaviour = Parameters<FakeProvider['behave']>[0]

const address = 'ada@example.com'
const secret = `whsec_${Buffer.from('a secret of twenty-four b').toString('base64')}`
const base = { workspaceId: 'w', integrationId: 'i' }
const slowness = 1_000

let receiver: Receiver
let google: Google
beforeAll(async () => {
  receiver = await startReceiver(() => secret)
  google = await startGoogle()
  google.users.set(address, new Map([[address, '']]))
})

const statuses: Readonly<Record<Behaviour, number>> = {
  well: 200,
  slow: 200,
  'refuse the address': 422,
  overloaded: 429,
  'locked out': 401,
  broken: 500,
}

function webhook(): FakeProvider {
  const fetchPublic = createPublicFetch({ privateTargets: ['127.0.0.1'] })
  const connectionTo = (url: string) => ({
    ...base,
    channel: 'webhook' as const,
    mode: 'push' as const,
    settings: { url },
    secret,
  })
  return {
    channel: webhookChannel(fetchPublic),
    withTimeout: milliseconds => webhookChannel(fetchPublic, milliseconds),
    connection: connectionTo(receiver.url),
    withPort: port => connectionTo(`http://127.0.0.1:${port}/`),
    address,
    last: () => receiver.mailboxes.get(address),
    count: () => receiver.writes.get(address) ?? 0,
    behave(how) {
      receiver.answer = () => statuses[how]
      receiver.delay = how === 'slow' ? slowness : 0
    },
  }
}

const behaviors: Readonly<Record<Behaviour, GmailBehavior>> = {
  well: 'well',
  slow: 'well',
  'refuse the address': 'no mailbox',
  overloaded: 'user rate',
  'locked out': 'not enabled',
  broken: 'down',
}

function gmail(): FakeProvider {
  const quota = async () => 0
  const connectionTo = (api: string) => ({
    ...base,
    channel: 'google_workspace' as const,
    mode: 'push' as const,
    settings: { api, token_uri: `${api}/token` },
    secret: google.keyFile,
  })
  return {
    channel: gmailChannel({ quota }),
    withTimeout: milliseconds => gmailChannel({ quota, milliseconds }),
    connection: connectionTo(google.api),
    withPort: port => connectionTo(`http://127.0.0.1:${port}`),
    address,
    last: () => google.sent.get(address)?.at(-1),
    count: () => google.sent.get(address)?.length ?? 0,
    behave(how) {
      google.behavior = () => behaviors[how]
      google.delay = how === 'slow' ? slowness : 0
      google.delegated = new Set([basicScope])
    },
  }
}

describeChannelContract('webhook', webhook)
describeChannelContract('google_workspace', gmail)
