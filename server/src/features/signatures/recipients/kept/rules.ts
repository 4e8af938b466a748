// Recipients of a signature who keep another one, because that comes first.
import type { Db } from '#kernel/db/db.ts'
import { byPrecedence, winnersOver } from '../precedence.ts'
import { allCandidates } from '../queries.ts'
import { countKept } from './queries.ts'

interface KeptSignature {
  readonly signature_id: string
  readonly name: string
  readonly priority: number
  /** The recipients of the asked signature who get this one. */
  readonly recipients: number
}

/** Judges the asked signature as if it were live: a draft by the position that it will have. The most kept signature comes first. */
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
  const counts = await countKept(db, workspaceId, signatureId, ordered)
  return winners
    .flatMap(({ signature_id, name, priority }) => {
      const stored = counts.find(count => count.signature_id === signature_id)
      return stored ? [{ signature_id, name, priority, recipients: stored.recipients }] : []
    })
    .sort((a, b) => b.recipients - a.recipients)
}
