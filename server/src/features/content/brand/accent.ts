// The company's colour as the accent of a page, made readable on light and on dark paper.
import { contrast, parseColor } from '@signoff/render'

const white = '#ffffff'
const black = '#000000'
/** The darkest and the lightest background that a text in the accent colour can have. */
const lightPaper = '#f4f5f7'
const darkPaper = '#1e2227'
/** WCAG asks for 4.5 between a text and its background. */
const readable = 4.5

const channels = (color: string): number[] =>
  [1, 3, 5].map(at => Number.parseInt(color.slice(at, at + 2), 16))

function mix(color: string, other: string, share: number): string {
  const [from, to] = [channels(color), channels(other)]
  const mixed = from.map((value, n) => Math.round(value + ((to[n] ?? 0) - value) * share))
  return `#${mixed.map(value => value.toString(16).padStart(2, '0')).join('')}`
}

/** The nearest shade that can be read on the paper: darker on light paper, lighter on dark paper. */
function readableOn(color: string, paper: string): string {
  const end = paper === lightPaper ? black : white
  for (let share = 0; share <= 1; share += 0.05) {
    const shade = mix(color, end, share)
    if (contrast(shade, paper) >= readable) return shade
  }
  return end
}

const labelOn = (color: string): string => (contrast(white, color) >= readable ? white : '#101828')

/** Empty for a brand without a colour: the style of the page has a default. */
export function accentStyle(primary: string | null): string {
  const color = primary === null ? undefined : parseColor(primary)
  if (typeof color !== 'string') return ''
  const [light, dark] = [readableOn(color, lightPaper), readableOn(color, darkPaper)]
  return `--brand:${light};--on-brand:${labelOn(light)};--brand-dark:${dark};--on-brand-dark:${labelOn(dark)}`
}
