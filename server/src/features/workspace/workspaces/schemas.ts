import { type Static, Type } from 'typebox'
import { memberAccesses } from '#kernel/api/scopes.ts'
import {
  Nullable,
  NullableText,
  NullableTimestamp,
  OneOf,
  Text,
  Timestamp,
  Uuid,
} from '#kernel/api/validation.ts'
import { ClosedObject, NamedObject } from '#kernel/base/closed.ts'
import { maxDomains } from './setting-values.ts'

export const publishApprovals = ['none', 'required'] as const

const clickParameter = Type.String({
  maxLength: 64,
  description:
    'The URL parameter that passes the click id to web pages: 1 to 64 letters, digits, `_`, `.` or `-`, beginning with a letter or `_`.',
})

/** Settings that are read and changed under the same name. */
const settings = {
  name: Text(200, { description: 'The name of the company, as people see it in mails and on pages.' }),
  domains: Type.Array(Type.String({ minLength: 1, maxLength: 253 }), {
    maxItems: maxDomains,
    description:
      'The own domains of the company: mail among them is internal. Stored in lower case, umlauts as Punycode.',
  }),
  time_zone: Type.String({
    minLength: 1,
    maxLength: 64,
    description: 'A name of the IANA, such as `Europe/Berlin`. Mails write times in it.',
  }),
  locale: Type.String({
    minLength: 2,
    maxLength: 35,
    description:
      'The language of mails to people who have chosen none, and the form of dates: a tag of BCP 47 such as `en`, `de` or `de-AT`. Mails are written in English and German; other languages get English ones.',
  }),
  click_parameter: clickParameter,
  personal_page_enabled: Type.Boolean({
    description: 'Whether every address has a private page where its owner can copy the signature.',
  }),
  personal_page_link_days: Nullable<number>(
    Type.Integer({
      minimum: 1,
      maximum: 3_650,
      description:
        'After so many days the link of a personal page shows a button that mails a fresh link to the address; null: links never get old.',
    }),
  ),
  event_retention_days: Nullable<number>(
    Type.Integer({
      minimum: 1,
      maximum: 99_999,
      description: 'How many days single events are kept; null is for ever. The counts stay.',
    }),
  ),
  mail_sender_name: Type.Unsafe<string | null>({
    ...NullableText(100),
    description: 'The sender name of the mails of this workspace. Null: the name of the workspace.',
  }),
  publish_approval: OneOf(publishApprovals, {
    description:
      '`required`: when a manager publishes a signature, an owner or another admin has to approve it first. `none`: managers publish by themselves.',
  }),
  member_access: OneOf(memberAccesses, {
    description:
      'What people with the role `member` see: `own`, their own signature and data only; `read`, everything that the role includes. `own` in new workspaces.',
  }),
  relay_addresses_enabled: Type.Boolean({
    description:
      'Whether `GET /v1/relay_messages` keeps the addresses of senders and recipients for 7 days, and not only their domains.',
  }),
}

export const Workspace = NamedObject('Workspace', {
  id: Uuid(),
  plan: ClosedObject({
    tier: Type.String(),
    kind: Type.String(),
    status: Type.String(),
    billing_interval: NullableText(),
    cancel_at_period_end: Type.Boolean(),
    started_at: NullableTimestamp(),
    ends_at: NullableTimestamp(),
  }),
  seat_count: Type.Integer({ description: 'Active teammates.' }),
  seats: ClosedObject({
    now: Type.Integer({ description: 'Active teammates, the same as `seat_count`.' }),
    max_this_month: Type.Integer({
      description: 'The most of this month in UTC, counted every hour.',
    }),
    limit: Nullable<number>(
      Type.Integer({
        description:
          'How many teammates may be active; null is any number. The operator of the service sets it.',
      }),
    ),
  }),
  event_tracking: ClosedObject({
    id: Uuid(),
    enabled: Type.Boolean(),
    click_parameter: Type.String({ description: 'The same as `click_parameter` beside it.' }),
  }),
  ...settings,
  own_domains: Type.Array(Type.String(), {
    description:
      'The domains that mail is internal among: `domains`, and those that the connected directories name.',
  }),
  // Names and parameters that are older than these rules stay valid answers.
  name: Type.String(),
  created_at: Timestamp(),
  updated_at: Timestamp(),
})

export const WorkspacePatch = NamedObject(
  'WorkspacePatch',
  {
    ...Type.Partial(Type.Object(settings)).properties,
    event_tracking: Type.Optional(
      ClosedObject(
        {
          enabled: Type.Optional(
            Type.Boolean({
              description:
                'Whether views and clicks are counted. After a change all signatures are installed again.',
            }),
          ),
          click_parameter: Type.Optional(clickParameter),
        },
        { description: 'Properties that are left out stay as they are.' },
      ),
    ),
  },
  {
    examples: [
      {
        name: 'Northbean Coffee',
        domains: ['northbean.example', 'northbean.coffee'],
        time_zone: 'Europe/Berlin',
        locale: 'de',
        event_tracking: { enabled: true },
        click_parameter: 'signoff_click_id',
        personal_page_enabled: true,
        personal_page_link_days: 180,
        event_retention_days: 400,
        mail_sender_name: 'Northbean IT',
        publish_approval: 'none',
        member_access: 'own',
        relay_addresses_enabled: false,
      },
    ],
  },
)
export type WorkspacePatch = Static<typeof WorkspacePatch>
