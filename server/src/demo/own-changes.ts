// Fields that people of the demo change themselves, a change that waits for a manager, and one that was rejected.

import { pageOwnerCaller } from '#features/delivery/personal-pages/index.ts'
import { changeTeammate, lastChangesOf, ownersOf, rejectChange } from '#features/people/teammates/index.ts'
import { findMember } from '#features/workspace/accounts/index.ts'
import { changeField, smartFieldsOf } from '#features/workspace/smart-fields/index.ts'
import type { Caller } from '#kernel/api/scopes.ts'
import type { Db } from '#kernel/db/db.ts'
import type { Parts } from '#parts.ts'
import { managerEmail } from './members.ts'

const editableFields = {
  mobile_phone: 'none',
  profile_picture: 'none',
  job_title: 'required',
} as const

/** The pending change is the last one, so lists show it first. */
const wishes = [
  {
    email: 'bea.fontaine@northbean.example',
    title: 'Director of Key Accounts',
    rejection: 'Director is a title of grade 8. “Key Account Manager” would be fine: please send it again.',
  },
  { email: 'amara.okafor@northbean.example', title: 'Senior Support Specialist', rejection: null },
]

async function makeEditable(db: Db, by: Caller, parts: Parts): Promise<void> {
  for (const { id, key } of await smartFieldsOf(db, by.workspaceId)) {
    const approval = editableFields[key as keyof typeof editableFields]
    if (approval) await changeField(db, by, id, { editable_by_owner: true, approval }, parts.smartFields)
  }
}

/** The manager of the demo decides. */
async function managerOf(db: Db, by: Caller): Promise<Caller> {
  const manager = await findMember(db, by.workspaceId, managerEmail)
  return manager ? { ...by, memberId: manager.id, actorId: manager.id } : by
}

/** Idempotent: where a person of the demo has asked for a change already, nothing changes. */
export async function fillOwnChanges(db: Db, by: Caller, parts: Parts): Promise<void> {
  const { workspaceId } = by
  const { publicUrl } = parts.config
  const owners = await db.transaction(tx =>
    ownersOf(
      tx,
      workspaceId,
      wishes.map(({ email }) => email),
    ),
  )
  const deps = { publicUrl, onPeopleChange: parts.onPeopleChange, sendsMail: false }
  for (const { email, title, rejection } of wishes) {
    const teammateId = owners.get(email)
    if (teammateId === undefined) continue
    if ((await lastChangesOf(db, { workspaceId, publicUrl }, teammateId)).length > 0) return
    await makeEditable(db, by, parts)
    const values = { smart_fields: [{ smart_field: 'job_title', value: title }] }
    const { pending } = await changeTeammate(
      db,
      pageOwnerCaller(workspaceId, email),
      teammateId,
      values,
      deps,
    )
    const [change] = pending
    if (change && rejection) await rejectChange(db, await managerOf(db, by), change.id, rejection, deps)
  }
}
