import { type Static, Type } from 'typebox'
import { installationStatuses } from '#features/signatures/recipients/index.ts'
import {
  Nullable,
  NullableText,
  NullableTimestamp,
  NullableUuid,
  OneOf,
  Timestamp,
  Uuid,
} from '#kernel/api/validation.ts'
import { ClosedObject, NamedObject } from '#kernel/base/closed.ts'
import { channelNames } from './channel.ts'

const Trouble = ClosedObject(
  {
    code: Type.String({ description: 'Such as `timeout`, `too_long` or `set_failed`.' }),
    message: Type.String({ description: 'The same as a sentence for people, in English.' }),
    host: Type.String({ description: 'The mail program that reported it.' }),
    platform: Type.String(),
    count: Type.Integer({ description: 'Reports in a row with this code.' }),
    at: Timestamp(),
  },
  {
    description:
      'Of `microsoft_365`: why Outlook could not set the signature the last time it reported a trouble. Kept for 30 days.',
  },
)

export const Installation = NamedObject('Installation', {
  id: Uuid(),
  signature_template_id: Uuid(),
  email_id: Uuid(),
  email_address: Type.String(),
  integration_id: NullableUuid(),
  channel: OneOf(channelNames),
  status: OneOf(installationStatuses),
  error_code: NullableText(),
  error_message: NullableText(),
  attempts: Type.Integer(),
  html_sha256: NullableText(),
  installed_at: NullableTimestamp(),
  first_fetched_at: Nullable<string>(
    Timestamp({
      description:
        'Of channels whose signatures are fetched (`personal_page`, `microsoft_365`, `smtp_relay`): when this signature was fetched for the first time.',
    }),
  ),
  last_fetched_at: Nullable<string>(
    Timestamp({ description: 'When it was fetched last, to the hour. It does not change `updated_at`.' }),
  ),
  trouble: Nullable<Static<typeof Trouble>>(Trouble),
  created_at: Timestamp(),
  updated_at: Timestamp(),
})

export const Queued = NamedObject('InstallationQueued', {
  signature_id: Uuid(),
  queued: Type.Integer({ description: 'Addresses.' }),
})

export const InstallOne = NamedObject('InstallOne', {
  signature_id: Type.Optional(Uuid({ description: 'Must be the one that this address gets.' })),
})

const counts = {
  pending: Type.Integer(),
  installed: Type.Integer(),
  drifted: Type.Integer({ description: 'Written, but the mailbox holds another signature now.' }),
  failed: Type.Integer(),
  uninstalled: Type.Integer(),
}

export const Progress = NamedObject('InstallationProgress', {
  signature_id: Uuid(),
  ...counts,
  rate: Type.Number({ description: 'Pushed per second, over the last minute.' }),
  estimated_end: NullableTimestamp(),
  fetched: ClosedObject(counts, {
    description: 'Through the Outlook add-in and the relay. Counted above only while nothing is pushed.',
  }),
  personal_page: ClosedObject(counts, {
    description: 'Who has copied it. Counted above only while nothing is pushed or fetched.',
  }),
})
