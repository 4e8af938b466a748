// What callers with the role member, and the owners of personal pages, can change: the values of their own teammate whose
// fields are `editable_by_owner`.
import { fieldResolver, type SmartField } from '#features/workspace/smart-fields/index.ts'
import { type Caller, seesOwnOnly } from '#kernel/api/scopes.ts'
import { apiError, type Detail, detail } from '#kernel/base/errors.ts'
import { comparisonKey } from '#kernel/db/text.ts'
import type { Teammate } from './schemas.ts'
import type { SentValue, SmartFieldValues } from './values.ts'

export const isSelfService = ({ role }: Pick<Caller, 'role'>): boolean => role === 'member'

/** Teammates that do not exist for the caller. */
export const isHiddenFrom = (by: Caller, { emails }: Pick<Teammate, 'emails'>): boolean =>
  seesOwnOnly(by) &&
  isForeignTo(
    by,
    emails.map(({ address }) => address),
  )

/** True if the caller is a member, and the addresses are those of another person. */
export function isForeignTo(by: Caller, addresses: readonly string[]): boolean {
  const callerKey = comparisonKey(by.memberEmail ?? '')
  return isSelfService(by) && !addresses.some(address => comparisonKey(address) === callerKey)
}

/** Refuses the teammates of other people. */
export function refuseForeignChange(by: Caller, { emails }: Pick<Teammate, 'emails'>): void {
  if (
    isForeignTo(
      by,
      emails.map(({ address }) => address),
    )
  )
    throw apiError('insufficient_role', {
      message: 'The role member includes changes of your own values only.',
    })
}

export const refuseAddressChange = (): never => {
  const message = 'email is not editable by its owner: ask a manager to change the address'
  throw apiError('insufficient_role', { message, details: [detail('email', 'not_editable', { message })] })
}

const problemOf = ({ label }: SmartField, at: string): Detail =>
  detail(at, 'not_editable', { message: `${at}: ${label} is not editable by its owner` })

const refusalOf = (details: readonly Detail[]) =>
  apiError('insufficient_role', { message: details[0]?.message ?? '', details: details.slice(0, 50) })

/** Refuses values of fields that people do not change themselves. Unknown fields are left to validation. */
export function refuseUneditable(
  by: Caller,
  fields: readonly SmartField[],
  sent: readonly SentValue[],
): void {
  if (!isSelfService(by)) return
  const resolve = fieldResolver(fields)
  const details = sent.flatMap(({ value: _, ...name }, index) => {
    const at = `smart_fields[${index}]`
    const named = resolve(name, at)
    return 'field' in named && !named.field.editable_by_owner ? [problemOf(named.field, at)] : []
  })
  if (details.length > 0) throw refusalOf(details)
}

export function refuseUneditableField(by: Caller, field: SmartField): void {
  if (isSelfService(by) && !field.editable_by_owner) throw refusalOf([problemOf(field, 'smart_field_id')])
}

interface SplitValues {
  /** Written at once. */
  readonly direct: SmartFieldValues
  /** A manager decides. */
  readonly waiting: SmartFieldValues
}

export function splitValues(
  by: Caller,
  fields: readonly SmartField[],
  values: SmartFieldValues,
): SplitValues {
  const guarded = new Set(
    isSelfService(by) ? fields.filter(field => field.approval === 'required').map(field => field.id) : [],
  )
  const part = (isWaiting: boolean) => new Map([...values].filter(([id]) => guarded.has(id) === isWaiting))
  return { direct: part(false), waiting: part(true) }
}
