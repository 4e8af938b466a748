// The settings of a relay: what they can be, and what they mean.
import { createPrivateKey } from 'node:crypto'
import { type Static, Type } from 'typebox'
import { type RelayedMail, relayedMails } from '#features/delivery/relay/index.ts'
import { canonicalDomain } from '#features/workspace/workspaces/index.ts'
import { OneOf } from '#kernel/api/validation.ts'
import { ClosedObject } from '#kernel/base/closed.ts'
import { type Detail, detail, validationError } from '#kernel/base/errors.ts'
import { type HeaderSecrets, parseClient, type RelayClientRule, relayClientsOf } from '../clients/clients.ts'
import { sharedSenderProblem } from '../clients/shared-senders.ts'
import { type HopTarget, parseNextHop } from '../next-hop/target.ts'

export const relaySettings = ClosedObject({
  next_hop: Type.String({
    minLength: 1,
    maxLength: 500,
    description:
      'Where messages go on to: `smtp://host:port`, `smtps://host:port`, or `smtp://host:port?starttls=required`. The last two check the certificate of the host.',
    examples: ['smtp://smtp-relay.gmail.com:587?starttls=required'],
  }),
  clients: Type.Array(Type.String({ minLength: 1, maxLength: 300 }), {
    minItems: 1,
    maxItems: 200,
    uniqueItems: true,
    description:
      'Who may send: IP addresses, networks such as `10.0.0.0/8`, and `cn:mail.example.com` for the name in a certificate. `;tenant=` and the id of a tenant of Microsoft 365 behind one admits the messages of that tenant alone; `;header=X-Name:secret` admits messages with that header, which is taken out. The secret is stored sealed and never returned: `;header=X-Name` keeps it.',
    examples: [['10.0.0.0/8', 'cn:mail.example.com']],
  }),
  domains: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 253 }), {
      minItems: 1,
      maxItems: 100,
      uniqueItems: true,
      description: 'Domains of senders. Default: the own domains of the workspace.',
    }),
  ),
  mails: Type.Optional(
    Type.Array(OneOf(relayedMails), {
      minItems: 1,
      uniqueItems: true,
      description:
        'Which mail gets a signature: to the outside, among colleagues, and whether replies get one too. Default: all.',
    }),
  ),
  stamp_timeout_ms: Type.Optional(
    Type.Integer({
      minimum: 50,
      maximum: 30_000,
      description: 'After so many milliseconds a message goes on without a signature. Default: 2000.',
    }),
  ),
})

/** The operator can name a host of the own network; an API client cannot, unless SIGNOFF_PRIVATE_TARGETS allows it. */
export const relayOperatorSettings = Type.Object({
  private_next_hop: Type.Optional(Type.String({ maxLength: 500 })),
})

export const relaySecret = ClosedObject({
  dkim: ClosedObject({
    selector: Type.String({
      minLength: 1,
      maxLength: 63,
      pattern: '^[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*$',
    }),
    domain: Type.String({ minLength: 1, maxLength: 253 }),
    private_key: Type.String({ minLength: 1, maxLength: 20_000 }),
  }),
})

type Settings = Static<typeof relaySettings> & Static<typeof relayOperatorSettings>
export type DkimKey = Static<typeof relaySecret>['dkim']

const problem = (field: string, text: string): Detail => ({
  ...detail(field, 'invalid'),
  message: `${field} ${text}`,
})

/** Problems that the schema cannot express. */
function settingProblems({ next_hop, clients, domains = [], mails }: Settings): Detail[] {
  const hop = parseNextHop(next_hop)
  const isPointless = mails && !mails.includes('external') && !mails.includes('internal')
  return [
    ...(typeof hop === 'string' ? [problem('settings.next_hop', hop)] : []),
    ...clients.flatMap((client, index) => {
      const parsed = parseClient(client)
      const message = typeof parsed === 'string' ? parsed : sharedSenderProblem(parsed)
      return message === undefined ? [] : [problem(`settings.clients[${index}]`, message)]
    }),
    ...domains.flatMap((domain, index) =>
      canonicalDomain(domain) === undefined
        ? [problem(`settings.domains[${index}]`, 'must be a domain such as example.com')]
        : [],
    ),
    ...(isPointless ? [problem('settings.mails', 'must hold external or internal')] : []),
  ]
}

function secretProblems({ domain, private_key }: DkimKey): Detail[] {
  const problems: Detail[] = []
  if (canonicalDomain(domain) === undefined)
    problems.push(problem('secret.dkim.domain', 'must be a domain such as example.com'))
  try {
    const type = createPrivateKey(private_key).asymmetricKeyType
    if (type !== 'rsa' && type !== 'ed25519')
      problems.push(problem('secret.dkim.private_key', 'must be a key for RSA or Ed25519'))
  } catch {
    problems.push(problem('secret.dkim.private_key', 'must be a private key in PEM form, without a password'))
  }
  return problems
}

/** Throws all problems at once. Domains are stored in the spelling that envelopes are compared in. */
export function acceptRelaySettings(sent: object, secret: object | null): Settings {
  const settings = sent as Settings
  const { dkim } = (secret ?? {}) as { dkim?: DkimKey }
  const problems = [...settingProblems(settings), ...(dkim ? secretProblems(dkim) : [])]
  if (problems.length > 0) throw validationError(problems)
  const { domains } = settings
  if (!domains) return settings
  return { ...settings, domains: [...new Set(domains.map(domain => canonicalDomain(domain) ?? domain))] }
}

/** A domain of others would make their senders ambiguous, and mail in their name pass. The operator can set any. */
export function refuseForeignDomains({ domains = [] }: Settings, ownDomains: readonly string[]): void {
  const own = new Set(ownDomains)
  const problems = domains.flatMap((domain, index) =>
    own.has(domain)
      ? []
      : [
          problem(
            `settings.domains[${index}]`,
            'must be an own domain of the workspace; the operator can set others',
          ),
        ],
  )
  if (problems.length > 0) throw validationError(problems)
}

/** Stored settings with their defaults, ready for use. */
export interface RelaySettings {
  readonly nextHop: HopTarget
  /** The operator has chosen this hop, so it may be in the own network. */
  readonly isHopTrusted: boolean
  readonly clients: readonly RelayClientRule[]
  readonly domains: ReadonlySet<string>
  readonly mails: ReadonlySet<RelayedMail>
  readonly stampMilliseconds: number
}

export type RelaySenders = Pick<RelaySettings, 'clients' | 'domains'>

/** Clients and domains that may send, also when the other settings cannot be used. */
export function relaySendersOf(
  stored: object,
  ownDomains: readonly string[],
  secrets: HeaderSecrets = {},
): RelaySenders {
  const { clients = [], domains } = stored as Partial<Settings>
  return { clients: relayClientsOf(clients, secrets), domains: new Set(domains ?? ownDomains) }
}

/** Undefined when the stored settings cannot be used. */
export function relaySettingsOf(
  stored: object,
  ownDomains: readonly string[],
  secrets: HeaderSecrets,
): RelaySettings | undefined {
  const { next_hop, private_next_hop, mails, stamp_timeout_ms } = stored as Settings
  const nextHop = parseNextHop(next_hop)
  if (typeof nextHop === 'string') return undefined
  const senders = relaySendersOf(stored, ownDomains, secrets)
  // Without the secret every message would be refused for good.
  if (senders.clients.some(({ proof }) => proof?.value === null)) return undefined
  return {
    nextHop,
    isHopTrusted: private_next_hop === next_hop,
    ...senders,
    mails: new Set(mails ?? relayedMails),
    stampMilliseconds: stamp_timeout_ms ?? 2_000,
  }
}
