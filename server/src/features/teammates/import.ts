// Many teammates at once: each row is validated by itself, and all valid rows are written in one transaction.

import { insertEmails, type OnPeopleChange } from '#features/emails/index.ts'
import { isManagedByDirectory } from '#features/integrations/index.ts'
import { type SmartField, smartFieldsOf } from '#features/smart-fields/index.ts'
import { type Db, isViolation } from '#kernel/db.ts'
import { type Detail, detail } from '#kernel/errors.ts'
import type { Caller } from '#kernel/scopes.ts'
import { comparisonKey } from '#kernel/text.ts'
import { itemChecker } from '#kernel/validation.ts'
import { insertTeammates, ownersOf, touchEach, touchOwnersOfField, writeValues } from './queries.ts'
import { TeammateInput } from './schemas.ts'
import { checkValues, type SentValue, type SmartFieldValues } from './values.ts'

interface Failure {
  readonly index: number
  readonly email: string | null
  readonly details: readonly Detail[]
}

export interface ImportResult {
  readonly created: number
  readonly updated: number
  readonly failed: readonly Failure[]
}

interface Row {
  readonly index: number
  readonly email: string
  readonly addressKey: string
  readonly values: SmartFieldValues
}

const problemsOf = itemChecker(TeammateInput, 'teammate')

function validate(
  rows: readonly unknown[],
  fields: readonly SmartField[],
): { valid: Row[]; failed: Failure[] } {
  const valid: Row[] = []
  const failed: Failure[] = []
  rows.forEach((row, index) => {
    const sent = row as { email?: unknown; smart_fields?: readonly SentValue[] } | null
    const email = typeof sent?.email === 'string' ? sent.email : null
    const problems = problemsOf(row)
    if (problems.length > 0 || email === null) {
      failed.push({ index, email, details: problems })
      return
    }
    const { values, problems: valueProblems } = checkValues(fields, sent?.smart_fields ?? [])
    if (valueProblems.length > 0) failed.push({ index, email, details: valueProblems })
    else valid.push({ index, email, addressKey: comparisonKey(email), values })
  })
  return { valid, failed }
}

export async function importTeammates(
  db: Db,
  by: Caller,
  rows: readonly unknown[],
  onPeopleChange: OnPeopleChange,
): Promise<ImportResult> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction(tx => importOnce(tx, by, rows, onPeopleChange))
    } catch (error) {
      // An address was created or a field deleted meanwhile: validated again, the row is an update or a failure.
      if (!(isViolation(error, 'emails_address') || isViolation(error, touchOwnersOfField)) || attempt === 5)
        throw error
    }
  }
}

async function importOnce(
  tx: Db,
  by: Caller,
  rows: readonly unknown[],
  onPeopleChange: OnPeopleChange,
): Promise<ImportResult> {
  const { valid, failed } = validate(rows, await smartFieldsOf(tx, by.workspaceId))
  const byAddress = Map.groupBy(valid, row => row.addressKey)
  const owners = await ownersOf(tx, by.workspaceId, [...byAddress.keys()])
  const newGroups = [...byAddress].filter(([key]) => !owners.has(key)).map(([, same]) => same)

  if (newGroups.length > 0 && (await isManagedByDirectory(tx, by))) {
    const message = 'email is not a teammate yet, and a directory decides who is'
    for (const { index, email } of newGroups.flat()) {
      failed.push({ index, email, details: [detail('email', 'invalid', { message })] })
    }
    newGroups.length = 0
  }

  const newEmails: string[] = []
  const newRows = newGroups.flatMap(([first]) => (first ? [first] : []))
  if (newRows.length > 0) {
    const ids = await insertTeammates(tx, by, newRows.length)
    const primaries = newRows.map((row, n) => ({
      teammateId: ids[n] ?? '',
      address: row.email,
      key: row.addressKey,
    }))
    newEmails.push(...(await insertEmails(tx, by.workspaceId, primaries)))
    for (const { key, teammateId } of primaries) owners.set(key, teammateId)
  }

  const created = new Set(newRows)
  const values = new Map<string, Map<string, string | null>>()
  const updated = new Set<string>()
  let updates = 0
  for (const row of valid) {
    const owner = owners.get(row.addressKey)
    if (owner === undefined) continue
    const teammateValues = values.get(owner) ?? new Map()
    for (const [field, value] of row.values) teammateValues.set(field, value)
    values.set(owner, teammateValues)
    if (created.has(row)) continue
    updates++
    updated.add(owner)
  }
  if (updated.size > 0) await touchEach(tx, by, [...updated].sort())
  await writeValues(tx, by.workspaceId, new Map([...values].sort()))
  await onPeopleChange(tx, by.workspaceId, [...values.keys()], newEmails)
  return { created: newRows.length, updated: updates, failed: limitDetails(failed) }
}

/** The most problems in one answer: a single request can contain some hundred thousand. */
const maxDetails = 2_000
const longestEmail = 320

/** Sorted by index; each row keeps at least its first problem. */
function limitDetails(failed: readonly Failure[]): Failure[] {
  let left = maxDetails - failed.length
  return [...failed]
    .sort((a, b) => a.index - b.index)
    .map(({ index, email, details }) => {
      const included = details.slice(0, 1 + Math.max(0, Math.min(left, 49)))
      left -= included.length - 1
      return { index, email: email?.slice(0, longestEmail).toWellFormed() ?? null, details: included }
    })
}
