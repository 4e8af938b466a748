import { auditedInsert } from '#features/workspace/audit-log/index.ts'
import type { Caller } from '#kernel/api/scopes.ts'
import { newRow } from '#kernel/base/ids.ts'
import { type Db, sql } from '#kernel/db/db.ts'

export interface Feedback {
  readonly category: string
  readonly message: string
  readonly tool_name?: string | null
  readonly reporter?: string | null
}

export async function insertFeedback(db: Db, by: Caller, feedback: Feedback): Promise<string> {
  const { id, now } = newRow()
  const { category, message, tool_name = null, reporter = null } = feedback
  const insert = sql`
    insert into feedback (workspace_id, id, member_id, api_key_id, category, message, tool_name, reporter, created_at)
    values (${by.workspaceId}, ${id}, ${by.memberId}, ${by.apiKeyId}, ${category}, ${message}, ${tool_name}, ${reporter}, ${now})`
  await db.query(auditedInsert(by, 'feedback.sent', id, insert))
  return id
}

export const findFeedback = (db: Db, workspaceId: string, id: string) =>
  db.first<Feedback & { readonly workspace: string }>(sql`
    select f.category, f.message, f.tool_name, f.reporter, w.name as workspace
    from feedback f join workspaces w on w.id = f.workspace_id
    where f.workspace_id = ${workspaceId} and f.id = ${id}`)
