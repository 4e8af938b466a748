// The handles of the selected block: its space inside, the gap between its children, the width of a picture.
import { type AnyBlock, childrenOf, idOf } from '#records/content/block.ts'
import { descriptorOf, standardNumber } from '../blocks/blocks.ts'
import { type Properties, setProperties, setStyle } from '../model/operations.ts'
import type { EditorStore } from '../model/store.ts'
import type { Box, Boxes } from './boxes.ts'
import { isRow } from './drop-position.ts'

export type HandleName =
  | 'paddingTop'
  | 'paddingRight'
  | 'paddingBottom'
  | 'paddingLeft'
  | 'gap'
  | 'width'
  | 'size'

export interface SizeHandle {
  readonly name: HandleName
  /** The way of the pointer that changes the number. */
  readonly axis: 'x' | 'y'
  readonly value: number
  readonly least: number
  readonly most: number
  /** The middle of the handle. */
  readonly x: number
  readonly y: number
  /** The space that the number stands for. */
  readonly band: Box | undefined
}

const most = 2_000
/** Without space, the handle stands beside the content instead of on it, and as little as possible on the next line. */
const half = 4

function paddingHandles(block: AnyBlock, boxes: Boxes): readonly SizeHandle[] {
  const inside = boxes.insideOf(idOf(block))
  if (!inside) return []
  const isMirrored = boxes.isMirrored(idOf(block))
  const [leftName, rightName] = isMirrored
    ? (['paddingRight', 'paddingLeft'] as const)
    : (['paddingLeft', 'paddingRight'] as const)
  const value = (name: HandleName): number =>
    (block.blockStyle as Readonly<Record<string, number>>)?.[name] ?? 0
  const [x, y] = [(inside.left + inside.right) / 2, (inside.top + inside.bottom) / 2]
  const [top, right] = [value('paddingTop'), value(rightName)]
  const [bottom, left] = [value('paddingBottom'), value(leftName)]
  const outer = {
    left: inside.left - left,
    top: inside.top - top,
    right: inside.right + right,
    bottom: inside.bottom + bottom,
  }
  const range = { least: 0, most }
  const vertical = { axis: 'y' as const, x, ...range }
  const sideways = { axis: 'x' as const, y, ...range }
  return [
    {
      ...vertical,
      name: 'paddingTop',
      value: top,
      y: inside.top - Math.max(top / 2, half),
      band: { ...outer, bottom: inside.top },
    },
    {
      ...sideways,
      name: rightName,
      value: right,
      x: inside.right + Math.max(right / 2, half),
      band: { ...outer, left: inside.right, top: inside.top, bottom: inside.bottom },
    },
    {
      ...vertical,
      name: 'paddingBottom',
      value: bottom,
      y: inside.bottom + Math.max(bottom / 2, half),
      band: { ...outer, top: inside.bottom },
    },
    {
      ...sideways,
      name: leftName,
      value: left,
      x: inside.left - Math.max(left / 2, half),
      band: { ...outer, right: inside.left, top: inside.top, bottom: inside.bottom },
    },
  ]
}

/** One handle, in the gap between the first two children that are drawn. */
function gapHandle(block: AnyBlock, boxes: Boxes): readonly SizeHandle[] {
  const standard = standardNumber(block, 'gap')
  const [first, second] = childrenOf(block).flatMap(child => boxes.get(idOf(child)) ?? [])
  if (standard === undefined || !first || !second) return []
  const value = block.blockStyle?.gap ?? standard
  const common = { name: 'gap' as const, value, least: 0, most }
  if (isRow(block)) {
    // A row that has wrapped: there is no gap beside its blocks.
    if (first.bottom <= second.top || second.bottom <= first.top) return []
    const [start, end] = first.left < second.left ? [first.right, second.left] : [second.right, first.left]
    const [top, bottom] = [Math.min(first.top, second.top), Math.max(first.bottom, second.bottom)]
    const band = { left: start, right: end, top, bottom }
    return [{ ...common, axis: 'x', x: (start + end) / 2, y: (top + bottom) / 2, band }]
  }
  const [left, right] = [Math.min(first.left, second.left), Math.max(first.right, second.right)]
  const band = { left, right, top: second.top, bottom: second.top + value }
  return [{ ...common, axis: 'y', x: (left + right) / 2, y: second.top + value / 2, band }]
}

function cornerHandle(block: AnyBlock, boxes: Boxes): readonly SizeHandle[] {
  const inside = boxes.pictureOf(idOf(block))
  const { corner } = descriptorOf(block)
  if (!inside || !corner) return []
  const { name, least } = corner
  const own = (block as unknown as Readonly<Record<string, number | undefined>>)[name]
  const value = own ?? standardNumber(block, name) ?? Math.round(inside.right - inside.left)
  return [{ name, least, most, value, axis: 'x', x: inside.right, y: inside.bottom, band: undefined }]
}

export const handlesOf = (block: AnyBlock, boxes: Boxes): readonly SizeHandle[] => [
  ...(descriptorOf(block).isPart ? [] : paddingHandles(block, boxes)),
  ...gapHandle(block, boxes),
  ...cornerHandle(block, boxes),
]

/** Undefined takes the standard value. A picture with both sizes keeps its proportions. */
export function resize(
  store: EditorStore,
  block: AnyBlock,
  name: HandleName,
  value: number | undefined,
): void {
  const id = idOf(block)
  const mergeKey = `${name} ${id}`
  if (name !== 'width' && name !== 'size') {
    const isDefault = value === 0 && name !== 'gap'
    store.change(root => setStyle(root, id, { [name]: isDefault ? undefined : value }), { mergeKey })
    return
  }
  const properties: Properties = { [name]: value }
  const height =
    block.type === 'image' && block.width && block.height && value !== undefined
      ? { height: Math.round((block.height * value) / block.width) }
      : {}
  store.change(root => setProperties(root, id, { ...properties, ...height }), { mergeKey })
}
