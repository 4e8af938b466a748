// Google Workspace: the directory of the Admin SDK, and signatures in Gmail's settings.
import { takeQuota } from '#features/delivery/installations/index.ts'
import type { Connector } from '../connector.ts'
import { createQuota } from '../http/quota.ts'
import { googleDirectory } from './directory.ts'
import { gmailChannel, gmailUpdatesPerMinute } from './gmail.ts'
import { googleKind } from './kind.ts'

export const googleConnector: Connector = {
  kind: 'google_workspace',
  integration: () => googleKind,
  directory: () => googleDirectory,
  channel: 'google_workspace',
  push: ({ db }) =>
    gmailChannel({
      quota: createQuota((connection, count) => takeQuota(db, connection, count, gmailUpdatesPerMinute), 100),
    }),
}
