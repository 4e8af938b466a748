import { Type } from 'typebox'
import { Nullable, OneOf, Text } from '#kernel/api/validation.ts'

export const categories = ['bug', 'missing_capability', 'question', 'other'] as const

const note = (description: string) =>
  Type.Optional(Nullable<string>(Type.String({ maxLength: 200, description })))

export const FeedbackInput = Type.Object(
  {
    category: OneOf(categories),
    message: Text(5_000, { examples: ['The preview is too small.'] }),
    tool_name: note('The endpoint or tool the feedback is about.'),
    reporter: note('Who is reporting, when they opted to share it.'),
  },
  { title: 'FeedbackInput', additionalProperties: false },
)

export const FeedbackReceipt = Type.Object(
  { received: Type.Boolean(), category: OneOf(categories) },
  { title: 'FeedbackReceipt', additionalProperties: false },
)
