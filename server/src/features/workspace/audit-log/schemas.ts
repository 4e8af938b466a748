import { Type } from 'typebox'
import { vias } from '#kernel/api/scopes.ts'
import { Nullable, NullableText, NullableUuid, OneOf, Text, Timestamp, Uuid } from '#kernel/api/validation.ts'
import { NamedObject } from '#kernel/base/closed.ts'

export const AuditEntry = NamedObject(
  'AuditEntry',
  {
    id: Uuid(),
    action: Text(200, { description: 'What was done, for example `folder.created`.' }),
    resource_type: Text(200),
    resource_id: NullableUuid(),
    resource_name: Nullable<string>(
      Type.String({
        description: 'The name of the resource as it is now. Null where it has none or is gone.',
      }),
    ),
    member_id: NullableUuid(),
    member_name: NullableText(),
    api_key_id: NullableUuid(),
    api_key_name: NullableText(),
    session_id: NullableUuid(),
    request_id: NullableText(),
    via: Nullable<string>(
      OneOf(vias, {
        description:
          '`mcp`: a tool of an MCP client made the change. `personal_page`: the owner of the personal page did, without a sign-in. Null: the API itself.',
      }),
    ),
    reason: Nullable<string>(
      Type.String({ description: 'Why, for a sign-in by single sign-on that was refused; null elsewhere.' }),
    ),
    created_at: Timestamp(),
  },
  { description: 'Who did what, when. Member and key are null for what was done at the command line.' },
)
