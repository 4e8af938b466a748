// SCIM as a directory: an identity provider sends its users and groups to /scim/v2. See features/scim.
import type { Directory } from '#features/people/directories/index.ts'
import { checkScim, pushScimUsersAgain, scimAttributes, scimKeyHint } from '#features/people/scim/index.ts'
import { directorySettings, type IntegrationKind } from '#features/workspace/integrations/index.ts'
import { ClosedObject } from '#kernel/base/closed.ts'
import type { Connector, KindDeps, SourceDeps } from '../connector.ts'

const { drives_teammates, grace_days } = directorySettings

const integration = ({ publicUrl }: KindDeps): IntegrationKind => {
  const baseUrl = `${publicUrl}/scim/v2`
  return {
    kind: 'scim',
    title: 'SCIM',
    isSingle: true,
    capabilities: ['directory'],
    defaultCapabilities: ['directory'],
    settings: ClosedObject({ drives_teammates, grace_days }),
    secret: null,
    dashboardUrl: null,
    accept: ({ settings, isNew }) =>
      isNew ? { settings, reveals: { base_url: baseUrl, next_step: scimKeyHint } } : { settings },
    test: ({ workspaceId, id }, db) => checkScim(db, { workspaceId, integrationId: id }, baseUrl),
  }
}

const directory = (deps: SourceDeps): Directory => ({
  isScheduled: false,
  readsStoredPeople: true,
  attributes: scimAttributes,
  /** Runs begin after a setting has changed, and while people lack a seat. The stored users are written by the same lock as requests. */
  async *read({ db, workspaceId }) {
    await pushScimUsersAgain(db, workspaceId, deps)
    yield { isFull: false }
  },
})

export const scimConnector: Connector = { kind: 'scim', integration, directory }
