// Decides what becomes of each person of a batch, and which addresses people get. Writes nothing.
import { comparisonKey } from '#kernel/db/text.ts'
import { type AddressClaims, type Claimant, resolveClaims } from './claims.ts'
import { addressKeysOfPerson, type PersonProblem } from './clean.ts'
import type { MatchedPerson, PeopleContext } from './match.ts'

export interface PlacedPerson extends MatchedPerson {
  /** Null: the person is no teammate. */
  readonly teammateId: string | null
  readonly outcome: 'new' | 'restored' | 'adopted' | 'linked' | 'none'
  readonly conflicts: readonly PersonProblem[]
  /** The person would need a seat, and none is left. */
  readonly lacksSeat: boolean
  /** Empty: the person keeps the addresses that are there. */
  readonly address: string
  readonly aliases: readonly string[]
  /** Keys of all addresses that the directory has given the person. */
  readonly givenKeys: readonly string[]
}

const conflict = (address: string, field: 'address' | 'aliases'): PersonProblem => ({
  kind: 'conflict',
  field,
  message: `${address} belongs to another person already.`,
})

const claimantId = ({ person, teammate }: MatchedPerson): string =>
  teammate && !teammate.is_deleted ? teammate.id : `new ${person.externalId}`

function outcomeOf({ teammate, stored, person }: MatchedPerson, { drives }: PeopleContext) {
  if (!teammate) return drives && person.isActive && person.address !== '' ? 'new' : 'none'
  if (teammate.is_deleted) return person.isActive && person.address !== '' ? 'restored' : 'none'
  return stored?.teammate_id === teammate.id ? 'linked' : 'adopted'
}

/** A directory that restores no teammates does not stay linked with a deleted one. */
const linkOf = ({ stored }: MatchedPerson, { drives }: PeopleContext): string | null =>
  stored && (drives || stored.state === 'gone') ? stored.teammate_id : null

/** The addresses that the directory gave the person before, or the record that the person replaces. */
export const earlierKeys = ({ stored, replaces }: MatchedPerson): string[] =>
  [stored, replaces].flatMap(record => record?.given_keys ?? [])

/** Decides which addresses people get, and writes nothing. */
export function placePeople(
  context: PeopleContext,
  matched: readonly MatchedPerson[],
  owners: ReadonlyMap<string, string>,
  addresses: ReadonlyMap<string, readonly { readonly address_key: string; readonly is_primary: boolean }[]>,
): PlacedPerson[] {
  const claimants = matched.flatMap((match): Claimant[] => {
    const outcome = outcomeOf(match, context)
    if (!context.drives || outcome === 'none' || match.person.address === '') return []
    const own = addresses.get(match.teammate?.id ?? '') ?? []
    return [
      {
        id: claimantId(match),
        currentPrimary: own.find(row => row.is_primary)?.address_key ?? null,
        current: new Set(own.map(row => row.address_key)),
        earlier: new Set(earlierKeys(match)),
        primary: comparisonKey(match.person.address),
        aliases: match.person.aliases.map(comparisonKey),
      },
    ]
  })
  const claims: AddressClaims = resolveClaims(claimants, owners)
  return matched.map((match): PlacedPerson => {
    const { person, teammate, isTaken } = match
    const outcome = outcomeOf(match, context)
    const id = claimantId(match)
    const isRefused = claims.refused.has(id)
    const refusedAliases = new Set(claims.refusedAliases.get(id))
    const aliases = person.aliases.filter(alias => !refusedAliases.has(comparisonKey(alias)))
    const conflicts = [
      ...(isRefused || isTaken ? [conflict(person.address, 'address')] : []),
      ...person.aliases
        .filter(alias => refusedAliases.has(comparisonKey(alias)))
        .map(alias => conflict(alias, 'aliases')),
    ]
    const isLost = isRefused && (outcome === 'new' || outcome === 'restored')
    const address = isRefused ? '' : person.address
    const isGiven = address !== '' && outcome !== 'none'
    return {
      ...match,
      outcome: isLost ? 'none' : outcome,
      teammateId: outcome === 'none' || isLost ? linkOf(match, context) : (teammate?.id ?? null),
      conflicts,
      lacksSeat: false,
      address,
      aliases,
      givenKeys: isGiven ? addressKeysOfPerson({ address, aliases }) : earlierKeys(match),
    }
  })
}
