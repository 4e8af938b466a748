import { orNotFound } from '#kernel/base/errors.ts'
import type { Db } from '#kernel/db/db.ts'
import { readAttention, readSetUp, type SetUpFacts } from './queries.ts'

/** Items that wait for a decision of an admin. */
interface PendingApprovals {
  readonly profile_changes: number
  readonly publication_requests: number
}

export interface ChecklistDeps {
  readonly sendsMail: boolean
  readonly countApprovals: (db: Db, workspaceId: string) => Promise<PendingApprovals>
}

export const checklistKeys = [
  'brand',
  'people',
  'signature',
  'recipients',
  'publish',
  'install',
  'members',
  'mail',
  'domains',
] as const

export async function readChecklist(db: Db, workspaceId: string, deps: ChecklistDeps): Promise<object> {
  const facts = orNotFound(await readSetUp(db, workspaceId))
  const counts: Omit<SetUpFacts, 'is_dismissed'> & { readonly mail: number } = {
    ...facts,
    mail: deps.sendsMail ? 1 : 0,
  }
  const items = checklistKeys.map(key => ({ key, done: counts[key] > 0, count: counts[key] }))
  return {
    dismissed: facts.is_dismissed,
    done: items.filter(({ done }) => done).length,
    total: items.length,
    items,
    attention: {
      ...(await readAttention(db, workspaceId)),
      ...(await deps.countApprovals(db, workspaceId)),
    },
  }
}
