import { Type } from 'typebox'
import { Nullable, NullableText, OneOf, Timestamp, Uuid } from '#kernel/api/validation.ts'
import { NamedObject } from '#kernel/base/closed.ts'

/** Fate of a message in the relay. */
export const relayOutcomes = ['stamped', 'passed', 'deferred', 'rejected'] as const
export type RelayOutcome = (typeof relayOutcomes)[number]

/** The parts of a workspace's mail that a relay can stamp. */
export const relayedMails = ['external', 'internal', 'replies'] as const
export type RelayedMail = (typeof relayedMails)[number]

export const RelayMessage = NamedObject('RelayMessage', {
  id: Uuid(),
  integration_id: Uuid({ description: 'The relay that the message came through.' }),
  outcome: OneOf(relayOutcomes, {
    description:
      '`stamped`: passed on with a signature. `passed`: passed on without one. `deferred`: the sender was told to try again. `rejected`: the sender was told to give up.',
  }),
  reason: Nullable<string>(
    Type.String({
      description:
        'Why the message has no signature, such as `encrypted` or `no_signature`, or why it was not passed on, such as `next_hop`. Null for `stamped`.',
    }),
  ),
  status: Type.Integer({ description: 'The SMTP code that the sender was answered with, such as 250.' }),
  sender_domain: NullableText(),
  recipient_domains: Type.Array(Type.String(), { description: 'Each once; at most 100.' }),
  recipients_count: Type.Integer({ description: 'Recipients that the next hop had accepted.' }),
  sender_address: Nullable<string>(
    Type.String({
      description: 'Null unless `relay_addresses_enabled` of the workspace was on when the message came.',
    }),
  ),
  recipient_addresses: Nullable<string[]>(
    Type.Array(Type.String(), { description: 'The same; at most 100.' }),
  ),
  bytes: Type.Integer({ description: 'The size of the message as it came.' }),
  milliseconds: Type.Integer({
    description: 'From the last byte of the message until the answer, with the time of the next hop.',
  }),
  created_at: Timestamp(),
})
