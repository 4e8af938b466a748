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
import { type ContrastCheck, channelsOf, hexColor, passesAll, safeColor } from '../model/colors.ts'
import { setProperties, setStyle } from '../model/operations.ts'
import { blockOf } from '../model/tree.ts'
import { changeTokensIn } from './text-remedies.ts'

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
function readableToken(token: Token, color: string, { background, brandColors }: BlockContext): Token {
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

interface BlockContext {
  readonly block: AnyBlock
  readonly parent: AnyBlock | undefined
  readonly background: string | undefined
  readonly backgroundOutside: string | undefined
  readonly brandColors: readonly string[]
}

function withReadableText(tree: Content, context: BlockContext): Content {
  const { block, background } = context
  const own = hexColor((block as Colored).color)
  return changeTokensIn(tree, idOf(block), token => {
    const chosen = hexColor(token.textStyle?.color) ?? own
    if (chosen === undefined && background === undefined) return token
    return readableToken(token, chosen ?? (token.href ? linkColor : black), context)
  })
}

function withReadableButton(tree: Content, { block, backgroundOutside, brandColors }: BlockContext): Content {
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
function withReadableIcon(tree: Content, { block, parent, background, brandColors }: BlockContext): Content {
  const owner = block.type === 'socialListItem' ? (parent ?? block) : block
  const chosen = hexColor((owner as Colored).color)
  if (chosen === undefined) return tree
  const papers = papersBehind(background, contrastBounds.large)
  const color = readableShade(chosen, papers, brandColors)
  return color === chosen ? tree : setProperties(tree, idOf(owner), { color })
}

const isIcon = (block: AnyBlock): boolean =>
  block.type === 'icon' || block.type === 'socialListItem' || ('icon' in block && block.icon !== undefined)

function contextsOf(
  tree: Content,
  ids: readonly string[],
  brandColors: readonly string[],
): readonly BlockContext[] {
  const contexts: BlockContext[] = []
  const visit = (
    block: AnyBlock,
    parent: AnyBlock | undefined,
    backgroundOutside: string | undefined,
  ): void => {
    const background = hexColor(block.blockStyle?.backgroundColor) ?? backgroundOutside
    if (ids.includes(idOf(block)))
      contexts.push({ block, parent, background, backgroundOutside, brandColors })
    for (const child of childrenOf(block)) visit(child, block, background)
  }
  visit(tree, undefined, undefined)
  return contexts
}

export const withReadableColors = (
  tree: Content,
  ids: readonly string[],
  brandColors: readonly string[],
): Content =>
  contextsOf(tree, ids, brandColors).reduce((changed, context) => {
    if (context.block.type === 'button') return withReadableButton(changed, context)
    return isIcon(context.block) ? withReadableIcon(changed, context) : withReadableText(changed, context)
  }, tree)

// Makes blocks narrow enough: for phones, and for the reading panes of mail programs.

/** The width that a phone of 375 px leaves for a signature: the bound of the check. */
const phoneWidth = 340
/** The bound of the renderer for pictures and for the whole signature. */
const paneWidth = 600
const smallestIcon = 16
const defaultIconSize = 24
const defaultGap = 8

function narrowerIcons(tree: Content, list: Extract<AnyBlock, { type: 'socialList' }>): Content {
  const count = Math.max(1, childrenOf(list).filter(({ visible }) => visible !== false).length)
  const {
    gap = defaultGap,
    marginLeft = 0,
    marginRight = 0,
    paddingLeft = 0,
    paddingRight = 0,
  } = list.blockStyle ?? {}
  const room = phoneWidth - marginLeft - marginRight - paddingLeft - paddingRight
  const size = (space: number) => Math.floor((room - space * (count - 1)) / count)
  const iconSize = Math.max(smallestIcon, Math.min(list.iconSize ?? defaultIconSize, size(gap)))
  const narrow = Math.max(0, Math.floor((room - iconSize * count) / Math.max(1, count - 1)))
  const sized = setProperties(tree, idOf(list), { iconSize })
  return narrow < gap ? setStyle(sized, idOf(list), { gap: narrow }) : sized
}

/** A row stacks on narrow screens; a fixed width becomes the width of a phone. */
export const fittingPhones = (tree: Content, ids: readonly string[]): Content =>
  ids.reduce((changed, id) => {
    const block = blockOf(changed, id)
    if (!block) return changed
    const narrow =
      (block.blockStyle?.width ?? 0) > phoneWidth && id !== idOf(changed)
        ? setStyle(changed, id, { width: phoneWidth })
        : changed
    if (block.type === 'socialList') return narrowerIcons(narrow, block)
    return block.type === 'stack' && block.direction === 'row'
      ? setProperties(narrow, id, { wrap: true })
      : narrow
  }, tree)

/** The height follows from the proportions of the picture. */
export const fittingPanes = (tree: Content, ids: readonly string[]): Content =>
  ids.reduce((changed, id) => {
    const block = blockOf(changed, id)
    if (block?.type === 'image' && (block.width ?? 0) > paneWidth)
      return setProperties(changed, id, { width: paneWidth, height: undefined })
    return block && (block.blockStyle?.width ?? 0) > paneWidth
      ? setStyle(changed, id, { width: paneWidth })
      : changed
  }, tree)
