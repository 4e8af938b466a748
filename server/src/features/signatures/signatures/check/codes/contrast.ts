import {
  contrast,
  contrastBoundOf,
  contrastBounds,
  defaultButtonColor,
  isReadable,
  linkColor,
  mailPapers,
  papersBehind,
  parseColor,
} from '@signoff/render'
import { type CheckRule, type Finding, findingFor, type Severity } from '../problems.ts'
import type { CheckedToken, PlacedBlock } from '../tree.ts'
import { showsText } from './texts.ts'

const { light: white } = mailPapers
const black = '#000000'

/** A colour on a background, with the contrast it needs. */
interface ColorUse {
  readonly color: string
  /** Undefined: the background of the mail client. */
  readonly background: string | undefined
  readonly bound: number
}

const colorOf = (text: string | undefined): string | undefined => parseColor(text ?? '') ?? undefined
const boundOf = ({ textStyle }: CheckedToken): number => contrastBoundOf(textStyle?.fontSize)

/** Text without a colour has the one of the mail client, which suits the background of the mail client. */
function usesInText({ block, background }: PlacedBlock): readonly ColorUse[] {
  const { tokens = [] } = block
  return tokens.filter(showsText).flatMap(token => {
    const chosen = colorOf(token.textStyle?.color) ?? colorOf(block.color)
    if (chosen === undefined && background === undefined) return []
    const color = chosen ?? (token.href ? linkColor : black)
    return [{ color, background, bound: boundOf(token) }]
  })
}

function usesInButton({ block, parent }: PlacedBlock): readonly ColorUse[] {
  const { tokens = [], color, variant } = block
  const chosen = block.backgroundColor ?? block.blockStyle?.backgroundColor
  const fill = chosen === undefined ? defaultButtonColor : colorOf(chosen)
  const isFilled = variant !== 'outline' && fill !== undefined
  const background = isFilled ? fill : parent?.background
  const defaultColor = isFilled ? white : (fill ?? linkColor)
  return tokens.filter(showsText).map(token => ({
    color: colorOf(token.textStyle?.color) ?? colorOf(color) ?? defaultColor,
    background,
    bound: boundOf(token),
  }))
}

/** An icon with a background of its own is visible by that. */
function usesInIcon({ block, background, parent }: PlacedBlock): readonly ColorUse[] {
  const { color, backgroundColor } = block.type === 'socialListItem' ? (parent?.block ?? block) : block
  const chosen = colorOf(color)
  if (chosen === undefined || colorOf(backgroundColor) !== undefined) return []
  return [{ color: chosen, background, bound: contrastBounds.large }]
}

function usesIn(place: PlacedBlock): readonly ColorUse[] {
  const { type, icon } = place.block
  if (type === 'button') return usesInButton(place)
  const isIcon = type === 'icon' || type === 'socialListItem' || icon !== undefined
  return isIcon ? usesInIcon(place) : usesInText(place)
}

interface LowContrast {
  readonly color: string
  readonly background: string
  readonly bound: number
  readonly severity: Severity
}

/** Problems on the block's background; without one, on white, and as a note on the dark background of dark modes. */
const problemsOf = ({ color, background, bound }: ColorUse): readonly LowContrast[] =>
  papersBehind(background, bound)
    .filter(paper => !isReadable(color, paper))
    .map(({ place, other, minimum }) => ({
      color,
      background: other,
      bound: minimum,
      severity: place === 'dark' ? 'note' : 'warning',
    }))

/** One finding for each pair of colours and bound: large text needs less contrast than small text. */
export const lowContrast: CheckRule = ({ blocks }) => {
  const pairs = new Map<string, { readonly use: LowContrast; readonly blocks: PlacedBlock[] }>()
  for (const place of blocks)
    for (const use of usesIn(place).flatMap(problemsOf)) {
      const key = `${use.color} ${use.background} ${use.severity} ${use.bound}`
      const pair = pairs.get(key)
      if (pair) pair.blocks.push(place)
      else pairs.set(key, { use, blocks: [place] })
    }
  return [...pairs.values()].flatMap(({ use, blocks: concerned }): readonly Finding[] =>
    findingFor({ code: 'low_contrast', severity: use.severity, message: messageFor(use) }, concerned),
  )
}

function messageFor({ color, background, severity, bound }: LowContrast): string {
  // Rounded down: 4.49 must not be told as 4.5.
  const ratio = Math.floor(contrast(color, background) * 10) / 10
  const place = severity === 'note' ? `the dark background of dark modes (${background})` : background
  return `${color} on ${place} has a contrast of ${ratio}; it needs ${bound} to be readable.`
}
