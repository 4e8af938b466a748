import { saveReferences } from '#features/content/index.ts'
import { type OnSignatureChange, touchSignature } from '#features/signatures/index.ts'
import { lockFieldsForShare, smartFieldsOf } from '#features/smart-fields/index.ts'
import type { Db } from '#kernel/db.ts'
import { apiError, type Detail, detail, invalid, orNotFound, validationError } from '#kernel/errors.ts'
import type { Caller } from '#kernel/scopes.ts'
import { type Conditions, excessOf, fieldsIn } from './conditions.ts'
import { refreshEverybody, refreshSignature } from './membership.ts'
import { winnersOver } from './precedence.ts'
import {
  addByHand,
  addEntities,
  allCandidates,
  findSelection,
  lockMembership,
  type RecipientChoice,
  removeByHand,
  removeEntity,
  saveEntityRecipientsOf,
  saveRules,
  unknownEmails,
  unknownEntities,
} from './queries.ts'
import type { Selection } from './schemas.ts'

export interface RecipientDeps {
  /** Called last, in the same transaction. */
  readonly onChange: OnSignatureChange
}
type OnChange = RecipientDeps['onChange']

/**
 * Changes the recipients of a signature; `emailIds` limits the change to these addresses. Lock order everywhere:
 * membership before signature.
 */
function changeRecipients(
  db: Db,
  by: Caller,
  signatureId: string,
  onChange: RecipientDeps['onChange'],
  mode: 'shared' | 'alone',
  apply: (tx: Db, before: Selection) => Promise<void>,
  emailIds?: readonly string[],
): Promise<Selection> {
  return db.transaction(async tx => {
    await lockMembership(tx, by.workspaceId, mode)
    const exists = await touchSignature(tx, by, signatureId, 'signature.recipients_changed')
    if (!exists) throw apiError('not_found')
    await apply(tx, orNotFound(await findSelection(tx, by.workspaceId, signatureId)))
    await onChange(tx, { workspaceId: by.workspaceId, signatureId, ...(emailIds && { emailIds }) })
    return orNotFound(await findSelection(tx, by.workspaceId, signatureId))
  })
}

const refuseUnknown = (field: string, sent: readonly string[], ids: readonly string[]): void => {
  const missing = new Set(ids)
  const details = sent.flatMap((id, index) =>
    missing.has(id) ? [detail(`${field}[${index}]`, 'unknown_reference')] : [],
  )
  if (details.length > 0) throw validationError(details)
}

export const addRecipients = (
  db: Db,
  by: Caller,
  signatureId: string,
  emailIds: readonly string[],
  onChange: OnChange,
) =>
  changeRecipients(
    db,
    by,
    signatureId,
    onChange,
    'shared',
    async tx => {
      refuseUnknown('email_ids', emailIds, await unknownEmails(tx, by.workspaceId, emailIds))
      await addByHand(tx, by.workspaceId, signatureId, emailIds)
    },
    emailIds,
  )

export const removeRecipients = (
  db: Db,
  by: Caller,
  signatureId: string,
  emailIds: readonly string[],
  onChange: OnChange,
) =>
  changeRecipients(
    db,
    by,
    signatureId,
    onChange,
    'shared',
    tx => removeByHand(tx, by.workspaceId, signatureId, emailIds),
    emailIds,
  )

export const assignEntities = (
  db: Db,
  by: Caller,
  signatureId: string,
  entityIds: readonly string[],
  onChange: OnChange,
) =>
  changeRecipients(db, by, signatureId, onChange, 'alone', async tx => {
    refuseUnknown('integration_entity_ids', entityIds, await unknownEntities(tx, by.workspaceId, entityIds))
    await addEntities(tx, by.workspaceId, signatureId, entityIds)
    await saveEntityRecipientsOf(tx, by.workspaceId, signatureId)
  })

export const unassignEntity = (
  db: Db,
  by: Caller,
  signatureId: string,
  entityId: string,
  onChange: OnChange,
) =>
  changeRecipients(db, by, signatureId, onChange, 'alone', async tx => {
    await removeEntity(tx, by.workspaceId, signatureId, entityId)
    await saveEntityRecipientsOf(tx, by.workspaceId, signatureId)
  })

export const changeRules = (
  db: Db,
  by: Caller,
  signatureId: string,
  rules: Partial<RecipientChoice>,
  onChange: OnChange,
) =>
  changeRecipients(db, by, signatureId, onChange, 'alone', async (tx, before) => {
    const { conditions, assign_to_all_future_emails, everybody } = { ...before, ...rules }
    if (rules.conditions) await checkConditions(tx, by.workspaceId, rules.conditions)
    await saveRules(tx, by.workspaceId, signatureId, { conditions, assign_to_all_future_emails, everybody })
    if (everybody !== before.everybody) await refreshEverybody(tx, by.workspaceId, signatureId, everybody)
    if (!rules.conditions) return
    const holder = { kind: 'rule', id: signatureId, signatureId } as const
    await saveReferences(
      tx,
      by.workspaceId,
      holder,
      fieldsIn(conditions).map(id => ({ kind: 'smart_field', id })),
    )
    await refreshSignature(tx, by.workspaceId, signatureId, conditions)
  })

/** Campaigns use it too: they select people with the same conditions. */
export async function checkConditions(
  tx: Db,
  workspaceId: string,
  conditions: Conditions,
  field = 'conditions',
): Promise<void> {
  const excess = excessOf(conditions)
  if (excess) throw invalid(field, 'too_many', { message: `${field} has ${excess}` })
  await lockFieldsForShare(tx, workspaceId, fieldsIn(conditions))
  const fieldIds = new Set((await smartFieldsOf(tx, workspaceId)).map(field => field.id))
  const details: Detail[] = []
  conditions.forEach((group, g) => {
    group.forEach(({ smart_field_id, operator, values }, c) => {
      const path = `${field}[${g}][${c}]`
      if (!fieldIds.has(smart_field_id.toLowerCase()))
        details.push(detail(`${path}.smart_field_id`, 'unknown_reference'))
      const needsValues = operator !== 'is_set' && operator !== 'is_not_set'
      if (needsValues && values === undefined)
        details.push(detail(`${path}.values`, 'missing', { missing: ['values'] }))
      if (needsValues && values?.length === 0) details.push(detail(`${path}.values`, 'too_short'))
      values?.forEach((value, v) => {
        if (needsValues && value.trim() === '') details.push(detail(`${path}.values[${v}]`, 'blank'))
      })
    })
  })
  if (details.length > 0) throw validationError(details)
}

/** The signatures that win against this one where both reach an address. Null when no address can get this one. */
export const signaturesWinningOver = async (
  db: Db,
  workspaceId: string,
  signatureId: string,
): Promise<string[] | null> => winnersOver(await allCandidates(db, workspaceId), signatureId)
