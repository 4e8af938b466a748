// The nearest shade of a colour that can be read on what is behind it. The bounds are those of the check.
import { type Content, contrast, linkColor, parseColor, type Token } from '@signoff/render'
import { type AnyBlock, childrenOf, idOf, tokensOf } from '../model/block.ts'
import { setProperties } from '../model/operations.ts'
import { changeTokens } from './change-tokens.ts'

const white = '#ffffff'
const black = '#000000'
/** The usual background of a mail in dark mode. */
const dark = '#1f1f1f'
const buttonFill = '#1f5fbf'
const largeText = 18
const defaultFontSize = 14
const lowBound = 3
const steps = 100
/** The channels of a grey differ by less. */
const greyRange = 40

/** A background, and the contrast that is needed on it. */
type Paper = readonly [background: string, bound: number]

const channels = (color: string): readonly number[] =>
  [1, 3, 5].map(at => Number.parseInt(color.slice(at, at + 2), 16))

const mixed = (color: string, other: string, part: number): string => {
  const [a, b] = [channels(color), channels(other)]
  const parts = a.map((channel, n) => Math.round(channel + ((b[n] ?? 0) - channel) * part))
  return `#${parts.map(channel => channel.toString(16).padStart(2, '0')).join('')}`
}

const passes = (color: string, papers: readonly Paper[]): boolean =>
  papers.every(([background, bound]) => contrast(color, background) >= bound)

/** The colour itself when it can be read. */
export function nearestShade(color: string, papers: readonly Paper[]): string {
  for (let step = 0; step <= steps; step += 1)
    for (const end of [black, white]) {
      const shade = mixed(color, end, step / steps)
      if (passes(shade, papers)) return shade
    }
  const [[background] = [white]] = papers
  return contrast(black, background) >= contrast(white, background) ? black : white
}

/** Without a background: that of light mails and of dark ones. */
const papersOf = (background: string | undefined, bound: number): readonly Paper[] =>
  background === undefined
    ? [
        [white, bound],
        [dark, lowBound],
      ]
    : [[background, bound]]

const colorOf = (text: string | undefined): string | undefined => parseColor(text ?? '') ?? undefined
const boundOf = ({ textStyle }: Token): number =>
  (textStyle?.fontSize ?? defaultFontSize) < largeText ? 4.5 : lowBound
const isGrey = (color: string): boolean =>
  Math.max(...channels(color)) - Math.min(...channels(color)) < greyRange

/** Dark grey text without a background gets no colour: it then has the one of the mail client, which suits both. */
function readableToken(token: Token, color: string, background: string | undefined): Token {
  const papers = papersOf(background, boundOf(token))
  if (passes(color, papers)) return token
  const adapts = background === undefined && !token.href && isGrey(color) && contrast(color, white) >= 4.5
  const { color: _, ...style } = token.textStyle ?? {}
  return { ...token, textStyle: adapts ? style : { ...style, color: nearestShade(color, papers) } }
}

interface Colored {
  readonly color?: string
  readonly backgroundColor?: string
  readonly variant?: string
}

interface Place {
  readonly block: AnyBlock
  readonly parent: AnyBlock | undefined
  readonly background: string | undefined
  readonly backgroundOutside: string | undefined
}

function withReadableText(tree: Content, { block, background }: Place): Content {
  const own = colorOf((block as Colored).color)
  return changeTokens(tree, idOf(block), token => {
    const chosen = colorOf(token.textStyle?.color) ?? own
    if (chosen === undefined && background === undefined) return token
    return readableToken(token, chosen ?? (token.href ? linkColor : black), background)
  })
}

function withReadableButton(tree: Content, { block, backgroundOutside }: Place): Content {
  const { color, backgroundColor, variant } = block as Colored
  const chosen = backgroundColor ?? block.blockStyle?.backgroundColor
  const fill = chosen === undefined ? buttonFill : colorOf(chosen)
  const isFilled = variant !== 'outline' && fill !== undefined
  const behind = isFilled ? fill : backgroundOutside
  const standard = colorOf(color) ?? (isFilled ? white : (fill ?? linkColor))
  const tokens = tokensOf(block) ?? []
  const papers = papersOf(behind, Math.max(...tokens.map(boundOf), lowBound))
  const shade = nearestShade(standard, papers)
  const colored = shade === standard ? tree : setProperties(tree, idOf(block), { color: shade })
  return changeTokens(colored, idOf(block), token => {
    const ownColor = colorOf(token.textStyle?.color)
    return ownColor === undefined || passes(ownColor, papers)
      ? token
      : { ...token, textStyle: { ...token.textStyle, color: nearestShade(ownColor, papers) } }
  })
}

/** The icons of a list of links have the colour of the list. */
function withReadableIcon(tree: Content, { block, parent, background }: Place): Content {
  const owner = block.type === 'socialListItem' ? (parent ?? block) : block
  const { color } = owner as Colored
  const chosen = colorOf(color)
  if (chosen === undefined) return tree
  return setProperties(tree, idOf(owner), { color: nearestShade(chosen, papersOf(background, lowBound)) })
}

const isIcon = (block: AnyBlock): boolean =>
  block.type === 'icon' || block.type === 'socialListItem' || ('icon' in block && block.icon !== undefined)

function placesOf(tree: Content, ids: readonly string[]): readonly Place[] {
  const places: Place[] = []
  const visit = (block: AnyBlock, parent: AnyBlock | undefined, outside: string | undefined): void => {
    const background = colorOf(block.blockStyle?.backgroundColor) ?? outside
    if (ids.includes(idOf(block))) places.push({ block, parent, background, backgroundOutside: outside })
    for (const child of childrenOf(block)) visit(child, block, background)
  }
  visit(tree, undefined, undefined)
  return places
}

export const withReadableColors = (tree: Content, ids: readonly string[]): Content =>
  placesOf(tree, ids).reduce((changed, place) => {
    if (place.block.type === 'button') return withReadableButton(changed, place)
    return isIcon(place.block) ? withReadableIcon(changed, place) : withReadableText(changed, place)
  }, tree)
