import { type Static, Type } from 'typebox'
import {
  Nullable,
  NullableText,
  NullableTimestamp,
  OneOf,
  Text,
  Timestamp,
  Uuid,
} from '#kernel/api/validation.ts'
import { ClosedObject, NamedObject } from '#kernel/base/closed.ts'
import { capabilities } from './kinds.ts'

const capabilityList = Type.Array(OneOf(capabilities), {
  maxItems: 2,
  uniqueItems: true,
  description:
    '`directory`: people and groups are read from it. `channel`: signatures are delivered through it.',
})

const fields = {
  id: Uuid(),
  kind: Type.String(),
  name: Type.String(),
  status: OneOf(['active', 'error']),
  error_message: NullableText(),
  error_since: NullableTimestamp(),
  dashboard_url: NullableText(),
  capabilities: capabilityList,
  settings: Type.Record(Type.String(), Type.Unknown(), {
    description: 'As they were set, without secrets. Which there are depends on the kind.',
  }),
  last_synced_at: Nullable<string>(
    Timestamp({ description: 'When the directory was last read to its end.' }),
  ),
  next_sync_at: Nullable<string>(
    Timestamp({ description: 'When the next run begins; null: when it is requested.' }),
  ),
  people_count: Type.Integer({ description: 'People who come from this directory.' }),
  held_run_id: Nullable<string>(
    Uuid({ description: 'The run whose leavers wait for an approval: `POST /v1/sync_runs/{id}/approve`.' }),
  ),
  created_at: Timestamp(),
  updated_at: Timestamp(),
}

export const Integration = NamedObject('Integration', fields)

export const CreatedIntegration = NamedObject('CreatedIntegration', {
  ...fields,
  signing_secret: Type.Optional(
    Type.String({ description: 'Of a webhook: what its requests are signed with. Shown this once.' }),
  ),
  deployment_token: Type.Optional(
    Type.String({
      description: 'Of `microsoft_365`: part of the addresses of the add-in. Shown this once.',
    }),
  ),
  manifest_url: Type.Optional(
    Type.String({ description: 'Of `microsoft_365`: where the manifest of the add-in is.' }),
  ),
  base_url: Type.Optional(
    Type.String({ description: 'Of `scim`: the address to paste at the identity provider.' }),
  ),
  next_step: Type.Optional(
    Type.String({ description: 'Of `scim`: how to make the key that the identity provider needs.' }),
  ),
})

const sentObject = (description: string) =>
  Type.Record(Type.String({ maxLength: 100 }), Type.Unknown(), { maxProperties: 50, description })

const input = {
  name: Text(200, { description: 'How people call it. Default: the name of the kind.' }),
  settings: sentObject('Depends on the kind: see the page about it in the documentation.'),
  secret: Nullable<Record<string, unknown>>(
    sentObject('Keys and passwords, depending on the kind. Stored encrypted, and never returned.'),
  ),
  capabilities: { ...capabilityList, minItems: 1 } as typeof capabilityList,
}

export const IntegrationInput = NamedObject(
  'IntegrationInput',
  {
    kind: Type.String({
      maxLength: 50,
      description: 'Which system it is, such as `google_workspace` or `csv`.',
    }),
    name: Type.Optional(input.name),
    settings: Type.Optional(input.settings),
    secret: Type.Optional(input.secret),
    capabilities: Type.Optional(input.capabilities),
  },
  {
    examples: [
      {
        kind: 'csv',
        name: 'People of HR',
        settings: { drives_teammates: false },
        capabilities: ['directory'],
      },
    ],
  },
)
export type IntegrationInput = Static<typeof IntegrationInput>

export const IntegrationPatch = NamedObject(
  'IntegrationPatch',
  {
    name: Type.Optional(input.name),
    settings: Type.Optional({
      ...input.settings,
      description: 'The settings that change; the others stay. Null resets one to its default.',
    } as typeof input.settings),
    secret: Type.Optional(input.secret),
    capabilities: Type.Optional(input.capabilities),
  },
  { examples: [{ name: 'Directory of HR' }] },
)
export type IntegrationPatch = Static<typeof IntegrationPatch>

export const IntegrationTest = NamedObject('IntegrationTest', {
  steps: Type.Array(
    ClosedObject({
      name: Type.String({ description: 'What was tried, such as `users` or `groups`.' }),
      ok: Type.Boolean(),
      message: Type.String({ description: 'What the other system answered, in words.' }),
      remedy: Nullable<string>(
        Type.String({ description: 'What to do when it failed; null when it worked.' }),
      ),
    }),
  ),
})

export const IntegrationEntity = NamedObject('IntegrationEntity', {
  id: Uuid(),
  name: Type.String(),
  sub_kind: Type.String({ description: 'What it is there, for example `org_unit` or `group`.' }),
  teammates_count: Type.Integer(),
  integration_id: Uuid(),
})

/** For filters. */
export const integrationIdFilter = Type.Optional(Uuid({ description: 'Only those of this integration.' }))
