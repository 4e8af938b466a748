import { type Static, Type } from 'typebox'
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

export const runKinds = ['full', 'delta', 'dry'] as const
export const runTriggers = ['schedule', 'request', 'import'] as const
export const runStatuses = ['running', 'succeeded', 'held', 'approved', 'superseded', 'failed'] as const

export const previewedChanges = ['added', 'changed', 'reactivated', 'deactivated', 'missing'] as const

const count = (description: string) => Type.Integer({ description })

const summary = {
  id: Uuid(),
  integration_id: Uuid(),
  kind: OneOf(runKinds, {
    description:
      '`full`: all people were read. `delta`: what had changed. `dry`: all people were read, and nothing was written; the counts say what would change.',
  }),
  trigger: OneOf(runTriggers, { description: 'What began the run.' }),
  status: OneOf(runStatuses, {
    description:
      '`held`: people who joined or changed are written, and the others wait for an approval. `approved`: they left after it. `superseded`: a later run found another state. `failed`: it did not end; what was written stays, and no person left.',
  }),
  people_seen: count('People whom the directory named.'),
  people_added: count('People who became teammates, or came back.'),
  people_changed: count('Teammates with other values or addresses.'),
  people_reactivated: count('Teammates who became active.'),
  people_deactivated: count('Teammates who became inactive, because they are suspended in the directory.'),
  people_missing: count('People who are not in the directory any more: they are removed after a grace.'),
  people_removed: count('People who were removed, because their grace was over.'),
  people_held: count('People who would leave, and wait for an approval.'),
  entities_added: count('Org units and groups that are new.'),
  entities_changed: count('Org units and groups with another name or place.'),
  entities_removed: count('Org units and groups that are not there any more.'),
  members_added: count('People who were added to org units and groups.'),
  members_removed: count('People who were removed from org units and groups.'),
  members_held: count('Removals from groups in use that wait for an approval.'),
  problem_count: count('Problems of single people, all of them.'),
  held_reason: NullableText(),
  error_code: Nullable<string>(
    Type.String({ description: 'Such as `access_lost`, `unavailable` or `invalid_answer`.' }),
  ),
  error_message: Nullable<string>(Type.String({ description: 'What happened, and what to do, in words.' })),
  import_id: Nullable<string>(Uuid({ description: 'Of a CSV directory: the import of the file.' })),
  decided_at: Nullable<string>(Timestamp({ description: 'When it was approved.' })),
  started_at: NullableTimestamp(),
  ended_at: NullableTimestamp(),
  created_at: Timestamp(),
  updated_at: Timestamp(),
}

export const SyncRunSummary = NamedObject('SyncRunSummary', summary)

export const SyncRun = NamedObject('SyncRun', {
  ...summary,
  problems: Type.Array(
    ClosedObject({
      kind: OneOf(['conflict', 'unusable', 'no_seat', 'held'], {
        description:
          '`conflict`: another person has the address, or another line of a file the id. `unusable`: a value does not fit its smart field, and counts as absent; or a line of a file cannot be read. `no_seat`: all seats are taken, so the person is no teammate, or stays inactive. `held`: the person would leave, or lose the group, and waits for an approval.',
      }),
      external_id: Nullable<string>(Type.String({ description: 'The id of the person in the directory.' })),
      teammate_id: NullableUuid(),
      address: NullableText(),
      integration_entity_id: NullableUuid(),
      field: Nullable<string>(Type.String({ description: '`address`, `aliases`, or the attribute.' })),
      message: Type.String(),
    }),
    {
      description:
        'The first 1,000 problems that exist at the end of the run, and the first 1,000 held people.',
    },
  ),
  preview: Type.Array(
    ClosedObject({
      change: OneOf(previewedChanges, { description: 'What would happen: see the counts.' }),
      external_id: Type.String({ description: 'The id of the person in the directory.' }),
      teammate_id: Nullable<string>(Uuid({ description: 'Null: the person is no teammate yet.' })),
      address: Type.String(),
    }),
    {
      description:
        'Of a dry run: the first 200 people of each change. Other runs have none; the audit log lists what they changed.',
    },
  ),
})

export const SyncRequest = NamedObject(
  'SyncRequest',
  {
    integration_id: Type.Optional(
      Uuid({ description: 'Which directory to read. Default: the one that decides who is a teammate.' }),
    ),
    dry_run: Type.Optional(
      Type.Boolean({ description: 'Writes nothing: the counts of the run say what would change.' }),
    ),
  },
  { examples: [{ dry_run: true }] },
)
export type SyncRequest = Static<typeof SyncRequest>
