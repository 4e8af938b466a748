// The relay as an integration: what can be set, and the test of its settings.
import { isDeepStrictEqual } from 'node:util'
import { claimedSenders, lockRelayClaims } from '#features/delivery/relay/index.ts'
import type { IntegrationKind, OpenIntegration, TestStep } from '#features/workspace/integrations/index.ts'
import { ownDomainsOf } from '#features/workspace/workspaces/index.ts'
import { invalid } from '#kernel/base/errors.ts'
import type { Db } from '#kernel/db/db.ts'
import { canBeSameClient, type RelayClientRule } from '../clients/clients.ts'
import { type HopAccess, hopOptionsOf } from '../next-hop/hop-access.ts'
import { HopError, type HopStage } from '../next-hop/hop-socket.ts'
import { hopTimeouts, NextHop } from '../next-hop/next-hop.ts'
import { type HopTarget, parseNextHop } from '../next-hop/target.ts'
import { keptRelaySecret, type OpenRelaySecret, readRelaySecret, separateSecrets } from './relay-secret.ts'
import {
  acceptRelaySettings,
  type RelaySettings,
  refuseForeignDomains,
  relayOperatorSettings,
  relaySecret,
  relaySendersOf,
  relaySettings,
  relaySettingsOf,
} from './settings.ts'

const passed = (name: string, message: string): TestStep => ({ name, ok: true, message, remedy: null })
const failed = (name: string, message: string, remedy: string): TestStep => ({
  name,
  ok: false,
  message,
  remedy,
})

const remedies: Readonly<Record<HopStage, string>> = {
  resolve:
    'Correct the host in next_hop. A host of the own network is set by the operator, with `signoff integrations add relay`.',
  connect: 'Check host and port of next_hop, and that the firewall lets this machine connect.',
  greeting: 'Allow the address of this machine at the next hop.',
  ehlo: 'Set SIGNOFF_RELAY_NAME to a name that the next hop accepts.',
  starttls: 'Switch TLS on at the next hop, or leave ?starttls=required out of next_hop.',
  certificate:
    'The certificate of the next hop must be valid for the host in next_hop. A private authority is named in SIGNOFF_RELAY_CLIENT_CA.',
  session: 'Try again; the next hop closed the connection.',
}

/** The steps in the order in which the connection takes them: those before the failed one worked. */
async function testHop(target: HopTarget, options: Parameters<typeof NextHop.open>[1]): Promise<TestStep[]> {
  const place = `${target.host}:${target.port}`
  const reachable = passed('next_hop', `${place} answers.`)
  try {
    const hop = await NextHop.open(target, options)
    hop.quit()
    const names = [...hop.features.keys()].join(', ') || 'no extensions'
    return [
      reachable,
      passed('ehlo', `It says EHLO, with ${names}.`),
      hop.isSecure
        ? passed('tls', 'The connection is encrypted.')
        : passed('tls', 'It offers no STARTTLS: messages go on unencrypted.'),
      ...(target.tls === 'opportunistic'
        ? []
        : [passed('certificate', `Its certificate is valid for ${target.host}.`)]),
    ]
  } catch (error) {
    if (!(error instanceof HopError)) throw error
    const { stage } = error
    const message = `${error.message.charAt(0).toUpperCase()}${error.message.slice(1)}.`
    const name =
      stage === 'starttls' ? 'tls' : stage === 'certificate' || stage === 'ehlo' ? stage : 'next_hop'
    return [...(name === 'next_hop' ? [] : [reachable]), failed(name, message, remedies[stage])]
  }
}

function testClients(clients: readonly RelayClientRule[], hasTls: boolean): TestStep {
  if (clients.some(({ certificateName }) => certificateName !== null) && !hasTls)
    return failed(
      'clients',
      'Certificates are named in clients, but the relay has no TLS.',
      'Set SIGNOFF_RELAY_TLS_CERT and SIGNOFF_RELAY_TLS_KEY.',
    )
  return passed('clients', `These may send: ${clients.map(({ text }) => text).join(', ')}.`.slice(0, 500))
}

const testSenders = ({ clients, domains }: RelaySettings, hasTls: boolean): TestStep[] => [
  testClients(clients, hasTls),
  domains.size === 0
    ? failed(
        'domains',
        'No domain may send: the workspace has no own domains.',
        'Set domains here, or the own domains in the settings of the workspace.',
      )
    : passed('domains', `Senders of these domains pass: ${[...domains].join(', ')}.`.slice(0, 500)),
]

async function test(
  { workspaceId, settings, secret }: OpenIntegration,
  db: Db,
  access: HopAccess,
): Promise<readonly TestStep[]> {
  const { header_secrets = {} } = readRelaySecret(secret)
  const used = relaySettingsOf(settings, await ownDomainsOf(db, workspaceId), header_secrets)
  const lacksSecret = relaySendersOf(settings, [], header_secrets).clients.some(
    ({ proof }) => proof?.value === null,
  )
  if (lacksSecret)
    return [
      failed(
        'clients',
        'The secret of a header is not stored.',
        'Set the clients again, with their secrets.',
      ),
    ]
  if (!used) return [failed('next_hop', 'The setting next_hop cannot be used.', 'Set next_hop again.')]
  const timeouts = { ...hopTimeouts, connect: 6_000 }
  return [
    ...(await testHop(used.nextHop, { ...hopOptionsOf(access, used), timeouts })),
    ...testSenders(used, access.certificate !== null),
  ]
}

/** Other names are judged when they are resolved: what DNS says can change after this. */
function refusePrivateHop(nextHop: string, { canReachHost }: HopAccess): void {
  const hop = parseNextHop(nextHop)
  if (typeof hop !== 'string' && !canReachHost(hop.host))
    throw invalid('settings.next_hop', 'invalid', {
      message:
        'settings.next_hop is not an address on the public internet: the operator sets those, on the command line',
    })
}

/**
 * Each sender belongs to one relay, which is told by the client and the domain of the sender. Refuses a relay whose row is written but not committed, if another one claims a sender of it; that one is not named,
 * because it can be in another workspace. The lock makes the second of two transactions at once see the first.
 */
async function refuseClaimedSenders(tx: Db, integrationId: string): Promise<void> {
  await lockRelayClaims(tx)
  const relays = (await claimedSenders(tx)).map(({ id, settings, own_domains }) => ({
    id,
    ...relaySendersOf(settings, own_domains),
  }))
  const saved = relays.find(({ id }) => id === integrationId)
  if (!saved) return
  for (const other of relays) {
    const domain = [...saved.domains].find(name => other.domains.has(name))
    if (other === saved || domain === undefined) continue
    const index = saved.clients.findIndex(client => other.clients.some(rule => canBeSameClient(client, rule)))
    const field = `settings.clients[${index}]`
    if (index >= 0)
      throw invalid(field, 'taken', {
        message: `${field}: another relay passes the mail of this client for ${domain} on already. Name another client or other domains, or disconnect the other relay.`,
      })
  }
}

export const relayKind = (access: HopAccess): IntegrationKind => ({
  kind: 'smtp_relay',
  title: 'SMTP relay',
  capabilities: ['channel'],
  defaultCapabilities: ['channel'],
  settings: relaySettings,
  operatorSettings: relayOperatorSettings,
  secret: relaySecret,
  dashboardUrl: null,
  async accept(
    { settings: sent, secret, isOperator, sentNames, storedSettings, workspaceId, openSecret },
    db,
  ) {
    const settings = acceptRelaySettings(sent, secret)
    if (!isOperator && settings.next_hop !== storedSettings.next_hop)
      refusePrivateHop(settings.next_hop, access)
    if (!isOperator && sentNames.has('domains'))
      refuseForeignDomains(settings, await ownDomainsOf(db, workspaceId))
    // The operator who changes another setting has not looked at a next hop that an API client has named.
    const isHopChosen = isOperator && sentNames.has('next_hop')
    const needsSecret = secret !== null || settings.clients.some(client => client.includes(';header='))
    const stored: OpenRelaySecret = needsSecret ? await keptRelaySecret(openSecret) : {}
    const { clients, secrets } = separateSecrets(settings.clients, stored.header_secrets)
    const sealed = { ...stored, ...secret, header_secrets: secrets }
    return {
      settings: { ...settings, clients, ...(isHopChosen && { private_next_hop: settings.next_hop }) },
      ...(!isDeepStrictEqual(sealed, { header_secrets: {}, ...stored }) && {
        secret: JSON.stringify(sealed),
      }),
    }
  },
  async onSave(tx, _by, { id, sentNames }) {
    if (sentNames.has('clients') || sentNames.has('domains')) await refuseClaimedSenders(tx, id)
    return undefined
  },
  test: (integration, db) => test(integration, db, access),
})
