import { Type } from 'typebox'
import { NullableText, NullableTimestamp, Timestamp, Uuid } from '#kernel/validation.ts'

const closed = { additionalProperties: false }

export const Workspace = Type.Object(
  {
    id: Uuid(),
    name: Type.String(),
    plan: Type.Object(
      {
        tier: Type.String(),
        kind: Type.String(),
        status: Type.String(),
        billing_interval: NullableText(),
        cancel_at_period_end: Type.Boolean(),
        started_at: NullableTimestamp(),
        ends_at: NullableTimestamp(),
      },
      closed,
    ),
    seat_count: Type.Integer({ description: 'Active teammates.' }),
    event_tracking: Type.Object(
      {
        id: Uuid(),
        enabled: Type.Boolean(),
        click_parameter: Type.String({
          description: 'The URL parameter that passes the click id to web pages.',
        }),
      },
      closed,
    ),
    created_at: Timestamp(),
    updated_at: Timestamp(),
  },
  { title: 'Workspace', additionalProperties: false },
)
