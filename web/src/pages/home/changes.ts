// The audit log in short: sign-ins left out, the same action many times in a row as one entry.
import type { AuditEntry } from '@signoff/sdk'
import { pageOfEntry } from '#records/audit/audit-texts.ts'

export interface ChangeGroup {
  /** The newest entry of the group. */
  readonly entry: AuditEntry
  readonly count: number
  readonly to: string | undefined
}

const hidden = /^(session|account|second_factor|installation)\.|personal_page_(created|renewed|rotated)/

const isSameActor = (one: AuditEntry, other: AuditEntry): boolean =>
  one.member_id === other.member_id && one.api_key_id === other.api_key_id && one.via === other.via

export function groupChanges(entries: readonly AuditEntry[], limit: number): readonly ChangeGroup[] {
  const groups: ChangeGroup[] = []
  for (const entry of entries.filter(({ action }) => !hidden.test(action))) {
    const last = groups.at(-1)
    if (last?.entry.action === entry.action && isSameActor(last.entry, entry))
      groups[groups.length - 1] = { ...last, count: last.count + 1, to: undefined }
    else groups.push({ entry, count: 1, to: pageOfEntry(entry) })
  }
  return groups.slice(0, limit)
}
