// Which of several contents an address sees: the same one every time, in proportion to their weights. Each content draws
// a number for the address and the highest wins, so that adding, removing or re-weighting one moves as few as possible.
import { hash } from 'node:crypto'

export interface Weighted {
  readonly id: string
  readonly weight: number
}

/** Above 0 and below 1, the same for the same text. */
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
