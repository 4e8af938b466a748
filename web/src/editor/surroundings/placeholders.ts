// The canvas shows blocks that a mail leaves out because they are empty: a person must be able to select them. The tree
// for drawing has something to show in their places. Ids stay, and without such blocks the tree is the same object.
// Dividers can stay without a place: the renderer leaves out lines at the edges of a row.
import type { Content, Token } from '@signoff/render'
import { type AnyBlock, childrenOf, idOf, withChildren } from '#records/content/block.ts'

export interface PlaceholderTexts {
  /** A line in stacks and lists without blocks. */
  readonly dropHere: string
  readonly emptyText: string
  /** In the place of a campaign's banner. */
  readonly banner: string
  /** The label of a smart field; undefined for a field that does not exist. */
  readonly fieldLabel: (id: string) => string | undefined
}

type TextBlock = Extract<AnyBlock, { type: 'text' }>

/** `withPlaceholderPicture` of picture-hooks.ts knows this asset. */
export const placeholderAsset = 'placeholder'

/** Leads nowhere: blocks that are links are drawn only with a target. */
const placeholderLink = { text: 'https://example.com/' }
const quiet = '#667085'
const quietBackground = '#f2f4f7'
const qrSize = 96

/** `isDrawn` says of an id whether the block was in the rendering of the tree. */
export function withPlaceholders(
  tree: Content,
  isDrawn: (id: string) => boolean,
  texts: PlaceholderTexts,
): Content {
  const visit = (block: AnyBlock): AnyBlock => {
    if (block.visible === false) return block
    const children = childrenOf(block)
    const filled = children.map(visit)
    const changed = filled.some((child, index) => child !== children[index])
    const withFilled = changed ? withChildren(block, filled) : block
    return isDrawn(idOf(block)) ? withFilled : withSomethingToShow(withFilled, texts)
  }
  // The root has no cell of its own, so it has no marks: it is empty when none of its blocks is drawn.
  const children = childrenOf(tree)
  const filled = children.map(visit)
  const root = filled.some((child, index) => child !== children[index]) ? withChildren(tree, filled) : tree
  const isEmpty = isHollow(root) && !children.some(child => isDrawn(idOf(child)))
  return isEmpty ? (withSomethingToShow(root, texts) as Content) : root
}

const quietLine = (value: string): TextBlock => ({
  type: 'text',
  tokens: [{ value, textStyle: { color: quiet } }],
})

/** Lines alone are left out with the blocks between them. */
const isHollow = (block: AnyBlock): boolean =>
  !childrenOf(block).some(child => child.visible !== false && child.type !== 'divider')

function withSomethingToShow(block: AnyBlock, texts: PlaceholderTexts): AnyBlock {
  const line = quietLine(texts.dropHere)
  switch (block.type) {
    case 'text':
    case 'listItemLabel':
      return block.tokens ? { ...block, tokens: shownTokens(block.tokens, texts) } : block
    case 'button':
      return { ...block, tokens: shownTokens(block.tokens, texts), href: placeholderLink }
    case 'socialListItem':
      return { ...block, href: placeholderLink }
    case 'image': {
      const { src: _, smartFieldUuid: __, crop: ___, halo: ____, href: _____, ...image } = block
      return { ...image, assetUuid: placeholderAsset }
    }
    case 'qrCode': {
      const { id, blockStyle, size = qrSize } = block
      const sides = { width: size, height: size, alt: '' }
      return {
        type: 'image',
        ...(id && { id }),
        ...(blockStyle && { blockStyle }),
        ...sides,
        assetUuid: placeholderAsset,
      }
    }
    case 'marketing':
      return bannerPlaceholder(block, texts.banner)
    case 'stack':
      return isHollow(block) ? withChildren(block, [...childrenOf(block), line]) : block
    case 'list':
      return isHollow(block)
        ? withChildren(block, [...childrenOf(block), { type: 'listItem', children: [line] }])
        : block
    case 'listItem':
      return hasVisibleText(block) ? block : withChildren(block, [...childrenOf(block), line])
    case 'socialList':
      return isHollow(block)
        ? withChildren(block, [
            ...childrenOf(block),
            { type: 'socialListItem', name: 'link', href: placeholderLink, alt: texts.dropHere },
          ])
        : block
    default:
      return block
  }
}

const hasVisibleText = (item: AnyBlock): boolean =>
  childrenOf(item).some(child => child.type === 'text' && child.visible !== false)

/** Smart fields without a value show their labels in braces. */
function shownTokens(tokens: readonly Token[], { fieldLabel, emptyText }: PlaceholderTexts): Token[] {
  const shown = tokens.map(token =>
    token.smartFieldUuid === undefined
      ? token
      : { ...token, fallback: `{${fieldLabel(token.smartFieldUuid.toLowerCase()) ?? '?'}}` },
  )
  if (shown.some(({ smartFieldUuid, value }) => smartFieldUuid !== undefined || value)) return shown
  const [first = {}] = shown
  return [{ ...first, value: emptyText, textStyle: { ...first.textStyle, color: quiet } }]
}

const bannerPlaceholder = (block: Extract<AnyBlock, { type: 'marketing' }>, label: string): AnyBlock => ({
  type: 'stack',
  ...(block.id && { id: block.id }),
  blockStyle: {
    ...block.blockStyle,
    backgroundColor: quietBackground,
    paddingTop: 16,
    paddingRight: 24,
    paddingBottom: 16,
    paddingLeft: 24,
  },
  children: [quietLine(label)],
})
