// The values that the owner of a page changes there: what the page shows of them, and how a form is saved.

import {
  changeTeammate,
  findTeammate,
  ignoredBecause,
  lastChangesOf,
  type ProfileChangeView,
  type TeammateDeps,
} from '#features/people/teammates/index.ts'
import { builtInFields, type SmartField, smartFieldsOf } from '#features/workspace/smart-fields/index.ts'
import { day } from '#kernel/base/durations.ts'
import { ApiError } from '#kernel/base/errors.ts'
import type { Db } from '#kernel/db/db.ts'
import { type PageVisit, pageOwnerCaller } from './rules.ts'
import type { PageDone } from './texts/page-texts.ts'

export interface OwnField {
  readonly id: string
  readonly key: string
  /** Null where the label is the one of every workspace: the page has it in the language of the reader. */
  readonly label: string | null
  readonly builtInLabel: string
  readonly kind: SmartField['kind']
  /** For an image field, the address of the picture. */
  readonly value: string | null
  readonly needsApproval: boolean
  /** The change that waits, or the last one when it was decided lately. */
  readonly change: ProfileChangeView | null
}

const builtInLabels = new Map<string, string>(builtInFields.map(({ key, label }) => [key, label]))

/** After so many days the page does not mention a decision any more. */
const noteDays = { approved: 14, rejected: 30 } as const

/** An approval is not mentioned once the value was changed in another way. */
function isShown({ status, decided_at, after_value }: ProfileChangeView, value: string | null): boolean {
  if (status === 'pending') return true
  const since = Date.now() - noteDays[status] * day
  if (decided_at === null || Date.parse(decided_at) <= since) return false
  return status === 'rejected' || after_value === value
}

export async function ownFieldsOf(db: Db, { context, owner }: PageVisit): Promise<readonly OwnField[]> {
  const { workspaceId, publicUrl } = context
  const fields = (await smartFieldsOf(db, workspaceId)).filter(
    field => field.editable_by_owner && !ignoredBecause(field),
  )
  if (fields.length === 0) return []
  const [teammate, changes] = await Promise.all([
    findTeammate(db, workspaceId, publicUrl, owner.teammate_id),
    lastChangesOf(db, { workspaceId, publicUrl }, owner.teammate_id),
  ])
  const values = new Map(teammate?.smart_fields.map(({ smart_field_id, value }) => [smart_field_id, value]))
  return fields.map(({ id, key, label, kind, approval }) => ({
    id,
    key,
    label: builtInLabels.get(key) === label ? null : label,
    builtInLabel: label,
    kind,
    value: values.get(id) ?? null,
    needsApproval: approval === 'required',
    change: changes.find(change => change.field.id === id && isShown(change, values.get(id) ?? null)) ?? null,
  }))
}

/** The value in the input of a field: the requested value while it waits. */
export const shownValueOf = ({ value, change }: OwnField): string =>
  (change?.status === 'pending' ? change.after_value : value) ?? ''

export type FieldProblem = 'invalid' | 'too_long' | 'locked'

export interface SentForm {
  /** By field id: what the owner has typed. */
  readonly values: ReadonlyMap<string, string>
  readonly problems: ReadonlyMap<string, FieldProblem>
}

export type SaveResult = { readonly done: PageDone | null } | { readonly refused: SentForm }

const longestValue = 5_000

/** Form fields are named by the ids of smart fields. Browsers send line breaks as CRLF. */
const typedIn = (form: Readonly<Record<string, string>>, id: string): string | undefined =>
  form[`field-${id}`]?.replaceAll('\r\n', '\n').trim()

/** Problems of fields, as the rules report them: `smart_fields[1].value` is the second value that was sent. */
function problemsOf(error: ApiError, ids: readonly string[]): Map<string, FieldProblem> {
  const problem = error.code === 'insufficient_role' ? 'locked' : 'invalid'
  return new Map(
    (error.details ?? []).flatMap(({ field }) => {
      const id = ids[Number(/^smart_fields\[(\d+)\]/.exec(field)?.[1] ?? -1)]
      return id === undefined ? [] : [[id, problem] as const]
    }),
  )
}

/** Saves the values that differ from what the page showed, all or none of them. */
export async function saveOwnValues(
  db: Db,
  visit: PageVisit,
  form: Readonly<Record<string, string>>,
  requestId: string | undefined,
  deps: Pick<TeammateDeps, 'publicUrl' | 'onPeopleChange'>,
): Promise<SaveResult> {
  const { workspaceId } = visit.context
  const fields = (await ownFieldsOf(db, visit)).filter(({ kind }) => kind !== 'image')
  const changed = fields.flatMap(field => {
    const typed = typedIn(form, field.id)
    const pageValue = form[`was-${field.id}`]?.replaceAll('\r\n', '\n') ?? shownValueOf(field)
    return typed === undefined || typed === pageValue.trim() ? [] : [{ id: field.id, value: typed }]
  })
  const values = new Map(fields.flatMap(({ id }) => [[id, typedIn(form, id) ?? ''] as const]))
  const tooLong = changed.filter(({ value }) => value.length > longestValue)
  if (tooLong.length > 0)
    return { refused: { values, problems: new Map(tooLong.map(({ id }) => [id, 'too_long'])) } }
  if (changed.length === 0) return { done: null }
  const by = pageOwnerCaller(workspaceId, visit.owner.address, requestId ?? null)
  const smart_fields = changed.map(({ id, value }) => ({ smart_field_id: id, value }))
  try {
    const { pending } = await changeTeammate(db, by, visit.owner.teammate_id, { smart_fields }, deps)
    return { done: pending.length > 0 ? 'waiting' : 'saved' }
  } catch (error) {
    if (!(error instanceof ApiError) || !error.details) throw error
    const problems = problemsOf(
      error,
      changed.map(({ id }) => id),
    )
    if (problems.size === 0) throw error
    return { refused: { values, problems } }
  }
}
