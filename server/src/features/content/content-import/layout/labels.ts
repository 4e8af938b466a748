// Tables and lists whose lines have a label: `T  +44 20 …`.
import { type Draft, estimateSize } from './draft.ts'
import { columnsOf, type GridCell, type Region } from './grid.ts'

const maxLabelLength = 24
/** The renderer puts this space between a label and its text. */
const labelGap = 8

const wordsIn = ({ tokens = [] }: Draft): string => tokens.map(token => token.value ?? '').join('')

const isText = (draft: Draft): boolean => draft.type === 'text'
const isPlainCell = (cell: GridCell): boolean =>
  cell.box.background === undefined && cell.border.every(line => line === null)

/** A list of labels and texts; undefined when the rows are something else. */
export function labelledList(bands: readonly Region[]): Draft | undefined {
  const items: Draft[] = []
  let gap = 0
  let labelWidth = 0
  let textWidth = 0
  let marginLeft = 0
  for (const band of bands) {
    const [first, second, ...others] = columnsOf(band).map(column => column.cells[0])
    if (!first || !second || others.length > 0 || !isPlainCell(first) || !isPlainCell(second))
      return undefined
    const [label] = first.drafts
    if (!label || first.drafts.length > 1 || !isText(label)) return undefined
    if (label.align !== undefined || wordsIn(label).length > maxLabelLength) return undefined
    if (second.drafts.length === 0 || !second.drafts.every(isText)) return undefined
    const line = Math.max(first.height, 0) - 18
    gap = Math.max(gap, second.padding[0] + second.padding[2], Math.min(20, line))
    labelWidth = Math.max(labelWidth, (first.width ?? 0) + first.padding[1] + second.padding[3])
    textWidth = Math.max(textWidth, estimateSize(label).width)
    marginLeft = first.padding[3]
    items.push(listItem(label.tokens ?? [], second.drafts))
  }
  if (items.length < 2) return undefined
  const width = Math.round(labelWidth)
  if (width > textWidth + labelGap)
    for (const item of items)
      for (const label of item.children?.slice(0, 1) ?? []) label.blockStyle = { width }
  return { type: 'list', children: items, blockStyle: { gap, ...(marginLeft > 0 && { marginLeft }) } }
}

export const listItem = (label: NonNullable<Draft['tokens']>, texts: readonly Draft[]): Draft => ({
  type: 'listItem',
  children: [{ type: 'listItemLabel', tokens: label }, ...texts],
})
