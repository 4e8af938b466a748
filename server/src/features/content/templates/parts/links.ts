import type { Block } from '@signoff/render'
import { safeUrl } from '@signoff/render'
import type { Kit } from '../design.ts'
import { styleOf, type WordStyle } from './text.ts'

type Button = Extract<Block, { type: 'button' }>

export const webHref = (address: string) => ({ text: safeUrl(address) ?? address })

const maxShownAddress = 40

/**
 * `https://www.example.com/` → `example.com`; of a long address the host alone. Letters of any script stay, where a URL
 * would have `xn--…`.
 */
export function shownAddress(address: string): string {
  const short = address
    .trim()
    .replace(/^https?:\/\//i, '')
    .replace(/^www\./i, '')
    .replace(/\/$/, '')
  return short.length <= maxShownAddress ? short : short.replace(/[/?#].*$/s, '')
}

interface ButtonStyle extends Pick<WordStyle, 'font'> {
  readonly variant?: 'solid' | 'outline'
  readonly radius?: number
  readonly align?: Button['align']
}

/** A button that leads to a smart field is left out for people without a value. */
export function button(
  kit: Kit,
  href: Button['href'],
  label: string,
  { variant = 'solid', radius = 4, align, font }: ButtonStyle = {},
): Button {
  const { fill, onFill, accent } = kit.palette
  const color = variant === 'solid' ? onFill : accent
  const sides = { paddingTop: 6, paddingRight: 16, paddingBottom: 6, paddingLeft: 16 }
  return {
    type: 'button',
    displayName: label,
    variant,
    color,
    backgroundColor: variant === 'solid' ? fill : accent,
    borderRadius: radius,
    ...(align && { align }),
    tokens: [{ type: 'textToken', value: label, textStyle: styleOf(kit, { bold: true, color, font }) }],
    href,
    blockStyle: sides,
  }
}
