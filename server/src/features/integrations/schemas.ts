import { Type } from 'typebox'
import { NullableText, NullableTimestamp, OneOf, Timestamp, Uuid } from '#kernel/validation.ts'

export const Integration = Type.Object(
  {
    id: Uuid(),
    kind: Type.String(),
    name: Type.String(),
    status: OneOf(['active', 'error']),
    error_message: NullableText(),
    error_since: NullableTimestamp(),
    dashboard_url: NullableText(),
    created_at: Timestamp(),
    updated_at: Timestamp(),
  },
  { title: 'Integration', additionalProperties: false },
)

export const IntegrationEntity = Type.Object(
  {
    id: Uuid(),
    name: Type.String(),
    sub_kind: Type.String({ description: 'What it is there, for example `org_unit` or `group`.' }),
    teammates_count: Type.Integer(),
    integration_id: Uuid(),
  },
  { title: 'IntegrationEntity', additionalProperties: false },
)
