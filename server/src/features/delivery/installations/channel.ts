// How a signature reaches a mailbox: what this feature needs from a channel.

export const channelNames = [
  'personal_page',
  'google_workspace',
  'microsoft_365',
  'smtp_relay',
  'webhook',
] as const
export type ChannelName = (typeof channelNames)[number]

/**
 * `push`: the deliver job sends signatures through the channel. `fetch`: mail programs, the relay or teammates take them.
 */
type DeliveryMode = 'push' | 'fetch'

/** Channels whose signatures are fetched; all others are pushed. */
export const fetchChannels = ['personal_page', 'microsoft_365', 'smtp_relay'] as const satisfies ChannelName[]

export const deliveryModeOf = (channel: ChannelName): DeliveryMode =>
  fetchChannels.some(name => name === channel) ? 'fetch' : 'push'

/** A channel of one workspace, ready for use. */
export interface Connection {
  readonly workspaceId: string
  readonly channel: ChannelName
  readonly mode: DeliveryMode
  /** Null for the personal page, which is built in. */
  readonly integrationId: string | null
  readonly settings: Readonly<Record<string, unknown>>
  /** Decrypted. */
  readonly secret: string | null
  /** Reason why the connection cannot be used now, in words for an admin. */
  readonly trouble?: string
}

/** The personal pages of a workspace. */
export const personalPage = (workspaceId: string): Connection => ({
  workspaceId,
  channel: 'personal_page',
  mode: 'fetch',
  integrationId: null,
  settings: {},
  secret: null,
})

export interface Delivery {
  /** Idempotency id: stable across retries of this delivery, never reused. */
  readonly deliveryId: string
  readonly address: string
  /** The primary address of the teammate: `address` itself, or the address that it is an alias of. */
  readonly primaryAddress: string
  readonly signatureId: string
  readonly signatureName: string
  readonly html: string
  readonly text: string
}

/** After a failed delivery: `retry` later, `reject` this signature for this mailbox, or `halt` the whole channel. */
export type NextStep = 'retry' | 'reject' | 'halt'

/** Reaction of the service when a mailbox holds another signature than the one it wrote: nothing, report it, write again. */
export const repairModes = ['off', 'report', 'restore'] as const
export type RepairMode = (typeof repairModes)[number]

export interface FailedDelivery {
  readonly ok: false
  /** As the API shows it: `user_not_found`, `signature_too_long`, … A batch of nothing but `forbidden` halts the channel. */
  readonly code: string
  readonly message: string
  readonly next: NextStep
  /** Time until the retry that the provider wants. */
  readonly afterMilliseconds?: number
  /** Only with `retry`: a quota is used up. The channel pauses until then, and the attempt is not counted. */
  readonly quotaExhausted?: true
}

export type DeliveryOutcome =
  | {
      readonly ok: true
      /** Content that the provider stored, as it answered: it can rewrite HTML. Unset: the channel cannot be read back. */
      readonly stored?: string
    }
  | FailedDelivery

export const failedDelivery = (code: string, message: string, next: NextStep): FailedDelivery => ({
  ok: false,
  code,
  message,
  next,
})

/** A mailbox to read back: the account, and its address. */
export interface MailboxToRead {
  readonly primaryAddress: string
  readonly address: string
}

export type ReadOutcome = { readonly ok: true; readonly stored: string } | FailedDelivery

/** A channel that the deliver job sends through. A fetch channel is no `PushChannel`; see CONTRIBUTING.md, Add a channel. */
export interface PushChannel {
  readonly name: ChannelName
  /** Number of deliveries that run at once. */
  readonly atOnce: number
  /** Gives up after at most 15 seconds. */
  deliver(delivery: Delivery, connection: Connection): Promise<DeliveryOutcome>
  /** Reads the signature that is there now. Unset: the channel cannot be read back. Gives up after at most 15 seconds. */
  read?(mailbox: MailboxToRead, connection: Connection): Promise<ReadOutcome>
}

export type PushChannels = ReadonlyMap<ChannelName, PushChannel>
