// The events that webhooks can subscribe to, and the body of a message. docs/build/event-webhooks.md shows each of them.

export const eventTypes = [
  'signature.published',
  'signature.deactivated',
  'installation.succeeded',
  'installation.failed',
  'installation.drifted',
  'teammate.created',
  'teammate.updated',
  'teammate.deleted',
  'marketing_campaign.started',
  'marketing_campaign.ended',
  'marketing_campaign.paused',
  'directory.synced',
  'sync.held',
  'integration.error',
  'profile_change.requested',
  'publication.requested',
  'webhook.test',
] as const
export type EventType = (typeof eventTypes)[number]

/** Change of one resource. Everything here is short: a body stays far below 20 kB. */
export interface EventData {
  /** The id of the resource. */
  readonly id: string
  /** The path that reads the resource, where the type of the event does not tell. */
  readonly path?: string
  readonly [property: string]: unknown
}

/** The collections of resources whose names are not those of the events. */
const collections: Readonly<Record<string, string>> = {
  directory: 'integrations',
  sync: 'integrations',
  profile_change: 'profile_changes',
  publication: 'publication_requests',
}

function pathOf(type: EventType, id: string): string {
  const [resource = ''] = type.split('.')
  return `/v1/${collections[resource] ?? `${resource}s`}/${id}`
}

/** The bytes that are stored once and sent by every attempt. */
export const messageBody = (type: EventType, at: Date, { id, path, ...rest }: EventData): string =>
  JSON.stringify({
    type,
    timestamp: at.toISOString(),
    data: { id, path: path ?? pathOf(type, id), ...rest },
  })

/** The value of the header `webhook-id`: the same for all attempts and replays of a message. */
export const messageIdOf = (id: string): string => `msg_${id}`
