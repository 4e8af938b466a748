// Which person gets an address that several want, or that another person still has. Within one batch addresses can move
// between people, and be swapped; a person who has an address and keeps it comes first.

export interface Claimant {
  /** The id of the teammate, or any other unique text for a person who is not a teammate yet. */
  readonly id: string
  /** Null for a person without addresses. */
  readonly currentPrimary: string | null
  /** Keys of all addresses of the person. */
  readonly current: ReadonlySet<string>
  /** Keys of addresses that the directory gave the person: those that it gives no longer become free. */
  readonly earlier: ReadonlySet<string>
  readonly primary: string
  readonly aliases: readonly string[]
}

interface AddressClaims {
  /** Ids of claimants who do not get their primary address. They keep what they have. */
  readonly refused: ReadonlySet<string>
  /** Refused aliases by the ids of claimants. */
  readonly refusedAliases: ReadonlyMap<string, readonly string[]>
}

/** True if a person gives this address up in the same batch. */
function releases({ earlier, current, currentPrimary, primary, aliases }: Claimant, key: string): boolean {
  if (primary === key || aliases.includes(key)) return false
  // The row of the primary address is renamed, unless the new one is an alias already: then the old one stays an alias.
  return earlier.has(key) || (key === currentPrimary && !current.has(primary))
}

/** `owners`: which teammate has an address now, by key. */
export function resolveClaims(
  claimants: readonly Claimant[],
  owners: ReadonlyMap<string, string>,
): AddressClaims {
  const byId = new Map(claimants.map(claimant => [claimant.id, claimant]))
  const refused = new Set<string>()
  const isFree = (key: string, claimant: Claimant): boolean => {
    const owner = owners.get(key)
    if (owner === undefined || owner === claimant.id) return true
    const other = byId.get(owner)
    return other !== undefined && !refused.has(owner) && releases(other, key)
  }
  const keepsPrimary = ({ currentPrimary, primary }: Claimant): number => (currentPrimary === primary ? 0 : 1)
  const ordered = [...claimants].sort((a, b) => keepsPrimary(a) - keepsPrimary(b))
  const claimed = new Map<string, string>()
  // Each pass can refuse people whose address another one counted on. Refusals only grow, so this ends.
  for (let isStable = false; !isStable; ) {
    isStable = true
    claimed.clear()
    for (const id of refused) for (const key of byId.get(id)?.current ?? []) claimed.set(key, id)
    for (const claimant of ordered) {
      if (refused.has(claimant.id)) continue
      const holder = claimed.get(claimant.primary)
      if ((holder === undefined || holder === claimant.id) && isFree(claimant.primary, claimant)) {
        claimed.set(claimant.primary, claimant.id)
        continue
      }
      refused.add(claimant.id)
      isStable = false
    }
  }
  const refusedAliases = new Map<string, string[]>()
  const hasAlias = (claimant: Claimant, key: string): boolean => claimant.current.has(key)
  for (const wantsOwn of [true, false])
    for (const claimant of ordered) {
      if (refused.has(claimant.id)) continue
      for (const key of claimant.aliases) {
        if (hasAlias(claimant, key) !== wantsOwn) continue
        const holder = claimed.get(key)
        if ((holder === undefined || holder === claimant.id) && isFree(key, claimant))
          claimed.set(key, claimant.id)
        else refusedAliases.set(claimant.id, [...(refusedAliases.get(claimant.id) ?? []), key])
      }
    }
  return { refused, refusedAliases }
}
