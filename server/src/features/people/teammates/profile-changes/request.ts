// A change that a person asks for: it waits until a manager decides. Runs in a transaction that holds the teammate.
import { lockFieldsForShare } from '#features/workspace/smart-fields/index.ts'
import { announce } from '#features/workspace/webhooks/index.ts'
import type { Caller } from '#kernel/api/scopes.ts'
import { orNotFound } from '#kernel/base/errors.ts'
import type { Db } from '#kernel/db/db.ts'
import type { SmartFieldValues, StoredPicture } from '../values.ts'
import {
  deleteChange,
  findChange,
  findPending,
  hasValue,
  insertChange,
  type ProfileChangeView,
  withdrawChange,
} from './queries.ts'

/** Returns the id of the change that waits; undefined when the teammate has this value already. */
async function requestOne(
  tx: Db,
  by: Caller,
  teammateId: string,
  fieldId: string,
  after: string | StoredPicture | null,
): Promise<{ readonly id: string; readonly isNew: boolean } | undefined> {
  const { workspaceId } = by
  const pending = await findPending(tx, workspaceId, teammateId, fieldId, after)
  if (pending?.equal) return { id: pending.id, isNew: false }
  if (await hasValue(tx, workspaceId, teammateId, fieldId, after)) {
    // The person wants the value that is there: an earlier request is over.
    if (pending) await withdrawChange(tx, by, pending.id)
    return undefined
  }
  // Another id: a manager who has read the old request cannot approve the new one by mistake.
  if (pending) await deleteChange(tx, workspaceId, pending.id)
  return { id: await insertChange(tx, by, { teammateId, fieldId, after }), isNew: true }
}

export async function requestChanges(
  tx: Db,
  by: Caller,
  teammateId: string,
  values: SmartFieldValues,
  publicUrl: string,
): Promise<ProfileChangeView[]> {
  if (values.size === 0) return []
  const scope = { workspaceId: by.workspaceId, publicUrl }
  await lockFieldsForShare(tx, by.workspaceId, [...values.keys()])
  const waiting: ProfileChangeView[] = []
  for (const [fieldId, after] of values) {
    const requested = await requestOne(tx, by, teammateId, fieldId, after)
    if (!requested) continue
    const change = orNotFound(await findChange(tx, scope, requested.id))
    waiting.push(change)
    if (!requested.isNew) continue
    const { id, teammate, field, requested_via } = change
    await announce(tx, by.workspaceId, 'profile_change.requested', [
      {
        id,
        teammate_id: teammate.id,
        email: teammate.email,
        smart_field_id: field.id,
        label: field.label,
        requested_via,
      },
    ])
  }
  return waiting
}
