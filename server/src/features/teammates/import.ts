// Many teammates at once: each row is judged by itself, and all good rows are written in one transaction.

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

function judge(rows: readonly unknown[], fields: readonly SmartField[]): { good: Row[]; failed: Failure[] } {
  const good: Row[] = []
  const failed: Failure[] = []
  rows.forEach((row, index) => {
    const sent = row as { email?: unknown; smart_fields?: readonly SentValue[] } | null
    const email = typeof sent?.email === 'string' ? sent.email : null
    const problems = problemsOf(row)
    if (problems.length > 0 || email === null) {
      failed.push({ index, email, details: problems })
      return
    }
    const { values, problems: bad } = checkValues(fields, sent?.smart_fields ?? [])
    if (bad.length > 0) failed.push({ index, email, details: bad })
    else good.push({ index, email, addressKey: comparisonKey(email), values })
  })
  return { good, failed }
}

export async function importTeammates(
  db: Db,
  by: Caller,
  rows: readonly unknown[],
  peopleChanged: OnPeopleChange,
): Promise<ImportResult> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction(tx => importOnce(tx, by, rows, peopleChanged))
    } catch (error) {
      // An address was created or a field deleted meanwhile: judged again, the row is an update or a failure.
      if (!(isViolation(error, 'emails_address') || isViolation(error, touchOwnersOfField)) || attempt === 5)
        throw error
    }
  }
}

async function importOnce(
  tx: Db,
  by: Caller,
  rows: readonly unknown[],
  peopleChanged: OnPeopleChange,
): Promise<ImportResult> {
  const { good, failed } = judge(rows, await smartFieldsOf(tx, by.workspaceId))
  const byAddress = Map.groupBy(good, row => row.addressKey)
  const owners = await ownersOf(tx, by.workspaceId, [...byAddress.keys()])
  const strangers = [...byAddress].filter(([key]) => !owners.has(key)).map(([, same]) => same)

  if (strangers.length > 0 && (await isManagedByDirectory(tx, by))) {
    const message = 'email is not a teammate yet, and a directory decides who is'
    for (const { index, email } of strangers.flat()) {
      failed.push({ index, email, details: [detail('email', 'invalid', { message })] })
    }
    strangers.length = 0
  }

  const newEmails: string[] = []
  const newcomers = strangers.flatMap(([first]) => (first ? [first] : []))
  if (newcomers.length > 0) {
    const ids = await insertTeammates(tx, by, newcomers.length)
    const primaries = newcomers.map((row, n) => ({
      teammateId: ids[n] ?? '',
      address: row.email,
      key: row.addressKey,
    }))
    newEmails.push(...(await insertEmails(tx, by.workspaceId, primaries)))
    for (const { key, teammateId } of primaries) owners.set(key, teammateId)
  }

  const created = new Set(newcomers)
  const values = new Map<string, Map<string, string | null>>()
  const updated = new Set<string>()
  let updates = 0
  for (const row of good) {
    const owner = owners.get(row.addressKey)
    if (owner === undefined) continue
    const theirs = values.get(owner) ?? new Map()
    for (const [field, value] of row.values) theirs.set(field, value)
    values.set(owner, theirs)
    if (created.has(row)) continue
    updates++
    updated.add(owner)
  }
  if (updated.size > 0) await touchEach(tx, by, [...updated].sort())
  await writeValues(tx, by.workspaceId, new Map([...values].sort()))
  await peopleChanged(tx, by.workspaceId, [...values.keys()], newEmails)
  return { created: newcomers.length, updated: updates, failed: bounded(failed) }
}

/** Problems that an answer tells in all: some hundred thousand would fit into one request. */
const mostDetails = 2_000
const longestShown = 320

/** In order, each row with its first problem at least. */
function bounded(failed: readonly Failure[]): Failure[] {
  let left = mostDetails - failed.length
  return [...failed]
    .sort((a, b) => a.index - b.index)
    .map(({ index, email, details }) => {
      const told = details.slice(0, 1 + Math.max(0, Math.min(left, 49)))
      left -= told.length - 1
      return { index, email: email?.slice(0, longestShown).toWellFormed() ?? null, details: told }
    })
}
