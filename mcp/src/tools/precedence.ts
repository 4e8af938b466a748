// Which other signatures come first for the recipients of one, in words.
import type { JsonRecord } from '../api.ts'
import { ToolFailure } from '../failure.ts'
import type { RouteCalls } from '../tool.ts'

/** Routes that these words need beside those of the tool. */
export const precedenceRoutes = ['signatures.check', 'signatures.get']

interface KeptSignature {
  readonly signature_id: string
  readonly name: string
  readonly priority: number
  readonly recipients: number
}

export const addresses = (count: unknown): string => `${count} ${count === 1 ? 'address' : 'addresses'}`

const maxNamed = 5

/** Begins with a space. Empty when no other signature comes first, and for a key that cannot read signatures. */
export async function wordsOfPrecedence(calls: RouteCalls, id: unknown): Promise<string> {
  try {
    const { recipients, kept: signatures = [] } = (await calls.json('signatures.check', { id }))
      .data as JsonRecord
    const others = signatures as readonly KeptSignature[]
    if (others.length === 0) return ''
    const count = others.reduce((sum, other) => sum + other.recipients, 0)
    const named = others
      .slice(0, maxNamed)
      .map(
        ({ name, priority, recipients: n }) =>
          `${JSON.stringify(name)} (priority ${priority}, ${addresses(n)})`,
      )
    if (others.length > maxNamed) named.push(`${others.length - maxNamed} more`)
    const winner = others.toSorted((a, b) => a.priority - b.priority)[0] as KeptSignature
    return ` For ${count} of ${addresses(recipients)} another signature comes first: ${named.join(', ')}. The lowest priority wins: ${await adviceAgainst(winner, calls, id)}.`
  } catch (error) {
    if (error instanceof ToolFailure) return ''
    throw error
  }
}

async function adviceAgainst(winner: KeptSignature, calls: RouteCalls, id: unknown): Promise<string> {
  if (winner.priority > 0) return `update_signature with priority: ${winner.priority - 1} puts this one first`
  const { priority } = (await calls.json('signatures.get', { id })).data as JsonRecord
  return `update_signature with signature_id: ${winner.signature_id} and a priority above ${priority} puts that one behind`
}
