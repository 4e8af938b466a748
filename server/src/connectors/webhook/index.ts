// The customer's own system as a channel: signatures are posted to it.
import type { Connector } from '../connector.ts'
import { webhookChannel } from './channel.ts'
import { webhookKind } from './kind.ts'

export const webhookConnector: Connector = {
  kind: 'webhook',
  integration: webhookKind,
  channel: 'webhook',
  push: ({ fetchPublic }) => webhookChannel(fetchPublic),
}
