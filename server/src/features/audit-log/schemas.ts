import { Type } from 'typebox'
import { NullableText, NullableUuid, Text, Timestamp, Uuid } from '#kernel/validation.ts'

export const AuditEntry = Type.Object(
  {
    id: Uuid(),
    action: Text(200, { description: 'What was done, for example `folder.created`.' }),
    resource_type: Text(200),
    resource_id: NullableUuid(),
    member_id: NullableUuid(),
    member_name: NullableText(),
    api_key_id: NullableUuid(),
    api_key_name: NullableText(),
    request_id: NullableText(),
    created_at: Timestamp(),
  },
  {
    title: 'AuditEntry',
    additionalProperties: false,
    description: 'Who did what, when. Member and key are null for what was done at the command line.',
  },
)
