import { publishApprovalOf } from '#features/workspace/workspaces/index.ts'
import { type Caller, isBelow } from '#kernel/api/scopes.ts'
import type { Db } from '#kernel/db/db.ts'

/** True if what the caller makes live must be approved by an owner or admin. */
export const needsApproval = async (db: Db, { role, workspaceId }: Caller): Promise<boolean> =>
  isBelow(role, 'admin') && (await publishApprovalOf(db, workspaceId)) === 'required'
