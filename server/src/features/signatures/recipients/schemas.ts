import { type Static, Type } from 'typebox'
import { EmailSchema } from '#features/workspace/emails/index.ts'
import { smartFieldName } from '#features/workspace/smart-fields/index.ts'
import { OneOf, Uuid } from '#kernel/api/validation.ts'
import { ClosedObject, NamedObject } from '#kernel/base/closed.ts'
import { operators } from './conditions.ts'

const sourceKinds = ['manual', 'smart_field', 'integration_entity', 'all_future', 'everybody'] as const
export const installationStatuses = ['pending', 'installed', 'drifted', 'failed', 'uninstalled'] as const
export type InstallationStatus = (typeof installationStatuses)[number]

export const RecipientSource = ClosedObject({
  kind: OneOf(sourceKinds),
  id: Type.Optional(Uuid({ description: 'The integration entity.' })),
})

export const Recipient = NamedObject('Recipient', {
  ...EmailSchema.properties,
  sources: Type.Array(RecipientSource),
  installation_status: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    enum: [...installationStatuses, null],
  }),
})

const comparison = {
  operator: Type.Optional(OneOf(operators, { default: 'is_any_of' })),
  values: Type.Optional(
    Type.Array(Type.String({ maxLength: 5_000 }), {
      maxItems: 1_000,
      description: 'Not needed for is_set and is_not_set.',
    }),
  ),
}
export const maxGroups = 100
export const maxInGroup = 50
const listed = { maxItems: maxGroups, description: 'Outer array: or. Inner array: and.' }
const group = { minItems: 1, maxItems: maxInGroup }

export const Condition = ClosedObject({ smart_field_id: Uuid(), ...comparison })
export const Conditions = Type.Array(Type.Array(Condition, group), { title: 'Conditions', ...listed })

/** Each condition names its field by id or by key. */
export const ConditionsInput = Type.Array(
  Type.Array(ClosedObject({ ...smartFieldName, ...comparison }), group),
  { title: 'ConditionsInput', ...listed },
)

export const Selection = NamedObject('RecipientSelection', {
  email_ids_count: Type.Integer({
    description: 'Addresses chosen by hand, without those of inactive people.',
  }),
  matching_emails_count: Type.Integer({
    description:
      'All addresses that the signature reaches: by hand, by rule, by entity or as everybody. Addresses of inactive people are not counted.',
  }),
  integration_entity_ids: Type.Array(Uuid()),
  conditions: Conditions,
  assign_to_all_future_emails: Type.Boolean(),
  everybody: Type.Boolean(),
})
export type Selection = Static<typeof Selection>

export const EmailIds = NamedObject('RecipientEmails', {
  email_ids: Type.Array(Uuid(), { minItems: 1, maxItems: 1_000 }),
})
export const EntityIds = NamedObject('RecipientEntities', {
  integration_entity_ids: Type.Array(Uuid(), { minItems: 1, maxItems: 1_000 }),
})
export const RecipientRules = NamedObject(
  'RecipientRules',
  {
    conditions: Type.Optional(ConditionsInput),
    assign_to_all_future_emails: Type.Optional(
      Type.Boolean({ description: 'Addresses that are created from now on.', examples: [true] }),
    ),
    everybody: Type.Optional(
      Type.Boolean({ description: 'All present and future addresses of the workspace.', examples: [true] }),
    ),
  },
  { minProperties: 1 },
)

export const StoredRules = NamedObject('StoredRecipientRules', {
  conditions: Conditions,
  assign_to_all_future_emails: Type.Boolean(),
  everybody: Type.Boolean(),
})

export const RulePreviewInput = NamedObject('RecipientRulesPreviewInput', { conditions: ConditionsInput })
export const RulePreview = NamedObject('RecipientRulesPreview', {
  matching_emails_count: Type.Integer({ description: 'All addresses for which the conditions hold now.' }),
  emails: Type.Array(EmailSchema, { description: 'At most the first 50 of them, the oldest first.' }),
})
