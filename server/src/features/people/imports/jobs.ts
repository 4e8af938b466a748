import { analyzePeople, type TeammateWriteDeps } from '#features/people/teammates/index.ts'
import { ApiError } from '#kernel/base/errors.ts'
import type { Db } from '#kernel/db/db.ts'
import { enqueue, type Job } from '#kernel/db/jobs.ts'
import { continueImport, failImport, type ImportProgress } from './apply.ts'
import { countAttempt, deleteExpiredImports } from './queries.ts'

const applyJob = 'imports.apply'

interface ImportPayload {
  readonly workspace_id: string
  readonly import_id: string
}

export const enqueueImport = (workspaceId: string, importId: string) => {
  const payload: ImportPayload = { workspace_id: workspaceId, import_id: importId }
  return enqueue(applyJob, payload, `${applyJob} ${importId}`)
}

/** A job ends after this many parts, and the next one goes on: other jobs get a turn. */
const partsPerJob = 20
const maxAttempts = 5

/**
 * Rows after which PostgreSQL counts again. Autovacuum does it once a minute: until then PostgreSQL expects no rows in a
 * new workspace, and chooses plans that take minutes for 20,000 people.
 */
const analyzedAt = [1_000, 4_000, 16_000, 64_000]

const isAnalyzeDue = ({ before, after }: ImportProgress): boolean =>
  analyzedAt.some(rows => before < rows && after >= rows)

/** An error of the API ends the import. A failure of the service is retried, some times. */
async function saveError(db: Db, { workspace_id, import_id }: ImportPayload, error: unknown): Promise<void> {
  if (error instanceof ApiError && error.status < 500)
    return failImport(db, workspace_id, import_id, error.message)
  if ((await countAttempt(db, workspace_id, import_id)) < maxAttempts) throw error
  const message = 'The service failed several times. Apply the import again.'
  await failImport(db, workspace_id, import_id, message)
}

export const importJobs = (db: Db, deps: TeammateWriteDeps): readonly Job[] => [
  {
    name: applyJob,
    async run(sent) {
      const payload = sent as ImportPayload
      const { workspace_id, import_id } = payload
      try {
        for (let part = 0; part < partsPerJob; part++) {
          const progress = await continueImport(db, workspace_id, import_id, deps)
          if (!progress) return
          if (isAnalyzeDue(progress)) await analyzePeople(db)
        }
      } catch (error) {
        return saveError(db, payload, error)
      }
      await db.query(enqueueImport(workspace_id, import_id))
    },
  },
  {
    name: 'imports.expire',
    schedule: '23 * * * *',
    async run() {
      await db.query(deleteExpiredImports())
    },
  },
]
