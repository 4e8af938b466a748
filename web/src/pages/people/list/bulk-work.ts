// Work on many people: in requests of at most 1,000 each, with a progress.
import type { Body, TeammateChange, TeammatesChanged, TeammatesPatch } from '@signoff/sdk'
import { api } from '#api/client.ts'
import { apiFiltersOf, type PeopleFilters } from '#records/people/people-data.ts'
import type { PeopleSelection } from './use-people-selection.ts'

const perRequest = 1_000

export type OnProgress = (done: number, total: number) => void

const groupsOf = (ids: readonly string[], size = perRequest): readonly (readonly string[])[] =>
  Array.from({ length: Math.ceil(ids.length / size) }, (_, at) => ids.slice(at * size, (at + 1) * size))

interface FieldChange {
  readonly smart_field_id: string
  readonly value: string | null
}

export interface ChangePlan {
  readonly changes: { readonly smart_fields: FieldChange[] }
  /** One filter with the token of its dry run, or the ids. */
  readonly target: { readonly token: string } | { readonly ids: readonly string[] }
  readonly changed: number
  readonly unchanged: number
  readonly failed: number
  /** The field is one that a directory fills. */
  readonly isIgnored: boolean
}

type Answer = Body<TeammatesChanged | TeammateChange>

const send = async (params: TeammatesPatch): Promise<Answer> =>
  (await api.teammates.updateMany(params).raw()).body

/** The dry run: what a change would do. */
export async function planChange(
  filters: PeopleFilters,
  selection: PeopleSelection,
  change: FieldChange,
): Promise<ChangePlan> {
  const changes = { smart_fields: [change] }
  const isFilter = selection.isWholeList
  const ids = isFilter ? [] : await selection.readIds()
  const requests = isFilter
    ? [{ filter: apiFiltersOf(filters) }]
    : groupsOf(ids).map(group => ({ ids: [...group] }))
  let plan = { changed: 0, unchanged: 0, failed: 0 }
  let token = ''
  let isIgnored = false
  for (const request of requests) {
    const answer = await send({ ...request, changes, dry_run: true })
    const data = answer.data as TeammatesChanged
    token = data.token
    isIgnored ||= (answer.ignored ?? []).length > 0
    plan = {
      changed: plan.changed + data.changed,
      unchanged: plan.unchanged + data.unchanged,
      failed: plan.failed + data.failed_count,
    }
  }
  return { ...plan, changes, isIgnored, target: isFilter ? { token } : { ids } }
}

const isJob = (data: TeammatesChanged | TeammateChange): data is TeammateChange => 'status' in data

async function follow(job: TeammateChange, onProgress: OnProgress): Promise<number> {
  let now = job
  while (now.status === 'pending') {
    onProgress(now.processed, now.matched)
    await new Promise(resolve => setTimeout(resolve, 700))
    now = await api.teammates.getChange(job.id)
  }
  if (now.status === 'failed') throw new Error(now.message ?? '')
  return now.changed
}

export async function runChange(
  filters: PeopleFilters,
  { target, changes }: ChangePlan,
  onProgress: OnProgress,
): Promise<number> {
  if ('token' in target) {
    const { data } = await send({ filter: apiFiltersOf(filters), changes, token: target.token })
    return isJob(data) ? follow(data, onProgress) : data.changed
  }
  let changed = 0
  let done = 0
  for (const group of groupsOf(target.ids)) {
    const { data } = await send({ ids: [...group], changes })
    changed += data.changed
    done += group.length
    onProgress(done, target.ids.length)
  }
  return changed
}

export async function setActivity(
  selection: PeopleSelection,
  active: boolean,
  onProgress: OnProgress,
): Promise<number> {
  const ids = await selection.readIds()
  let changed = 0
  let done = 0
  for (const group of groupsOf(ids)) {
    const sent = { ids: [...group] }
    changed += (await (active ? api.teammates.activate(sent) : api.teammates.deactivate(sent))).changed
    done += group.length
    onProgress(done, ids.length)
  }
  return changed
}

/** One after the other; it ends at the first that is refused. */
export async function deletePeople(selection: PeopleSelection, onProgress: OnProgress): Promise<number> {
  const ids = await selection.readIds()
  let done = 0
  for (const group of groupsOf(ids, 5)) {
    await Promise.all(group.map(id => api.teammates.delete(id)))
    done += group.length
    onProgress(done, ids.length)
  }
  return done
}
