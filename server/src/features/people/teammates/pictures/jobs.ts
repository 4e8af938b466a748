// Fetches the pictures that imports named by addresses: one job per workspace, so that a slow host does not hold up the
// jobs of other workspaces.
import {
  type AssetDeps,
  keepPicture,
  prepareFetched,
  SourceUnreachable,
  squareCropOf,
} from '#features/content/assets/index.ts'
import type { OnPeopleChange } from '#features/workspace/emails/index.ts'
import { type Caller, operator } from '#kernel/api/scopes.ts'
import { ApiError, apiError } from '#kernel/base/errors.ts'
import type { Db } from '#kernel/db/db.ts'
import { enqueue, enqueueNoLaterThan, type Job } from '#kernel/db/jobs.ts'
import { auditUpdate, lockTeammate, writeValues } from '../queries.ts'
import { ignoredBecause } from '../values.ts'
import {
  claimFetches,
  type DueFetch,
  endFetch,
  failExhausted,
  maxAttempts,
  nextFetchAt,
  saveFailure,
} from './queries.ts'
import { findImageField } from './rules.ts'

const fetchJob = 'teammates.fetch_pictures'

interface FetchPayload {
  readonly workspace_id: string
}

const keyOf = (workspaceId: string): string => `${fetchJob} ${workspaceId}`

export const enqueuePictureFetches = (workspaceId: string) => {
  const payload: FetchPayload = { workspace_id: workspaceId }
  return enqueue(fetchJob, payload, keyOf(workspaceId))
}

/** Fetched at once; each can hold 15 MB. */
const atOnce = 4
/** A job ends after this many, and the next one goes on: other jobs get a turn. */
const perJob = 40
/** The pauses grow from half a minute to two hours. */
const retryAfter = (attempts: number): number => 30_000 * 4 ** (attempts - 1)

interface PictureFetchDeps extends AssetDeps {
  readonly onPeopleChange: OnPeopleChange
}

/** A job has no budget of request memory; `atOnce` bounds it. */
const reserve = async () => ({ shrinkTo: () => undefined })

const callerOf = (workspaceId: string, { member_id, api_key_id, request_id, via }: DueFetch): Caller => ({
  ...operator(workspaceId),
  actorId: member_id,
  apiKeyId: api_key_id,
  requestId: request_id,
  via,
})

async function fetchOne(db: Db, workspaceId: string, fetch: DueFetch, deps: PictureFetchDeps): Promise<void> {
  const { id, teammate_id, smart_field_id, url } = fetch
  const by = callerOf(workspaceId, fetch)
  if (ignoredBecause(await findImageField(db, workspaceId, smart_field_id)))
    throw apiError('directory_managed')
  const source = { url, field: 'value' }
  const prepared = await prepareFetched(db, workspaceId, source, { ...deps, reserve })
  await db.transaction(async tx => {
    if (!(await lockTeammate(tx, workspaceId, teammate_id))) return
    if (!(await endFetch(tx, workspaceId, id))) return
    await findImageField(tx, workspaceId, smart_field_id)
    const asset = await keepPicture(tx, by, prepared, 'profile_picture', deps.publicUrl)
    const picture = { assetId: asset.id, crop: squareCropOf(asset) }
    await writeValues(tx, workspaceId, new Map([[teammate_id, new Map([[smart_field_id, picture]])]]))
    await auditUpdate(tx, by, teammate_id, ['smart_fields'])
    await deps.onPeopleChange(tx, workspaceId, [teammate_id])
  })
}

/** A refused picture is final. An unreachable host, or a failure of ours, is tried again. */
async function saveOutcome(db: Db, workspaceId: string, fetch: DueFetch, error: unknown): Promise<void> {
  const isUnreachable = error instanceof SourceUnreachable
  const isFinal = error instanceof ApiError && error.status < 500 && !isUnreachable
  const isLast = isFinal || fetch.attempts >= maxAttempts
  const { code, message } = error instanceof ApiError ? error : apiError('unavailable')
  await saveFailure(db, workspaceId, fetch.id, {
    code: isUnreachable ? 'unreachable' : code,
    message,
    retryAt: isLast ? null : new Date(Date.now() + retryAfter(fetch.attempts)),
  })
  if (!(error instanceof ApiError)) throw error
}

export const pictureJobs = (db: Db, deps: PictureFetchDeps): readonly Job[] => [
  {
    name: fetchJob,
    async run(payload) {
      const { workspace_id: workspaceId } = payload as FetchPayload
      await failExhausted(db, workspaceId, apiError('unavailable'))
      for (let done = 0; done < perJob; done += atOnce) {
        const due = await claimFetches(db, workspaceId, atOnce)
        if (due.length === 0) break
        const results = await Promise.allSettled(
          due.map(fetch =>
            fetchOne(db, workspaceId, fetch, deps).catch(error => saveOutcome(db, workspaceId, fetch, error)),
          ),
        )
        const failure = results.find(result => result.status === 'rejected')
        if (failure) throw failure.reason
      }
      const next = await nextFetchAt(db, workspaceId)
      if (next)
        await db.query(enqueueNoLaterThan(fetchJob, payload as FetchPayload, keyOf(workspaceId), next))
    },
  },
]
