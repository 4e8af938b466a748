import { saveTeammateLabel } from '#features/analytics/index.ts'
import {
  changePrimary,
  insertEmails,
  type OnPeopleChange,
  removeEmailsOf,
  rethrowAddressTaken,
} from '#features/emails/index.ts'
import { refuseIfManagedByDirectory } from '#features/integrations/index.ts'
import { smartFieldsOf } from '#features/smart-fields/index.ts'
import { type Db, isViolation } from '#kernel/db.ts'
import { apiError, invalid, orNotFound, validationError } from '#kernel/errors.ts'
import type { Caller } from '#kernel/scopes.ts'
import { comparisonKey } from '#kernel/text.ts'
import {
  auditUpdate,
  deleteTeammate,
  findTeammate,
  insertTeammates,
  lockTeammate,
  type Teammate,
  touchOwnersOfField,
  writeValues,
} from './queries.ts'
import { checkValues, type SentValue, type SmartFieldValues } from './values.ts'

export interface TeammateDeps {
  readonly publicUrl: string
  /** Runs last in the transaction that changes teammates or their addresses. */
  readonly onPeopleChange: OnPeopleChange
}

async function validateValues(
  db: Db,
  workspaceId: string,
  sent: readonly SentValue[] = [],
): Promise<SmartFieldValues> {
  if (sent.length === 0) return new Map()
  const { values, problems } = checkValues(await smartFieldsOf(db, workspaceId), sent)
  if (problems.length > 0) throw validationError(problems)
  return values
}

const rethrowFieldDeleted = (error: unknown): never => {
  throw isViolation(error, touchOwnersOfField) ? invalid('smart_fields', 'unknown_reference') : error
}

interface Input {
  readonly email: string
  readonly smart_fields?: readonly SentValue[]
}

export async function createTeammate(
  db: Db,
  by: Caller,
  input: Input,
  deps: TeammateDeps,
): Promise<Teammate> {
  return db.transaction(async tx => {
    await refuseIfManagedByDirectory(tx, by, deps.publicUrl)
    const values = await validateValues(tx, by.workspaceId, input.smart_fields)
    const [id = ''] = await insertTeammates(tx, by, 1)
    const emails = await insertEmails(tx, by.workspaceId, [{ teammateId: id, address: input.email }]).catch(
      rethrowAddressTaken('email'),
    )
    await writeValues(tx, by.workspaceId, new Map([[id, values]])).catch(rethrowFieldDeleted)
    await deps.onPeopleChange(tx, by.workspaceId, [id], emails)
    return orNotFound(await findTeammate(tx, by.workspaceId, id))
  })
}

/** A caller with the role member can change only their own values. */
function refuseForeignChange(by: Caller, teammate: Teammate, patch: Partial<Input>): void {
  if (by.role !== 'member') return
  const callerKey = comparisonKey(by.memberEmail ?? '')
  const isOwn = teammate.emails.some(email => comparisonKey(email.address) === callerKey)
  if (!isOwn || patch.email !== undefined) {
    throw apiError('insufficient_role', {
      message: 'The role member includes writing your own smart-field values only.',
    })
  }
}

export async function changeTeammate(
  db: Db,
  by: Caller,
  id: string,
  patch: Partial<Input>,
  deps: TeammateDeps,
): Promise<Teammate> {
  return db.transaction(async tx => {
    const changesNothing = patch.email === undefined && patch.smart_fields === undefined
    if (!changesNothing && !(await lockTeammate(tx, by.workspaceId, id))) throw apiError('not_found')
    const teammate = orNotFound(await findTeammate(tx, by.workspaceId, id))
    refuseForeignChange(by, teammate, patch)
    if (changesNothing) return teammate
    const values = await validateValues(tx, by.workspaceId, patch.smart_fields)
    if (patch.email !== undefined && patch.email !== teammate.email) {
      await refuseIfManagedByDirectory(tx, by, deps.publicUrl)
      await changePrimary(tx, by.workspaceId, id, patch.email).catch(rethrowAddressTaken('email'))
    }
    await writeValues(tx, by.workspaceId, new Map([[id, values]])).catch(rethrowFieldDeleted)
    await auditUpdate(tx, by, id)
    await deps.onPeopleChange(tx, by.workspaceId, [id])
    return orNotFound(await findTeammate(tx, by.workspaceId, id))
  })
}

export async function removeTeammate(db: Db, by: Caller, id: string, deps: TeammateDeps): Promise<void> {
  await db.transaction(async tx => {
    if (!(await lockTeammate(tx, by.workspaceId, id))) throw apiError('not_found')
    await refuseIfManagedByDirectory(tx, by, deps.publicUrl)
    const teammate = orNotFound(await findTeammate(tx, by.workspaceId, id))
    await saveTeammateLabel(tx, by.workspaceId, teammate.id)
    await deleteTeammate(tx, by, teammate)
    await removeEmailsOf(tx, by.workspaceId, id)
    await deps.onPeopleChange(tx, by.workspaceId, [id])
  })
}
