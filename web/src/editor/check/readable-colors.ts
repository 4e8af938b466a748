// Gives blocks colours that can be read on what is behind them. The bounds are those of the check.
import {
  type Content,
  contrast,
  contrastBoundOf,
  contrastBounds,
  defaultButtonColor,
  linkColor,
  mailPapers,
  papersBehind,
  type Token,
} from '@signoff/render'
import { type AnyBlock, childrenOf, idOf, tokensOf } from '#records/content/block.ts'
import { type ContrastCheck, channelsOf, hexColor, passesAll, safeColor } from '../colors/safe-color.ts'
import { setProperties } from '../model/operations.ts'
import { changeTokensIn } from './change-tokens.ts'

const { light: white } = mailPapers
const black = '#000000'
/** The channels of a grey differ by less. */
const greyRange = 40

/** Black or white where no shade passes. */
function readableShade(
  color: string,
  checks: readonly ContrastCheck[],
  brandColors: readonly string[],
): string {
  const [{ other } = { other: white }] = checks
  return (
    safeColor(color, checks, brandColors) ??
    (contrast(black, other) >= contrast(white, other) ? black : white)
  )
}

const boundOf = ({ textStyle }: Token): number => contrastBoundOf(textStyle?.fontSize)
const isGrey = (color: string): boolean =>
  Math.max(...channelsOf(color)) - Math.min(...channelsOf(color)) < greyRange

/** Dark grey text without a background gets no colour: it then has the one of the mail client, which suits both. */
function readableToken(token: Token, color: string, { background, brandColors }: Place): Token {
  const papers = papersBehind(background, boundOf(token))
  if (passesAll(color, papers)) return token
  const isDark = contrast(color, white) >= contrastBounds.text
  const adapts = background === undefined && !token.href && isGrey(color) && isDark
  const { color: _, ...style } = token.textStyle ?? {}
  const textStyle = adapts ? style : { ...style, color: readableShade(color, papers, brandColors) }
  return { ...token, textStyle }
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
  readonly brandColors: readonly string[]
}

function withReadableText(tree: Content, place: Place): Content {
  const { block, background } = place
  const own = hexColor((block as Colored).color)
  return changeTokensIn(tree, idOf(block), token => {
    const chosen = hexColor(token.textStyle?.color) ?? own
    if (chosen === undefined && background === undefined) return token
    return readableToken(token, chosen ?? (token.href ? linkColor : black), place)
  })
}

function withReadableButton(tree: Content, { block, backgroundOutside, brandColors }: Place): Content {
  const { color, backgroundColor, variant } = block as Colored
  const chosen = backgroundColor ?? block.blockStyle?.backgroundColor
  const fill = chosen === undefined ? defaultButtonColor : hexColor(chosen)
  const isFilled = variant !== 'outline' && fill !== undefined
  const behind = isFilled ? fill : backgroundOutside
  const standard = hexColor(color) ?? (isFilled ? white : (fill ?? linkColor))
  const tokens = tokensOf(block) ?? []
  const papers = papersBehind(behind, Math.max(...tokens.map(boundOf), contrastBounds.large))
  const shade = readableShade(standard, papers, brandColors)
  const colored = shade === standard ? tree : setProperties(tree, idOf(block), { color: shade })
  return changeTokensIn(colored, idOf(block), token => {
    const own = hexColor(token.textStyle?.color)
    return own === undefined || passesAll(own, papers)
      ? token
      : { ...token, textStyle: { ...token.textStyle, color: readableShade(own, papers, brandColors) } }
  })
}

/** The icons of a list of links have the colour of the list. */
function withReadableIcon(tree: Content, { block, parent, background, brandColors }: Place): Content {
  const owner = block.type === 'socialListItem' ? (parent ?? block) : block
  const chosen = hexColor((owner as Colored).color)
  if (chosen === undefined) return tree
  const papers = papersBehind(background, contrastBounds.large)
  const color = readableShade(chosen, papers, brandColors)
  return color === chosen ? tree : setProperties(tree, idOf(owner), { color })
}

const isIcon = (block: AnyBlock): boolean =>
  block.type === 'icon' || block.type === 'socialListItem' || ('icon' in block && block.icon !== undefined)

function placesOf(tree: Content, ids: readonly string[], brandColors: readonly string[]): readonly Place[] {
  const places: Place[] = []
  const visit = (
    block: AnyBlock,
    parent: AnyBlock | undefined,
    backgroundOutside: string | undefined,
  ): void => {
    const background = hexColor(block.blockStyle?.backgroundColor) ?? backgroundOutside
    if (ids.includes(idOf(block))) places.push({ block, parent, background, backgroundOutside, brandColors })
    for (const child of childrenOf(block)) visit(child, block, background)
  }
  visit(tree, undefined, undefined)
  return places
}

export const withReadableColors = (
  tree: Content,
  ids: readonly string[],
  brandColors: readonly string[],
): Content =>
  placesOf(tree, ids, brandColors).reduce((changed, place) => {
    if (place.block.type === 'button') return withReadableButton(changed, place)
    return isIcon(place.block) ? withReadableIcon(changed, place) : withReadableText(changed, place)
  }, tree)
