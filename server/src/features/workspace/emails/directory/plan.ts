// Which rows of addresses change when a directory gives people other addresses.
import { comparisonKey } from '#kernel/db/text.ts'

export interface StoredAddress {
  readonly id: string
  readonly teammate_id: string
  readonly address: string
  readonly address_key: string
  readonly is_primary: boolean
}

/** The addresses that a person has in the directory. */
export interface PlannedAddresses {
  readonly teammateId: string
  readonly primary: string
  readonly aliases: readonly string[]
  /** Keys of addresses that the directory gave the person earlier. Those that it gives no longer are removed. */
  readonly earlier: readonly string[]
}

export interface AddressPlan {
  readonly removed: readonly string[]
  readonly demoted: readonly string[]
  readonly promoted: readonly string[]
  readonly renamed: readonly { readonly id: string; readonly address: string }[]
  readonly inserted: readonly {
    readonly teammateId: string
    readonly address: string
    readonly isPrimary: boolean
  }[]
  /** Ids of teammates. */
  readonly changed: readonly string[]
}

export function planAddresses(
  stored: readonly StoredAddress[],
  people: readonly PlannedAddresses[],
): AddressPlan {
  const removed: string[] = []
  const demoted: string[] = []
  const promoted: string[] = []
  const renamed: { id: string; address: string }[] = []
  const inserted: { teammateId: string; address: string; isPrimary: boolean }[] = []
  const changed: string[] = []
  const byTeammate = Map.groupBy(stored, row => row.teammate_id)
  for (const { teammateId, primary, aliases, earlier } of people) {
    const before = [removed, demoted, promoted, renamed, inserted].reduce((n, list) => n + list.length, 0)
    const own = byTeammate.get(teammateId) ?? []
    const byKey = new Map(own.map(row => [row.address_key, row]))
    const current = own.find(row => row.is_primary)
    const primaryKey = comparisonKey(primary)
    const target = byKey.get(primaryKey)
    const sentAddresses = new Map([primary, ...aliases].map(address => [comparisonKey(address), address]))
    const used = new Set<string>()
    if (target) {
      used.add(target.id)
      if (!target.is_primary) {
        promoted.push(target.id)
        if (current) demoted.push(current.id)
      }
      if (target.address !== primary) renamed.push({ id: target.id, address: primary })
    } else if (current) {
      // The row of the primary address follows the person, with the signatures that were given to it by hand.
      used.add(current.id)
      renamed.push({ id: current.id, address: primary })
    } else inserted.push({ teammateId, address: primary, isPrimary: true })
    for (const [key, address] of sentAddresses) {
      if (key === primaryKey) continue
      const row = byKey.get(key)
      if (!row || used.has(row.id)) inserted.push({ teammateId, address, isPrimary: false })
      else if (row.address !== address) renamed.push({ id: row.id, address })
    }
    const givenEarlier = new Set(earlier)
    for (const row of own)
      if (!used.has(row.id) && !sentAddresses.has(row.address_key) && givenEarlier.has(row.address_key))
        removed.push(row.id)
    const after = [removed, demoted, promoted, renamed, inserted].reduce((n, list) => n + list.length, 0)
    if (after > before) changed.push(teammateId)
  }
  return { removed, demoted, promoted, renamed, inserted, changed }
}
