// Recipients of a signature who keep another one, because that comes first.
import { type Db, sql } from '#kernel/db.ts'
import { byPrecedence, winnersOver } from './precedence.ts'
import { allCandidates } from './queries.ts'

export interface KeptSignature {
  readonly signature_id: string
  readonly name: string
  readonly priority: number
  /** The recipients of the asked signature who get this one. */
  readonly recipients: number
}

/** As if the asked signature were live: a draft is judged by the place that it will have. The most kept one first. */
export async function signaturesKept(
  db: Db,
  workspaceId: string,
  signatureId: string,
): Promise<KeptSignature[]> {
  const all = (await allCandidates(db, workspaceId)).map(candidate =>
    candidate.signature_id === signatureId
      ? { ...candidate, is_activated: true, is_published: true }
      : candidate,
  )
  const ids = new Set(winnersOver(all, signatureId) ?? [])
  const winners = all.filter(candidate => ids.has(candidate.signature_id)).sort(byPrecedence)
  if (winners.length === 0) return []
  const ordered = winners.map(winner => winner.signature_id)
  const counts = await db.query<{ signature_id: string; recipients: number }>(sql`
    select kept.signature_id, count(*)::int as recipients from (
      select distinct on (r.email_id) o.signature_id from recipients r
      join emails e on e.workspace_id = r.workspace_id and e.id = r.email_id and e.deleted_at is null
      join teammates t on t.workspace_id = e.workspace_id and t.id = e.teammate_id and t.active
      join recipients o on o.workspace_id = r.workspace_id and o.email_id = r.email_id
        and o.signature_id = any(${ordered}::uuid[])
      where r.workspace_id = ${workspaceId} and r.signature_id = ${signatureId}
      order by r.email_id, array_position(${ordered}::uuid[], o.signature_id)
    ) kept group by kept.signature_id`)
  return winners
    .flatMap(({ signature_id, name, priority }) => {
      const found = counts.find(count => count.signature_id === signature_id)
      return found ? [{ signature_id, name, priority, recipients: found.recipients }] : []
    })
    .sort((a, b) => b.recipients - a.recipients)
}
