import { Type } from 'typebox'
import { saveReferences } from '#features/content/content/index.ts'
import { type OnSignatureChange, touchSignature } from '#features/signatures/signatures/index.ts'
import {
  fieldResolver,
  lockFieldsForShare,
  type SmartField,
  smartFieldName,
  smartFieldsOf,
} from '#features/workspace/smart-fields/index.ts'
import type { Caller } from '#kernel/api/scopes.ts'
import { propertyPicker } from '#kernel/api/validation.ts'
import { apiError, type Detail, detail, invalid, orNotFound, validationError } from '#kernel/base/errors.ts'
import { isObject } from '#kernel/base/json-values.ts'
import type { Db, Sql } from '#kernel/db/db.ts'
import { teammatesChosenFor, teammatesWithAny } from './chosen-people/queries.ts'
import { type Condition, type ConditionInput, type Conditions, excessOf, fieldsIn } from './conditions.ts'
import { matchesOf, refreshEverybody, refreshSignature } from './membership.ts'
import { winnersOver } from './precedence.ts'
import {
  addByHand,
  addEntities,
  allCandidates,
  findSelection,
  lockMembership,
  removeByHand,
  removeEntity,
  saveEntityRecipientsOf,
  saveRules,
  unknownEmails,
  unknownEntities,
} from './queries.ts'
import { emailsInOrder } from './rule-matches/queries.ts'
import { maxGroups, maxInGroup, type Selection } from './schemas.ts'

export interface RecipientDeps {
  /** Called last, in the same transaction. */
  readonly onChange: OnSignatureChange
}
type OnChange = RecipientDeps['onChange']

/**
 * Changes the recipients of a signature; `emailIds` limits the change to these addresses. Lock order everywhere:
 * membership before signature.
 */
const changeRecipients = (
  db: Db,
  by: Caller,
  signatureId: string,
  onChange: RecipientDeps['onChange'],
  mode: 'shared' | 'alone',
  apply: (tx: Db, before: Selection) => Promise<void>,
  emailIds?: readonly string[],
): Promise<Selection> =>
  db.transaction(async tx => {
    await lockMembership(tx, by.workspaceId, mode)
    const exists = await touchSignature(tx, by, signatureId, 'signature.recipients_changed')
    if (!exists) throw apiError('not_found')
    await apply(tx, orNotFound(await findSelection(tx, by.workspaceId, signatureId)))
    await onChange(tx, { workspaceId: by.workspaceId, signatureId, ...(emailIds && { emailIds }) })
    return orNotFound(await findSelection(tx, by.workspaceId, signatureId))
  })

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

type ConditionInputs = readonly (readonly ConditionInput[])[]

interface Rules {
  readonly conditions?: ConditionInputs
  readonly assign_to_all_future_emails?: boolean
  readonly everybody?: boolean
}

export const changeRules = (db: Db, by: Caller, signatureId: string, rules: Rules, onChange: OnChange) =>
  changeRecipients(db, by, signatureId, onChange, 'alone', async (tx, before) => {
    const conditions = rules.conditions
      ? await acceptConditions(tx, by.workspaceId, rules.conditions)
      : before.conditions
    const { assign_to_all_future_emails, everybody } = { ...before, ...rules }
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

const previewedAddresses = 50

/** The addresses that conditions would reach. Nothing is written. */
export const previewRules = (db: Db, workspaceId: string, conditions: ConditionInputs) =>
  db.transaction(async tx => {
    const accepted = await acceptConditions(tx, workspaceId, conditions)
    const { count, first } = await matchesOf(tx, workspaceId, accepted, previewedAddresses)
    return { matching_emails_count: count, emails: await emailsInOrder(tx, workspaceId, first) }
  })

/**
 * The conditions with the ids of their fields, which stay until the end of the transaction. Throws one error with all
 * problems. Campaigns use it too: they select people with the same conditions.
 */
export async function acceptConditions(
  tx: Db,
  workspaceId: string,
  conditions: ConditionInputs,
  field = 'conditions',
): Promise<Conditions> {
  const excess = excessOf(conditions)
  if (excess) throw invalid(field, 'too_many', { message: `${field} has ${excess}` })
  const read = async () => resolveFields(conditions, field, await smartFieldsOf(tx, workspaceId))
  await lockFieldsForShare(tx, workspaceId, fieldsIn((await read()).conditions))
  // A field can have been deleted before it was locked.
  const { conditions: accepted, problems } = await read()
  const details = [...problems, ...valueProblems(conditions, field)]
  if (details.length > 0) throw validationError(details)
  return accepted
}

/** Fills in the default operator. A condition without a field is left out, with a problem. */
function resolveFields(
  conditions: ConditionInputs,
  at: string,
  fields: readonly SmartField[],
): { readonly conditions: Conditions; readonly problems: readonly Detail[] } {
  const find = fieldResolver(fields)
  const problems: Detail[] = []
  const resolved = conditions.map((group, g) =>
    group.flatMap(({ smart_field_id, smart_field, operator = 'is_any_of', ...rest }, c): Condition[] => {
      const name = {
        ...(smart_field_id !== undefined && { smart_field_id }),
        ...(smart_field !== undefined && { smart_field }),
      }
      const resolved = find(name, `${at}[${g}][${c}]`)
      if ('field' in resolved)
        return [{ smart_field_id: smart_field_id ?? resolved.field.id, operator, ...rest }]
      problems.push(resolved.problem)
      return []
    }),
  )
  return { conditions: resolved, problems }
}

const pickName = propertyPicker(Type.Object(smartFieldName))

/** Finds the problems of names in conditions that do not match their schema. */
export async function unknownFieldsIn(
  db: Db,
  workspaceId: string,
  sent: unknown,
  at: string,
): Promise<readonly Detail[]> {
  const itemsOf = (list: unknown, limit: number): readonly unknown[] =>
    Array.isArray(list) ? list.slice(0, limit) : []
  const groups = itemsOf(sent, maxGroups)
  if (groups.length === 0) return []
  const find = fieldResolver(await smartFieldsOf(db, workspaceId))
  return groups.flatMap((group, g) =>
    itemsOf(group, maxInGroup).flatMap((condition, c): Detail[] => {
      const resolved = isObject(condition) ? find(pickName(condition), `${at}[${g}][${c}]`) : undefined
      // A name of the wrong type is a problem already, and is not missing.
      return resolved && 'problem' in resolved && resolved.problem.code !== 'missing'
        ? [resolved.problem]
        : []
    }),
  )
}

const valueProblems = (conditions: ConditionInputs, at: string): Detail[] =>
  conditions.flatMap((group, g) =>
    group.flatMap(({ operator, values }, c): Detail[] => {
      const path = `${at}[${g}][${c}].values`
      if (operator === 'is_set' || operator === 'is_not_set') return []
      if (values === undefined) return [detail(path, 'missing', { missing: ['values'] })]
      if (values.length === 0) return [detail(path, 'too_short')]
      return values.flatMap((value, v) => (value.trim() === '' ? [detail(`${path}[${v}]`, 'blank')] : []))
    }),
  )

/** The signatures that win against this one where both reach an address. Null when no address can get this one. */
export const signaturesWinningOver = async (
  db: Db,
  workspaceId: string,
  signatureId: string,
): Promise<string[] | null> => winnersOver(await allCandidates(db, workspaceId), signatureId)

/**
 * A statement that selects the teammates who get this signature on new mail, or any (`null`). Undefined: no address gets
 * it, because it is not active or not published.
 */
export async function peopleWithSignature(
  db: Db,
  workspaceId: string,
  signatureId: string | null,
): Promise<Sql | undefined> {
  if (signatureId === null) return teammatesWithAny(workspaceId)
  const preferred = await signaturesWinningOver(db, workspaceId, signatureId)
  return preferred === null ? undefined : teammatesChosenFor(workspaceId, signatureId, preferred)
}
