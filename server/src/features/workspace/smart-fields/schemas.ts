import { type Static, Type } from 'typebox'
import { NullableText, NullableUuid, OneOf, Text, Timestamp, Uuid } from '#kernel/api/validation.ts'
import { NamedObject } from '#kernel/base/closed.ts'

export const smartFieldKinds = ['text', 'url', 'email', 'phone', 'image'] as const
export type SmartFieldKind = (typeof smartFieldKinds)[number]
const fieldApprovals = ['none', 'required'] as const

const selfService = {
  editable_by_owner: Type.Boolean({
    description:
      'Whether people change this value of their own: on their personal page, and members by the API. Default: false.',
  }),
  approval: OneOf(fieldApprovals, {
    description:
      'Of changes that people make of their own values: `none` writes them at once, `required` waits for a manager (`/v1/profile_changes`). Default: none.',
  }),
}

export const SmartField = NamedObject('SmartField', {
  id: Uuid(),
  label: Type.String(),
  key: Type.String({ description: 'A name for programs, made from the first label; it never changes.' }),
  kind: OneOf(smartFieldKinds),
  required: Type.Boolean({
    description: 'Every teammate should have a value; `missing_smart_field_id` finds those who lack it.',
  }),
  default: Type.Boolean({ description: 'Built in: every workspace has it, and it cannot be deleted.' }),
  fallback: NullableText(),
  integration_id: NullableUuid(),
  integration_attribute: NullableText(),
  ...selfService,
  created_at: Timestamp(),
  updated_at: Timestamp(),
})

const fields = {
  label: Text(100, { examples: ['Pronouns'] }),
  kind: OneOf(smartFieldKinds, { description: 'Default: text.' }),
  required: Type.Boolean(),
  fallback: NullableText(),
  integration_id: Type.Unsafe<string | null>({
    ...NullableUuid(),
    description: 'The directory that fills this field. Null: values are written by hand.',
  }),
  integration_attribute: Type.Unsafe<string | null>({
    ...NullableText(200),
    description:
      'Which attribute fills it: see `GET /v1/integrations/{id}/attributes`. Image fields take `photo`.',
  }),
  ...selfService,
}

export const SmartFieldInput = NamedObject('SmartFieldInput', {
  label: fields.label,
  kind: Type.Optional(fields.kind),
  required: Type.Optional(fields.required),
  fallback: Type.Optional(fields.fallback),
  integration_id: Type.Optional(fields.integration_id),
  integration_attribute: Type.Optional(fields.integration_attribute),
  editable_by_owner: Type.Optional(fields.editable_by_owner),
  approval: Type.Optional(fields.approval),
})
export type SmartFieldInput = Static<typeof SmartFieldInput>

export const SmartFieldPatch = Type.Partial(SmartFieldInput, {
  title: 'SmartFieldPatch',
  additionalProperties: false,
})
