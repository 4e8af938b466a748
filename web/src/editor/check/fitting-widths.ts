// Makes blocks narrow enough: for phones, and for the reading panes of mail programs.
import type { Content } from '@signoff/render'
import { type AnyBlock, childrenOf, idOf } from '#records/content/block.ts'
import { setProperties, setStyle } from '../model/operations.ts'
import { blockOf } from '../model/tree.ts'

/** What a phone of 375 px leaves for a signature: the bound of the check. */
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
