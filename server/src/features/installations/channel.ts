// How a signature reaches a mailbox: what this feature asks of whoever brings it there.

export const channelNames = [
  'personal_page',
  'google_workspace',
  'microsoft_365',
  'smtp_relay',
  'webhook',
] as const
export type ChannelName = (typeof channelNames)[number]

/** A channel of one workspace, ready for use. */
export interface Connection {
  readonly workspaceId: string
  readonly channel: ChannelName
  /** Null for what is built in. */
  readonly integrationId: string | null
  readonly settings: Readonly<Record<string, unknown>>
  /** Opened. */
  readonly secret: string | null
  /** Why it cannot be used now, in words for whoever has to mend it. */
  readonly trouble?: string
}

/** The private pages of a workspace: built in, and fetched from instead of pushed through. */
export const personalPage = (workspaceId: string): Connection => ({
  workspaceId,
  channel: 'personal_page',
  integrationId: null,
  settings: {},
  secret: null,
})

export interface Delivery {
  /** The same when the same is tried again, and of nothing else. */
  readonly deliveryId: string
  readonly address: string
  /** Of the person: `address` itself, or what it is an alias of. */
  readonly primaryAddress: string
  readonly signatureId: string
  readonly signatureName: string
  readonly html: string
  readonly text: string
}

export type DeliveryOutcome =
  | { readonly ok: true }
  | {
      readonly ok: false
      /** As the API shows it: `user_not_found`, `signature_too_long`, … `forbidden` of everybody means that nobody gets through. */
      readonly code: string
      readonly message: string
      /** `again` later, `never` for this address, or `stop`: nobody gets through, and somebody has to mend it. */
      readonly next: 'again' | 'never' | 'stop'
      /** The provider's own wish. */
      readonly afterMilliseconds?: number
      /** `again`, but a quota is used up: nobody is tried until then, and it does not count as an attempt. */
      readonly quotaExhausted?: true
    }

export const failedDelivery = (
  code: string,
  message: string,
  next: 'again' | 'never' | 'stop',
): DeliveryOutcome => ({
  ok: false,
  code,
  message,
  next,
})

/** One that the service pushes through. Those that are fetched from (the personal page) need nothing here. */
export interface PushChannel {
  readonly name: ChannelName
  /** How many at once. */
  readonly atOnce: number
  /** Gives up after at most 15 seconds. */
  deliver(parcel: Delivery, connection: Connection): Promise<DeliveryOutcome>
}

export type PushChannels = ReadonlyMap<ChannelName, PushChannel>
