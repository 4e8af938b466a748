// Tables and lists whose lines have a label: `T  +44 20 …`.
import type { Draft } from './draft.ts'
import { columnsOf, type GridCell, type Region } from './grid.ts'

const maxLabelLength = 24

const wordsIn = ({ tokens = [] }: Draft): string => tokens.map(token => token.value ?? '').join('')

const isText = (draft: Draft): boolean => draft.type === 'text'
const isPlainCell = (cell: GridCell): boolean =>
  cell.box.background === undefined && cell.border.every(line => line === null)

/** A list of labels and texts; undefined when the rows are something else. */
export function labelledList(bands: readonly Region[]): Draft | undefined {
  const items: Draft[] = []
  let gap = 0
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
    items.push(listItem(label.tokens ?? [], second.drafts))
  }
  return items.length < 2 ? undefined : { type: 'list', children: items, blockStyle: { gap } }
}

export const listItem = (label: NonNullable<Draft['tokens']>, texts: readonly Draft[]): Draft => ({
  type: 'listItem',
  children: [{ type: 'listItemLabel', tokens: label }, ...texts],
})
