import { safeUrl } from '@signoff/render'
import type { Caller } from '#kernel/api/scopes.ts'
import { isEmailAddress } from '#kernel/api/validation.ts'
import { apiError, detail, invalid, orNotFound, validationError } from '#kernel/base/errors.ts'
import { type Db, isViolation } from '#kernel/db/db.ts'
import { comparisonKey } from '#kernel/db/text.ts'
import { assertMapping, isMappingSent } from './mapping.ts'
import {
  deleteField,
  type FieldUse,
  hasValues,
  insertField,
  lockField,
  lockFields,
  type SmartField,
  smartFieldsOf,
  updateField,
  usesOf,
} from './queries.ts'
import type { SmartFieldInput, SmartFieldKind } from './schemas.ts'

/** Uses the same check as the renderer when it makes a link. */
const isLink = (text: string): boolean => !/\s/.test(text) && safeUrl(text) !== null

const phone = /^\+?[\d\s().\-/]+(?:(?:ext\.?|x|#|,|;)\s*\d+)?$/i
const isPhone = (text: string): boolean =>
  phone.test(text) && text.length <= 60 && text.replace(/\D/g, '').length >= 3

const validators: Readonly<Record<SmartFieldKind, (text: string) => boolean>> = {
  text: () => true,
  url: isLink,
  email: isEmailAddress,
  phone: isPhone,
  image: () => true,
}

export const fitsKind = (kind: SmartFieldKind, value: string): boolean => validators[kind](value.trim())

/** 60 letters have at most 120 UTF-16 units. */
const firstLetters = (text: string): string => Array.from(text.slice(0, 120)).slice(0, 60).join('')

/** `Job title` → `job_title`; letters of any script stay. */
const slug = (label: string): string =>
  firstLetters(
    comparisonKey(label)
      .replace(/[^\p{L}\p{N}]+/gu, '_')
      .replace(/^_|_$/g, ''),
  ) || 'field'

async function unusedKey(db: Db, workspaceId: string, label: string): Promise<string> {
  const taken = new Set((await smartFieldsOf(db, workspaceId)).map(field => field.key))
  const base = slug(label)
  let key = base
  for (let n = 2; taken.has(key); n++) key = `${base}_${n}`
  return key
}

const throwIfTaken = (error: unknown): never => {
  throw isViolation(error, 'smart_fields_label') ? invalid('label', 'taken') : error
}

type SmartFieldChanges = Partial<SmartFieldInput>

function checkFallback(kind: SmartFieldKind, fallback: string | null | undefined): void {
  if (fallback && !fitsKind(kind, fallback)) {
    throw invalid('fallback', 'invalid', { message: `fallback is not a valid ${kind}` })
  }
}

export async function createField(
  db: Db,
  by: Caller,
  input: SmartFieldChanges & { label: string },
  { onMappingChange }: Pick<SmartFieldDeps, 'onMappingChange'>,
): Promise<SmartField> {
  const { label, kind = 'text', required = false, fallback = null } = input
  const { editable_by_owner = false, approval = 'none' } = input
  const { integration_id = null, integration_attribute = null } = input
  checkFallback(kind, fallback)
  return db.transaction(async tx => {
    await lockFields(tx, by.workspaceId)
    const key = await unusedKey(tx, by.workspaceId, label)
    const mapping = { integration_id, integration_attribute }
    if (isMappingSent(input)) await assertMapping(tx, by, { kind, computed: false, ...mapping })
    const field = { label, key, kind, required, fallback, editable_by_owner, approval, ...mapping }
    const inserted = await insertField(tx, by, field).catch(throwIfTaken)
    if (integration_id !== null) await onMappingChange(tx, by.workspaceId, integration_id, kind === 'image')
    return inserted
  })
}

export interface SmartFieldDeps {
  /** Called in the same transaction when the output of signatures can have changed. */
  readonly onChange: (tx: Db, workspaceId: string) => Promise<unknown>
  /** Called in the same transaction when another attribute of a directory fills a field. */
  readonly onMappingChange: (
    tx: Db,
    workspaceId: string,
    integrationId: string,
    isPicture: boolean,
  ) => Promise<unknown>
}

export const changeField = (
  db: Db,
  by: Caller,
  id: string,
  patch: SmartFieldChanges,
  { onChange, onMappingChange }: SmartFieldDeps,
): Promise<SmartField> =>
  db.transaction(async tx => {
    const field = orNotFound(await lockField(tx, by.workspaceId, id))
    if (Object.keys(patch).length === 0) return field
    const kind = patch.kind ?? field.kind
    const problems = [
      ...(kind !== field.kind && !(await canChangeKind(tx, by, field, kind))
        ? [
            detail('kind', 'invalid', {
              message:
                'kind cannot be changed: the field is built in, or teammates have values of the old kind',
            }),
          ]
        : []),
      ...(field.computed && patch.fallback != null
        ? [detail('fallback', 'invalid', { message: 'fallback is of no use: this field always has a value' })]
        : []),
      ...(field.computed && patch.editable_by_owner
        ? [
            detail('editable_by_owner', 'invalid', {
              message: 'editable_by_owner is of no use: the value of this field follows the address',
            }),
          ]
        : []),
    ]
    if (problems.length > 0) throw validationError(problems)
    checkFallback(kind, patch.fallback === undefined ? field.fallback : patch.fallback)
    if (isMappingSent(patch)) await assertMapping(tx, by, { ...field, ...patch, kind })
    const updated = orNotFound(await updateField(tx, by, id, { ...field, ...patch }).catch(throwIfTaken))
    const changesOutput = updated.fallback !== field.fallback || updated.kind !== field.kind
    if (changesOutput) await onChange(tx, by.workspaceId)
    const isMapped =
      updated.integration_id !== field.integration_id ||
      updated.integration_attribute !== field.integration_attribute ||
      updated.kind !== field.kind
    if (isMapped && updated.integration_id !== null)
      await onMappingChange(tx, by.workspaceId, updated.integration_id, updated.kind === 'image')
    return updated
  })

/** Every written value is valid as text. Any other change is allowed only while no teammate has a value. */
async function canChangeKind(db: Db, by: Caller, field: SmartField, kind: SmartFieldKind): Promise<boolean> {
  if (field.default) return false
  return (kind === 'text' && field.kind !== 'image') || !(await hasValues(db, by.workspaceId, field.id))
}

const useLabels: Readonly<Record<FieldUse['kind'], string>> = {
  signature: 'signature',
  variant: 'a variant of signature',
  rule: 'the recipients of signature',
  campaign: 'campaign',
}

/** Names at most ten uses. */
function describeUses(uses: readonly FieldUse[]): string {
  const named = uses
    .slice(0, 10)
    .map(({ kind, name }) => (name === null ? useLabels[kind] : `${useLabels[kind]} “${name}”`))
  const rest = uses.length - named.length
  return [...named, ...(rest > 0 ? [`${rest} more`] : [])].join(', ')
}

export const removeField = (db: Db, by: Caller, id: string): Promise<void> =>
  db.transaction(async tx => {
    const field = orNotFound(await lockField(tx, by.workspaceId, id))
    if (field.default)
      throw invalid('id', 'invalid', { message: `${field.label} is built in and cannot be deleted` })
    const uses = await usesOf(tx, by.workspaceId, id)
    if (uses.length > 0)
      throw apiError('smart_field_in_use', { message: `${field.label} is in use: ${describeUses(uses)}.` })
    await deleteField(tx, by, id)
  })
