// Rows and columns.
import { childrenOf, withChildren } from '#records/content/block.ts'
import { newId } from '#records/content/ids.ts'
import { columnGap, rowGap } from '../model/position.ts'
import type { BlockDescriptor, BlockOf } from './descriptor.ts'
import { isHollow, quietLine } from './placeholder.ts'

const row = { en: 'Row', de: 'Zeile' }
const column = { en: 'Column', de: 'Spalte' }

export const stack: BlockDescriptor<BlockOf<'stack'>> = {
  label: ({ direction }) => (direction === 'row' ? row : column),
  icon: ({ direction }) => (direction === 'row' ? 'columns-2' : 'rows-2'),
  offers: [
    {
      label: row,
      icon: 'columns-2',
      make: () => ({
        type: 'stack',
        id: newId(),
        direction: 'row',
        blockStyle: { gap: rowGap },
        children: [],
      }),
    },
    {
      label: column,
      icon: 'rows-2',
      make: () => ({
        type: 'stack',
        id: newId(),
        direction: 'column',
        blockStyle: { gap: columnGap },
        children: [],
      }),
    },
  ],
  placeholder: (block, { dropHere }) =>
    isHollow(block) ? withChildren(block, [...childrenOf(block), quietLine(dropHere)]) : block,
  standards: () => ({ gap: 0 }),
  /** Only a row has blocks beside each other, which can be level or go below each other. */
  hides: ({ direction }, property) =>
    direction !== 'row' && (property === 'verticalAlign' || property === 'wrap'),
}
