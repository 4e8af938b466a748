import { type Db, type Sql, sql } from '#kernel/db.ts'
import { dropReasonless } from '../queries.ts'

/** The addresses that the rule of a signature chooses. */
export interface RuleMatches {
  readonly signatureId: string
  readonly emailIds: readonly string[]
}

/** The addresses among these that the rules of these signatures have chosen so far, by signature. */
async function ruledSoFar(
  tx: Db,
  workspaceId: string,
  emailIds: readonly string[],
  signatureIds: readonly string[],
): Promise<Map<string, Set<string>>> {
  const rows = await tx.query<{ signature_id: string; email_id: string }>(sql`
    select signature_id, email_id from recipients
    where workspace_id = ${workspaceId} and by_rule
      and signature_id = any(${signatureIds}::uuid[]) and email_id = any(${emailIds}::uuid[])`)
  const ruled = new Map(signatureIds.map(id => [id, new Set<string>()]))
  for (const { signature_id, email_id } of rows) ruled.get(signature_id)?.add(email_id)
  return ruled
}

/** Of these addresses, each of the rules chooses exactly those that it names. What is right already is not touched. */
export async function saveRuleMatches(
  tx: Db,
  workspaceId: string,
  emailIds: readonly string[],
  rules: readonly RuleMatches[],
): Promise<void> {
  const known = await ruledSoFar(
    tx,
    workspaceId,
    emailIds,
    rules.map(rule => rule.signatureId),
  )
  const added = new Pairs()
  const gone = new Pairs()
  for (const { signatureId, emailIds: chosen } of rules) {
    const before = known.get(signatureId) ?? new Set()
    const now = new Set(chosen)
    for (const emailId of chosen) if (!before.has(emailId)) added.add(signatureId, emailId)
    for (const emailId of before) if (!now.has(emailId)) gone.add(signatureId, emailId)
  }
  if (added.size > 0) await addRuled(tx, workspaceId, added)
  if (gone.size > 0) await dropRuled(tx, workspaceId, gone)
}

/** Signatures and addresses, as PostgreSQL takes them. */
class Pairs {
  readonly #signatureIds: string[] = []
  readonly #emailIds: string[] = []

  add(signatureId: string, emailId: string): void {
    this.#signatureIds.push(signatureId)
    this.#emailIds.push(emailId)
  }

  get size(): number {
    return this.#emailIds.length
  }

  get rows(): Sql {
    return sql`unnest(${this.#signatureIds}::uuid[], ${this.#emailIds}::uuid[])`
  }
}

const addRuled = (tx: Db, workspaceId: string, added: Pairs) =>
  tx.query(sql`
    insert into recipients as r (workspace_id, signature_id, email_id, by_rule)
    select ${workspaceId}::uuid, m.signature_id, m.email_id, true from ${added.rows} as m (signature_id, email_id)
    order by m.signature_id, m.email_id
    on conflict (workspace_id, signature_id, email_id) do update set by_rule = true where not r.by_rule`)

async function dropRuled(tx: Db, workspaceId: string, gone: Pairs): Promise<void> {
  const chosen = sql`workspace_id = ${workspaceId} and (signature_id, email_id) in (select * from ${gone.rows})`
  await tx.query(sql`update recipients set by_rule = false where ${chosen} and by_rule`)
  await dropReasonless(tx, chosen)
}
