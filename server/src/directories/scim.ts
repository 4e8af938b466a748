// SCIM as a directory: an identity provider sends its users and groups to /scim/v2. See features/scim.
import { Type } from 'typebox'
import type { Directory } from '#features/directories/index.ts'
import type { OnPeopleChange } from '#features/emails/index.ts'
import { directorySettings, type IntegrationKind } from '#features/integrations/index.ts'
import { pushScimUsersAgain, scimAttributes } from '#features/scim/index.ts'

const { drives_teammates, grace_days } = directorySettings

const keyHint =
  'Make an API key with the scope `scim:write`, by `POST /v1/api_keys` or in the dashboard under API keys, and paste it at the identity provider as the bearer token. It can be replaced at any time.'

export const scimKind = ({ publicUrl }: { readonly publicUrl: string }): IntegrationKind => {
  const baseUrl = `${publicUrl}/scim/v2`
  return {
    kind: 'scim',
    title: 'SCIM',
    capabilities: ['directory'],
    defaultCapabilities: ['directory'],
    settings: Type.Object({ drives_teammates, grace_days }, { additionalProperties: false }),
    secret: null,
    dashboardUrl: null,
    accept: ({ settings, isNew }) =>
      isNew ? { settings, reveals: { base_url: baseUrl, next_step: keyHint } } : { settings },
    test: async () => [
      {
        name: 'base_url',
        ok: baseUrl.startsWith('https:'),
        message: `The identity provider sends users and groups to ${baseUrl}. ${keyHint}`,
        remedy: baseUrl.startsWith('https:')
          ? null
          : 'Identity providers need an https address that they can reach: set SIGNOFF_PUBLIC_URL.',
      },
    ],
  }
}

export const scimDirectory = (deps: { readonly onPeopleChange: OnPeopleChange }): Directory => ({
  kind: 'scim',
  isScheduled: false,
  attributes: scimAttributes,
  /** Runs begin only after a setting has changed. The stored users are written by the same lock as requests. */
  async *read({ db, workspaceId }) {
    await pushScimUsersAgain(db, workspaceId, deps)
    yield { isFull: false }
  },
})
