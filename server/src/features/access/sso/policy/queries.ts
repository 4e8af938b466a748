import { audited } from '#features/workspace/audit-log/index.ts'
import type { Caller } from '#kernel/api/scopes.ts'
import { type Db, sql } from '#kernel/db/db.ts'
import { iso } from '#kernel/db/text.ts'

export interface WorkspacePolicy {
  readonly sso_required: boolean
  readonly second_factor_required: boolean
  readonly updated_at: string | null
}

const none: WorkspacePolicy = { sso_required: false, second_factor_required: false, updated_at: null }

export async function findPolicy(db: Db, workspaceId: string): Promise<WorkspacePolicy> {
  const policy = await db.first<WorkspacePolicy>(sql`
    select sso_required, second_factor_required, ${iso(sql`updated_at`)} as updated_at
    from sign_in_policies where workspace_id = ${workspaceId}`)
  return policy ?? none
}

export async function storePolicy(
  tx: Db,
  by: Caller,
  { sso_required, second_factor_required }: Omit<WorkspacePolicy, 'updated_at'>,
): Promise<void> {
  const change = sql`
    insert into sign_in_policies (workspace_id, sso_required, second_factor_required, updated_at)
    values (${by.workspaceId}, ${sso_required}, ${second_factor_required}, ${new Date()})
    on conflict (workspace_id) do update set sso_required = excluded.sso_required,
      second_factor_required = excluded.second_factor_required, updated_at = excluded.updated_at
    returning workspace_id as id`
  await tx.query(audited(by, 'workspace.sign_in_policy_changed', change))
}

export interface AccountPolicy {
  readonly workspaceId: string
  readonly ssoRequired: boolean
  readonly secondFactorRequired: boolean
}

/** The policies of the workspaces of an account. */
export const policiesOfAccount = (db: Db, accountId: string) =>
  db.query<AccountPolicy>(sql`
    select p.workspace_id as "workspaceId", p.sso_required as "ssoRequired",
      p.second_factor_required as "secondFactorRequired"
    from sign_in_policies p join members m on m.workspace_id = p.workspace_id
    where m.account_id = ${accountId} and m.status = 'active' and (p.sso_required or p.second_factor_required)`)
