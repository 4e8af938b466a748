import { Type } from 'typebox'
import { NullableText, NullableTimestamp, Timestamp, Uuid } from '#kernel/api/validation.ts'
import { NamedObject } from '#kernel/base/closed.ts'

const file = {
  type: ['object', 'null'],
  additionalProperties: false,
  required: ['url', 'filename', 'content_type', 'byte_size'],
  properties: {
    url: { type: 'string' },
    filename: { type: 'string' },
    content_type: { type: 'string' },
    byte_size: { type: 'integer' },
  },
}

export const FinancialDocument = NamedObject('FinancialDocument', {
  id: Uuid(),
  number: Type.String(),
  total_amount_cents: Type.Integer(),
  processor_receipt_url: NullableText(),
  due_date: NullableTimestamp(),
  period_start: NullableTimestamp(),
  period_end: NullableTimestamp(),
  file: Type.Unsafe<object | null>(file),
  receipt: Type.Unsafe<object | null>(file),
  created_at: Timestamp(),
  updated_at: Timestamp(),
})
