import { publishApprovalOf } from '#features/workspaces/index.ts'
import type { Db } from '#kernel/db.ts'
import { type Caller, isBelow } from '#kernel/scopes.ts'

/** Whether what the caller makes live must be approved by an owner or admin. */
export const needsApproval = async (db: Db, { role, workspaceId }: Caller): Promise<boolean> =>
  isBelow(role, 'admin') && (await publishApprovalOf(db, workspaceId)) === 'required'
