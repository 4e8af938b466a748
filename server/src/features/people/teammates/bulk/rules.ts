// The same values for many teammates, by the rules of a change of one.
import { hash } from 'node:crypto'
import { smartFieldsOf } from '#features/workspace/smart-fields/index.ts'
import type { IgnoredInput } from '#kernel/api/ignored.ts'
import type { Caller } from '#kernel/api/scopes.ts'
import { apiError, type Detail, detail, invalid, validationError } from '#kernel/base/errors.ts'
import { filesAddress } from '#kernel/base/public-address.ts'
import type { Db } from '#kernel/db/db.ts'
import { touchEach, writeValues } from '../queries.ts'
import { rethrowFieldDeleted, type TeammateDeps, type TeammateWriteDeps } from '../rules.ts'
import { teammateFiltersOf } from '../selection/filters.ts'
import { type SentValue, valueChecker } from '../values.ts'
import {
  countDiffering,
  differingIds,
  insertTeammateChange,
  livingIds,
  lockLiving,
  lockQueuedCount,
  matchedIds,
  type StoredTeammateChange,
  saveChangedBatch,
} from './queries.ts'
import { maxFailures, maxIds, maxMatched, type TeammatesPatch } from './schemas.ts'

type Values = ReadonlyMap<string, string | null>

/** Checks values for many people. Pictures can only be null: setting the same picture for many is a mistake. */
export async function checkValues(
  db: Db,
  workspaceId: string,
  sent: readonly SentValue[],
  publicUrl: string,
): Promise<{
  readonly values: Values
  readonly ignored: readonly IgnoredInput[]
  readonly problems: Detail[]
}> {
  const fields = await smartFieldsOf(db, workspaceId)
  const { values, pictures, ignored, problems } = valueChecker({
    fields,
    files: filesAddress(publicUrl, workspaceId),
  })(sent)
  const refused = pictures.map(({ at }) =>
    detail(at, 'invalid', { message: `${at}: pictures of many people can only be cleared` }),
  )
  const inChanges = <Named extends { readonly field: string }>(named: Named): Named => ({
    ...named,
    field: `changes.${named.field}`,
  })
  return { values, ignored: ignored.map(inChanges), problems: [...problems, ...refused].map(inChanges) }
}

/** Either ids or a filter. */
export function selectionProblems(body: object): readonly Detail[] {
  const { ids, filter } = body as Partial<TeammatesPatch>
  if (ids !== undefined && filter !== undefined)
    return [detail('filter', 'invalid', { message: 'filter cannot be sent together with ids' })]
  return ids === undefined && filter === undefined ? [detail('ids', 'missing', { missing: ['ids'] })] : []
}

async function select(
  db: Db,
  workspaceId: string,
  { ids, filter = {} }: TeammatesPatch,
  { peopleWithSignature }: Pick<TeammateDeps, 'peopleWithSignature'>,
): Promise<{ readonly ids: readonly string[]; readonly unknown: readonly string[] }> {
  if (ids !== undefined) {
    const sent = [...new Set(ids.map(id => id.toLowerCase()))].sort()
    const living = new Set(await livingIds(db, workspaceId, sent))
    return { ids: sent.filter(id => living.has(id)), unknown: sent.filter(id => !living.has(id)) }
  }
  const filters = await teammateFiltersOf(db, workspaceId, filter, peopleWithSignature)
  const matched = await matchedIds(db, workspaceId, filters, maxMatched + 1)
  if (matched.length > maxMatched)
    throw invalid('filter', 'too_many', {
      message: `filter finds more than ${maxMatched.toLocaleString('en')} people`,
    })
  return { ids: matched, unknown: [] }
}

const tokenOf = (ids: readonly string[]): string => hash('sha256', ids.join(), 'base64url').slice(0, 22)

/** Writes the values of those who differ, in a transaction that has locked them, and returns how many these are. */
export async function writeSameValues(
  tx: Db,
  by: Caller,
  ids: readonly string[],
  values: Values,
  { onPeopleChange }: TeammateWriteDeps,
): Promise<number> {
  const differing = await differingIds(tx, by.workspaceId, ids, values)
  if (differing.length === 0) return 0
  await touchEach(tx, by, differing)
  await writeValues(tx, by.workspaceId, new Map(differing.map(id => [id, values]))).catch(rethrowFieldDeleted)
  await onPeopleChange(tx, by.workspaceId, differing)
  return differing.length
}

const mostPending = 10

/** Stores a change for the job. */
async function queueChange(
  tx: Db,
  by: Caller,
  ids: readonly string[],
  smartFields: readonly SentValue[],
): Promise<StoredTeammateChange> {
  if ((await lockQueuedCount(tx, by.workspaceId)) >= mostPending)
    throw apiError('rate_limited', {
      message: `${mostPending} changes of many people are waiting: try again when one of them is done.`,
      headers: { 'Retry-After': '30' },
    })
  return insertTeammateChange(tx, by, ids, smartFields)
}

/** The answer, or a change that a job works through. */
type TeammatesChangeOutcome =
  | { readonly result: object; readonly ignored: readonly IgnoredInput[] }
  | { readonly stored: StoredTeammateChange; readonly ignored: readonly IgnoredInput[] }

function assertSamePeople({ filter, token }: TeammatesPatch, current: string): void {
  if (filter !== undefined && token === undefined) throw invalid('token', 'missing', { missing: ['token'] })
  if (token !== undefined && token !== current)
    throw apiError('stale_resource', {
      message: 'The request selects other people than the dry run did: run it again.',
    })
}

export async function changeTeammates(
  db: Db,
  by: Caller,
  patch: TeammatesPatch,
  deps: TeammateDeps,
): Promise<TeammatesChangeOutcome> {
  const { workspaceId } = by
  const sent = patch.changes.smart_fields ?? []
  return db.transaction(async tx => {
    const { values, ignored, problems } = await checkValues(tx, workspaceId, sent, deps.publicUrl)
    if (problems.length > 0) throw validationError(problems)
    const { ids, unknown } = await select(tx, workspaceId, patch, deps)
    const token = tokenOf([...ids, ...unknown].sort())
    const isDryRun = patch.dry_run === true
    if (!isDryRun) assertSamePeople(patch, token)
    const isLarge = ids.length > maxIds
    const differing = isDryRun || isLarge ? await countDiffering(tx, workspaceId, ids, values) : null
    if (!isDryRun && isLarge && differing !== 0)
      return { stored: await queueChange(tx, by, ids, sent), ignored }
    const changed =
      differing ?? (await writeSameValues(tx, by, await lockLiving(tx, workspaceId, ids), values, deps))
    const change = isDryRun ? null : await insertTeammateChange(tx, by, ids, sent)
    if (change)
      await saveChangedBatch(
        tx,
        workspaceId,
        { id: change.id, is_last: true },
        {
          processed: ids.length,
          changed,
          unchanged: ids.length - changed,
          missing: 0,
        },
      )
    const result = {
      dry_run: isDryRun,
      matched: ids.length + unknown.length,
      changed,
      unchanged: ids.length - changed,
      failed_count: unknown.length,
      failed: unknown.slice(0, maxFailures).map(teammate_id => ({
        teammate_id,
        details: [detail('ids', 'unknown_reference')],
      })),
      token,
      change_id: change?.id ?? null,
    }
    return { result, ignored }
  })
}
