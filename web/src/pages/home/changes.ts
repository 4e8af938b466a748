// The audit log as people tell it: sign-ins left out, the same deed many times in a row as one.
import type { AuditEntry } from '@signoff/sdk'

export interface ToldChange {
  readonly id: string
  /** `signature_published`: the key of its sentence. */
  readonly deed: string
  readonly actor: string | null
  readonly count: number
  readonly at: string
  readonly to: string | undefined
}

const pages: Readonly<Record<string, string>> = {
  signature: '/signatures',
  teammate: '/people',
  marketing_campaign: '/campaigns',
}

const quiet = /^(session|account|second_factor|installation)\.|personal_page/

function pageOf({ action, resource_type: type, resource_id: id }: AuditEntry): string | undefined {
  const page = pages[type]
  return page === undefined || id === null || action.endsWith('.deleted') ? undefined : `${page}/${id}`
}

export function toldChanges(entries: readonly AuditEntry[], limit: number): readonly ToldChange[] {
  const told: ToldChange[] = []
  for (const entry of entries.filter(({ action }) => !quiet.test(action))) {
    const deed = entry.action.replace('.', '_')
    const actor = entry.member_name ?? entry.api_key_name
    const last = told.at(-1)
    if (last?.deed === deed && last.actor === actor)
      told[told.length - 1] = { ...last, count: last.count + 1, to: undefined }
    else told.push({ id: entry.id, deed, actor, count: 1, at: entry.created_at, to: pageOf(entry) })
  }
  return told.slice(0, limit)
}
