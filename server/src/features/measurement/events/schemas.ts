import { type Static, Type } from 'typebox'
import { Nullable, NullableText, Text } from '#kernel/api/validation.ts'
import { NamedObject } from '#kernel/base/closed.ts'

/** `propertyProblems` checks its size. */
const FreeForm = (description: string) =>
  Type.Optional(Nullable<object>(Type.Object({}, { description, additionalProperties: true })))

/** Short enough for a database index. */
const Id = (description: string) => Type.Optional(Nullable<string>(Text(255, { description })))

export const EventInput = NamedObject('EventInput', {
  name: Text(200, {
    description:
      'What happened. `$view` and `$click` are ours; `$identify` tells who a visitor is and is not recorded as an event.',
    examples: ['Signed up'],
  }),
  value: Type.Optional(
    Nullable<number>(
      Type.Number({
        minimum: -1e15,
        maximum: 1e15,
        description: 'From -10^15 to 10^15.',
        examples: [49.9],
      }),
    ),
  ),
  currency: Type.Optional(
    Nullable<string>(Type.String({ format: 'currency', description: 'ISO 4217, for example `EUR`.' })),
  ),
  click_id: Type.Optional(
    Nullable<string>(
      Type.String({
        maxLength: 5_000,
        description:
          'The `signoff_click_id` that the visitor came with: puts the event down to the signature, campaign, teammate and link that were clicked in the 30 days before. Any other text is kept as it is, without effect.',
      }),
    ),
  ),
  event_id: Id('Sent again under the same id, an event is recorded once.'),
  properties: FreeForm('Whatever belongs to the event, at most 8 KB.'),
  anonymous_id: Id('The visitor, until a user is identified.'),
  user_id: Id('The visitor, once you know. Together with `anonymous_id` it tells who that was.'),
  traits: FreeForm('What is known of the visitor, at most 8 KB; added to what was known before.'),
})
export type EventInput = Static<typeof EventInput>

export const EventReceipt = NamedObject('EventReceipt', {
  name: Type.String(),
  value: Nullable<number>(Type.Number()),
  currency: NullableText(),
  click_id: Nullable<string>(Type.String()),
  source: Type.String(),
  status: Type.String(),
})
