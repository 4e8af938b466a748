// The colours of a template, from the colours of the brand. Fills keep the exact colour. Text is moved to a lightness
// that can be read on a white and on a dark mail.
import { contrast, mailPapers, parseColor } from '@signoff/render'
import type { Brand } from '#features/content/brand/index.ts'

export interface Palette {
  /** Bars, buttons and panels: exactly the primary colour. */
  readonly fill: string
  /** Text on `fill`. */
  readonly onFill: string
  /** The primary colour for texts and icons. */
  readonly accent: string
  /** Undefined: the mail client's own text colour, which is dark on white and light in dark mode. */
  readonly text: string | undefined
  /** Phones and addresses: the brand's text colour or `muted`. Without a colour, mail clients would paint them blue. */
  readonly contact: string
  /** Titles and small print: the lightest grey that can be read on white, so that it is clear on a dark mail too. */
  readonly muted: string
  readonly link: string
  readonly line: string
}

const defaultPrimary = '#2b6cb0'
const defaultMuted = '#6b7280'
/** Not too strong on white, not glaring on dark. */
const line = '#a3acb9'

const { light: white, dark: darkMail } = mailPapers
/** White or black: one of them has a contrast of 4.5 on every colour. */
const black = '#000000'

const channels = (hex: string): readonly number[] =>
  [1, 3, 5].map(at => Number.parseInt(hex.slice(at, at + 2), 16))

function mix(hex: string, other: string, share: number): string {
  const [from, to] = [channels(hex), channels(other)]
  const mixed = from.map((value, n) => Math.round(value + ((to[n] ?? 0) - value) * share))
  return `#${mixed.map(value => value.toString(16).padStart(2, '0')).join('')}`
}

/** The bounds for small text: 4.5 on white, as WCAG asks; on dark no colour that keeps it reaches more than 3.6. */
const isReadable = (hex: string): boolean => contrast(hex, white) >= 4.5 && contrast(hex, darkMail) >= 3.05

/** The nearest mixture with white or black that can be read on a white and on a dark mail. */
function readable(hex: string): string {
  const other = contrast(hex, white) < 4.5 ? black : white
  for (let share = 0; share < 1; share += 0.01) {
    const mixed = mix(hex, other, share)
    if (isReadable(mixed)) return mixed
  }
  return defaultMuted
}

/**
 * The lightest shade that keeps the bound on white. Both contrasts multiply to 16.5, so 4.5 on white leaves 3.66 on
 * dark: no colour reaches 4 on dark without falling below 4.2 on white.
 */
function calm(hex: string): string {
  let best = readable(hex)
  for (let share = 0.01; share < 1; share += 0.01) {
    const mixed = mix(hex, white, share)
    if (contrast(mixed, white) < 4.5) break
    best = mixed
  }
  return best
}

/** Black and dark grey, which look the same as the mail client's own text colour. */
const isInk = (hex: string): boolean => {
  const parts = channels(hex)
  return Math.max(...parts) - Math.min(...parts) < 24 && Math.max(...parts) < 96
}

const sent = (color: string | null): string | undefined =>
  color === null ? undefined : (parseColor(color) ?? undefined)

export function paletteOf({ primary, text, muted, link: linkColor }: Brand['colors']): Palette {
  const fill = sent(primary) ?? defaultPrimary
  const brandText = sent(text)
  const readableText = brandText === undefined || isInk(brandText) ? undefined : readable(brandText)
  const grey = calm(sent(muted) ?? defaultMuted)
  return {
    fill,
    onFill: contrast(fill, white) >= 4.5 ? white : black,
    accent: readable(fill),
    text: readableText,
    contact: readableText ?? grey,
    muted: grey,
    link: readable(sent(linkColor) ?? fill),
    line,
  }
}
