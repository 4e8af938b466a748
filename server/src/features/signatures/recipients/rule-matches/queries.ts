import { type Email, emailShape } from '#features/workspace/emails/index.ts'
import { type Db, type Sql, sql } from '#kernel/db/db.ts'
import { deleteWithoutSource } from '../queries.ts'

/** The addresses that match the rule of a signature. */
export interface RuleMatches {
  readonly signatureId: string
  readonly emailIds: readonly string[]
}

/** The stored rule matches of these signatures among these addresses, by signature. */
async function storedMatches(
  tx: Db,
  workspaceId: string,
  emailIds: readonly string[],
  signatureIds: readonly string[],
): Promise<Map<string, Set<string>>> {
  const rows = await tx.query<{ signature_id: string; email_id: string }>(sql`
    select signature_id, email_id from recipients
    where workspace_id = ${workspaceId} and by_rule
      and signature_id = any(${signatureIds}::uuid[]) and email_id = any(${emailIds}::uuid[])`)
  const matches = new Map(signatureIds.map(id => [id, new Set<string>()]))
  for (const { signature_id, email_id } of rows) matches.get(signature_id)?.add(email_id)
  return matches
}

/** Stores exactly the given matches of each rule for these addresses. Rows that are already correct are not written. */
export async function saveRuleMatches(
  tx: Db,
  workspaceId: string,
  emailIds: readonly string[],
  rules: readonly RuleMatches[],
): Promise<void> {
  const stored = await storedMatches(
    tx,
    workspaceId,
    emailIds,
    rules.map(rule => rule.signatureId),
  )
  const addedPairs = new Pairs()
  const removedPairs = new Pairs()
  for (const { signatureId, emailIds: chosen } of rules) {
    const before = stored.get(signatureId) ?? new Set()
    const now = new Set(chosen)
    for (const emailId of chosen) if (!before.has(emailId)) addedPairs.add(signatureId, emailId)
    for (const emailId of before) if (!now.has(emailId)) removedPairs.add(signatureId, emailId)
  }
  if (addedPairs.size > 0) await insertMatches(tx, workspaceId, addedPairs)
  if (removedPairs.size > 0) await deleteMatches(tx, workspaceId, removedPairs)
}

/** Pairs of signature and address, as arrays for `unnest`. */
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

const insertMatches = (tx: Db, workspaceId: string, pairs: Pairs) =>
  tx.query(sql`
    insert into recipients as r (workspace_id, signature_id, email_id, by_rule)
    select ${workspaceId}::uuid, m.signature_id, m.email_id, true from ${pairs.rows} as m (signature_id, email_id)
    order by m.signature_id, m.email_id
    on conflict (workspace_id, signature_id, email_id) do update set by_rule = true where not r.by_rule`)

async function deleteMatches(tx: Db, workspaceId: string, pairs: Pairs): Promise<void> {
  const chosen = sql`workspace_id = ${workspaceId} and (signature_id, email_id) in (select * from ${pairs.rows})`
  await tx.query(sql`update recipients set by_rule = false where ${chosen} and by_rule`)
  await deleteWithoutSource(tx, chosen)
}

/** These addresses, the oldest first. */
export const emailsInOrder = (db: Db, workspaceId: string, ids: readonly string[]) =>
  db.query<Email>(sql`
    select ${emailShape} from emails e
    where e.workspace_id = ${workspaceId} and e.id = any(${ids}::uuid[]) order by e.id`)
