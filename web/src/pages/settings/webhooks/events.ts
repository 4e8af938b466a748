import type { WebhookInput } from '@signoff/sdk'

export type WebhookEvent = WebhookInput['events'][number]

/** The events by what they are about. `webhook.test` is sent on request, so it is not offered. */
export const eventGroups = [
  { id: 'signatures', events: ['signature.published', 'signature.deactivated', 'publication.requested'] },
  { id: 'installations', events: ['installation.succeeded', 'installation.failed', 'installation.drifted'] },
  {
    id: 'people',
    events: ['teammate.created', 'teammate.updated', 'teammate.deleted', 'profile_change.requested'],
  },
  {
    id: 'campaigns',
    events: ['marketing_campaign.started', 'marketing_campaign.ended', 'marketing_campaign.paused'],
  },
  { id: 'directory', events: ['directory.synced', 'sync.held', 'integration.error'] },
] as const satisfies readonly { readonly id: string; readonly events: readonly WebhookEvent[] }[]

export const allEvents: readonly WebhookEvent[] = eventGroups.flatMap(({ events }) => [...events])
