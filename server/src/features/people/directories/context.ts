// What the parts of one run share.

import { touchOwnersOfField } from '#features/people/teammates/index.ts'
import type { OnPeopleChange } from '#features/workspace/emails/index.ts'
import { lockSyncState } from '#features/workspace/integrations/index.ts'
import type { Caller } from '#kernel/api/scopes.ts'
import { type Db, isViolation } from '#kernel/db/db.ts'
import type { MappedField } from './people/values.ts'
import type { DirectoryRef } from './queries.ts'

/** Runs work in a transaction that has locked the integration, unless another process has taken the run over. */
type WriteInRun = <T>(work: (tx: Db) => Promise<T>) => Promise<T>

export interface SyncContext extends DirectoryRef {
  /** The sync itself: see `Caller.directoryId`. */
  readonly by: Caller
  readonly onPeopleChange: OnPeopleChange
  /** True if the person is not in the directory any more. Known only after the last page of a run; false before. */
  readonly isUnseen: (externalId: string) => boolean
  readonly write: WriteInRun
  /** The columns of a file that is previewed. Otherwise the stored mapping counts. */
  readonly fields?: readonly MappedField[]
}

/** People in one transaction. */
export const peoplePerBatch = 500

/** The run has ended, or another process goes on with it: this one has to stop, and must write nothing. */
export class RunLost extends Error {}

/** A dry run: everything that was written is rolled back. */
class DryRun extends Error {}

const races = ['emails_address', touchOwnersOfField, 'directory_people_teammate']

/** A request of an API client has taken an address meanwhile: the work has to run again. */
export const isAddressRace = (error: unknown): boolean =>
  races.some(constraint => isViolation(error, constraint))

interface Writer extends DirectoryRef {
  /** False: the work is not this process's any more. */
  readonly isOwn?: (tx: Db) => Promise<boolean>
  readonly isDry?: boolean
}

/**
 * Throws RunLost when the directory is disconnected or `isOwn` says no. The integration is locked before its runs and
 * teammates: requests that change or disconnect it, and approvals, lock in the same order.
 */
export function writerOf(
  db: Db,
  { workspaceId, integrationId, isOwn = async () => true, isDry = false }: Writer,
): WriteInRun {
  const once = async <T>(work: (tx: Db) => Promise<T>): Promise<T> => {
    let result: { readonly value: T } | undefined
    try {
      return await db.transaction(async tx => {
        const state = await lockSyncState(tx, workspaceId, integrationId)
        if (!state || !(await isOwn(tx))) throw new RunLost()
        const value = await work(tx)
        if (!isDry) return value
        result = { value }
        throw new DryRun()
      })
    } catch (error) {
      if (error instanceof DryRun && result) return result.value
      throw error
    }
  }
  return async work => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await once(work)
      } catch (error) {
        if (attempt === 5 || !isAddressRace(error)) throw error
      }
    }
  }
}

export const chunksOf = <T>(list: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, n) => list.slice(n * size, (n + 1) * size))
