// Which of several contents an address sees: the same one every time, in proportion to their weights. Each content draws
// a number for the address and the highest wins, so that adding, removing or re-weighting one moves as few as possible.
import { hash } from 'node:crypto'

export interface Weighted {
  readonly id: string
  readonly weight: number
}

/** Above 0 and below 1, the same for the same text. */
function chance(text: string): number {
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
    const drawn = Math.log(chance(`${campaignId} ${emailId} ${variant.id}`)) / variant.weight
    if (drawn > highest) [best, highest] = [variant, drawn]
  }
  return best
}
