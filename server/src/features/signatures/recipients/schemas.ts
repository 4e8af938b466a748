import { type Static, Type } from 'typebox'
import { EmailSchema } from '#features/workspace/emails/index.ts'
import { smartFieldName } from '#features/workspace/smart-fields/index.ts'
import { OneOf, Uuid } from '#kernel/api/validation.ts'
import { closed } from '#kernel/base/closed.ts'
import { operators } from './conditions.ts'

const sourceKinds = ['manual', 'smart_field', 'integration_entity', 'all_future', 'everybody'] as const
export const installationStatuses = ['pending', 'installed', 'drifted', 'failed', 'uninstalled'] as const
export type InstallationStatus = (typeof installationStatuses)[number]

export const RecipientSource = Type.Object(
  { kind: OneOf(sourceKinds), id: Type.Optional(Uuid({ description: 'The integration entity.' })) },
  closed,
)

export const Recipient = Type.Object(
  {
    ...EmailSchema.properties,
    sources: Type.Array(RecipientSource),
    installation_status: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      enum: [...installationStatuses, null],
    }),
  },
  { title: 'Recipient', ...closed },
)

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

export const Condition = Type.Object({ smart_field_id: Uuid(), ...comparison }, closed)
export const Conditions = Type.Array(Type.Array(Condition, group), { title: 'Conditions', ...listed })

/** Each condition names its field by id or by key. */
export const ConditionsInput = Type.Array(
  Type.Array(Type.Object({ ...smartFieldName, ...comparison }, closed), group),
  { title: 'ConditionsInput', ...listed },
)

export const Selection = Type.Object(
  {
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
  },
  { title: 'RecipientSelection', ...closed },
)
export type Selection = Static<typeof Selection>

export const EmailIds = Type.Object(
  { email_ids: Type.Array(Uuid(), { minItems: 1, maxItems: 1_000 }) },
  { title: 'RecipientEmails', ...closed },
)
export const EntityIds = Type.Object(
  { integration_entity_ids: Type.Array(Uuid(), { minItems: 1, maxItems: 1_000 }) },
  { title: 'RecipientEntities', ...closed },
)
export const RecipientRules = Type.Object(
  {
    conditions: Type.Optional(ConditionsInput),
    assign_to_all_future_emails: Type.Optional(
      Type.Boolean({ description: 'Addresses that are created from now on.', examples: [true] }),
    ),
    everybody: Type.Optional(
      Type.Boolean({ description: 'All present and future addresses of the workspace.', examples: [true] }),
    ),
  },
  { title: 'RecipientRules', ...closed, minProperties: 1 },
)

export const StoredRules = Type.Object(
  {
    conditions: Conditions,
    assign_to_all_future_emails: Type.Boolean(),
    everybody: Type.Boolean(),
  },
  { title: 'StoredRecipientRules', ...closed },
)

export const RulePreviewInput = Type.Object(
  { conditions: ConditionsInput },
  { title: 'RecipientRulesPreviewInput', ...closed },
)
export const RulePreview = Type.Object(
  {
    matching_emails_count: Type.Integer({ description: 'All addresses for which the conditions hold now.' }),
    emails: Type.Array(EmailSchema, { description: 'At most the first 50 of them, the oldest first.' }),
  },
  { title: 'RecipientRulesPreview', ...closed },
)
