// Decides what becomes of each person of a batch, and which addresses people get. Writes nothing.
import type { FreeSeats } from '#features/workspace/workspaces/index.ts'
import { comparisonKey } from '#kernel/db/text.ts'
import { type Claimant, resolveClaims } from './claims.ts'
import { addressKeysOfPerson, type PersonProblem } from './clean.ts'
import type { MatchedPerson, PeopleContext } from './match.ts'
import { type Match, type Outcome, outcomeOf, takesSeat, withoutAddressOrSeat } from './states.ts'

export interface DecidedPerson extends MatchedPerson {
  /** Null: the person is no teammate. */
  readonly teammateId: string | null
  readonly outcome: Outcome
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

function matchOf({ teammate, stored }: MatchedPerson): Match {
  if (!teammate) return 'none'
  if (teammate.is_deleted) return 'deleted'
  return stored?.teammate_id === teammate.id ? 'own' : 'other'
}

/** A directory that restores no teammates does not stay linked with a deleted one. */
const linkOf = ({ stored }: MatchedPerson, { drives }: PeopleContext): string | null =>
  stored && (drives || stored.state === 'gone') ? stored.teammate_id : null

/** The addresses that the directory gave the person before, or the record that the person replaces. */
export const earlierKeys = ({ stored, replaces }: MatchedPerson): string[] =>
  [stored, replaces].flatMap(record => record?.given_keys ?? [])

/** Gives out seats in the order of the batch. People without a seat are problems, and are tried again when one is free. */
export const seatPeople = (people: readonly DecidedPerson[], seats: FreeSeats): DecidedPerson[] =>
  people.map(decided => {
    const { outcome, person, teammate, stored, conflicts } = decided
    if (!takesSeat(outcome, person, teammate?.active !== false) || seats.take()) return decided
    const problem = { kind: 'no_seat', field: 'address', message: seats.message } as const
    const unseated = { ...decided, conflicts: [...conflicts, problem], lacksSeat: true }
    // A teammate who is inactive stays so; addresses and values follow the directory all the same.
    if (withoutAddressOrSeat[outcome] === outcome) return unseated
    return {
      ...unseated,
      outcome: withoutAddressOrSeat[outcome],
      teammateId: stored?.teammate_id ?? null,
      givenKeys: earlierKeys(decided),
    }
  })

export function decidePeople(
  context: PeopleContext,
  matched: readonly MatchedPerson[],
  owners: ReadonlyMap<string, string>,
  addresses: ReadonlyMap<string, readonly { readonly address_key: string; readonly is_primary: boolean }[]>,
): DecidedPerson[] {
  const withOutcomes = matched.map(match => ({
    match,
    outcome: outcomeOf(matchOf(match), match.person, context.drives),
  }))
  const claimants = withOutcomes.flatMap(({ match, outcome }): Claimant[] => {
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
  const claims = resolveClaims(claimants, owners)
  return withOutcomes.map(({ match, outcome: matchedOutcome }): DecidedPerson => {
    const { person, teammate, isTaken } = match
    const id = claimantId(match)
    const isRefused = claims.refused.has(id)
    const outcome = isRefused ? withoutAddressOrSeat[matchedOutcome] : matchedOutcome
    const refusedAliases = new Set(claims.refusedAliases.get(id))
    const aliases = person.aliases.filter(alias => !refusedAliases.has(comparisonKey(alias)))
    const conflicts = [
      ...(isRefused || isTaken ? [conflict(person.address, 'address')] : []),
      ...person.aliases
        .filter(alias => refusedAliases.has(comparisonKey(alias)))
        .map(alias => conflict(alias, 'aliases')),
    ]
    const address = isRefused ? '' : person.address
    return {
      ...match,
      outcome,
      teammateId: outcome === 'none' ? linkOf(match, context) : (teammate?.id ?? null),
      conflicts,
      lacksSeat: false,
      address,
      aliases,
      givenKeys:
        address !== '' && outcome !== 'none' ? addressKeysOfPerson({ address, aliases }) : earlierKeys(match),
    }
  })
}
