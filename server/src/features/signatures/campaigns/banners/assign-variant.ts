// Assigns a variant to an address: always the same one, in proportion to the weights. Each variant gets a score for the
// address and the highest score wins (rendezvous hashing), so adding, removing or re-weighting a variant moves as few
// addresses as possible.
import { hash } from 'node:crypto'

interface Weighted {
  readonly id: string
  readonly weight: number
}

/** A number above 0 and below 1 that depends only on the text. */
function hashToUnit(text: string): number {
  const bytes = hash('sha256', text, 'buffer')
  return (bytes.readUInt32BE(0) * 2 ** 21 + (bytes.readUInt32BE(4) >>> 11) + 0.5) / 2 ** 53
}

export function assignVariant<V extends Weighted>(
  campaignId: string,
  emailId: string,
  variants: readonly V[],
): V | undefined {
  let [best, highest]: [V | undefined, number] = [undefined, Number.NEGATIVE_INFINITY]
  for (const variant of variants) {
    if (variant.weight <= 0) continue
    const score = Math.log(hashToUnit(`${campaignId} ${emailId} ${variant.id}`)) / variant.weight
    if (score > highest) [best, highest] = [variant, score]
  }
  return best
}
