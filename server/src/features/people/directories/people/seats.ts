// Who of a batch gets the seats that are left. People without a seat are listed as problems, and are tried again when a
// seat is free.
import type { FreeSeats } from '#features/workspace/workspaces/index.ts'
import { earlierKeys, type PlacedPerson } from './decide.ts'

function withoutSeat(placed: PlacedPerson, message: string): PlacedPerson {
  const conflicts = [...placed.conflicts, { kind: 'no_seat', field: 'address', message } as const]
  const unseated = { ...placed, conflicts, lacksSeat: true }
  // A teammate who is inactive stays so; addresses and values follow the directory all the same.
  if (placed.outcome === 'adopted' || placed.outcome === 'linked') return unseated
  return {
    ...unseated,
    outcome: 'none',
    teammateId: placed.stored?.teammate_id ?? null,
    givenKeys: earlierKeys(placed),
  }
}

const needsSeat = ({ outcome, person, teammate }: PlacedPerson): boolean =>
  outcome === 'new' ||
  outcome === 'restored' ||
  (outcome !== 'none' && person.isActive && teammate?.active === false)

/** In the order of the batch. */
export const seatPeople = (placed: readonly PlacedPerson[], seats: FreeSeats): PlacedPerson[] =>
  placed.map(person => (needsSeat(person) && !seats.take() ? withoutSeat(person, seats.message) : person))
