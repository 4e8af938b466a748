// Decisions of managers on changes that people asked for. Locks in the order of all writes: teammate, field, change.
import {
  fitsKind,
  lockFieldsForShare,
  type SmartField,
  smartFieldsOf,
} from '#features/workspace/smart-fields/index.ts'
import type { Caller } from '#kernel/api/scopes.ts'
import { apiError, invalid, orNotFound } from '#kernel/base/errors.ts'
import type { Db } from '#kernel/db/db.ts'
import { isSelfService } from '../own-changes.ts'
import { auditUpdate, holdTeammate, lockTeammate, writeValues } from '../queries.ts'
import type { TeammateWriteDeps } from '../rules.ts'
import { ignoredBecause, type StoredPicture } from '../values.ts'
import { enqueueDecisionMail } from './jobs.ts'
import {
  type ChangeFilters,
  decideChange,
  findChange,
  type LockedChange,
  lockChange,
  type ProfileChangeView,
  partsOfChange,
  withdrawChange,
} from './queries.ts'

export interface DecisionDeps extends TeammateWriteDeps {
  /** True if a mail server is configured. */
  readonly sendsMail: boolean
}

/** Members see the changes of their own teammate. */
export const visibleTo = (by: Caller): ChangeFilters =>
  isSelfService(by) ? { ownerEmail: by.memberEmail } : {}

/** Locks a change that is pending. Of several decisions at once, the first one wins. */
async function lockPending(tx: Db, { workspaceId }: Caller, id: string): Promise<LockedChange> {
  const { teammate_id, smart_field_id } = orNotFound(await partsOfChange(tx, workspaceId, id))
  if (!(await holdTeammate(tx, workspaceId, teammate_id))) throw apiError('not_found')
  await lockFieldsForShare(tx, workspaceId, [smart_field_id])
  const change = orNotFound(await lockChange(tx, workspaceId, id))
  if (change.status !== 'pending')
    throw apiError('already_decided', { message: `This profile change was ${change.status} already.` })
  return change
}

function refuseUnwritable(field: SmartField, after: string | StoredPicture | null): void {
  if (ignoredBecause(field))
    throw apiError('directory_managed', {
      message: `A directory writes ${field.label} now; reject the change, or change the value there.`,
    })
  const isPicture = typeof after === 'object' && after !== null
  const fits = after === null || (isPicture ? field.kind === 'image' : fitsKind(field.kind, after))
  if (!fits || (!isPicture && after !== null && field.kind === 'image'))
    throw invalid('after_value', 'invalid', {
      message: `after_value is not a valid ${field.kind} any more: the kind of ${field.label} has changed`,
    })
}

/** Writes the value like every other change of a teammate. */
export async function approveChange(
  db: Db,
  by: Caller,
  id: string,
  deps: DecisionDeps,
): Promise<ProfileChangeView> {
  const { workspaceId } = by
  return db.transaction(async tx => {
    const change = await lockPending(tx, by, id)
    const fields = await smartFieldsOf(tx, workspaceId)
    const field = orNotFound(fields.find(({ id }) => id === change.smart_field_id))
    refuseUnwritable(field, change.after)
    await decideChange(tx, by, change, 'approved', null)
    await lockTeammate(tx, workspaceId, change.teammate_id)
    const values = new Map([[change.teammate_id, new Map([[field.id, change.after]])]])
    await writeValues(tx, workspaceId, values, false)
    await auditUpdate(tx, by, change.teammate_id, ['smart_fields'])
    await deps.onPeopleChange(tx, workspaceId, [change.teammate_id])
    if (deps.sendsMail) await tx.query(enqueueDecisionMail(workspaceId, id))
    return orNotFound(await findChange(tx, { workspaceId, publicUrl: deps.publicUrl }, id))
  })
}

export async function rejectChange(
  db: Db,
  by: Caller,
  id: string,
  reason: string | null,
  deps: DecisionDeps,
): Promise<ProfileChangeView> {
  const { workspaceId } = by
  return db.transaction(async tx => {
    const change = await lockPending(tx, by, id)
    await decideChange(tx, by, change, 'rejected', reason)
    if (deps.sendsMail) await tx.query(enqueueDecisionMail(workspaceId, id))
    return orNotFound(await findChange(tx, { workspaceId, publicUrl: deps.publicUrl }, id))
  })
}

/** Members withdraw their own changes. */
export const withdraw = (
  db: Db,
  by: Caller,
  id: string,
  deps: Pick<DecisionDeps, 'publicUrl'>,
): Promise<void> =>
  db.transaction(async tx => {
    const scope = { workspaceId: by.workspaceId, publicUrl: deps.publicUrl }
    orNotFound(await findChange(tx, scope, id))
    if (!(await findChange(tx, scope, id, visibleTo(by))))
      throw apiError('insufficient_role', {
        message: 'The role member includes your own profile changes only.',
      })
    await lockPending(tx, by, id)
    await withdrawChange(tx, by, id)
  })
