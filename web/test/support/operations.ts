// Random changes of a tree, as a person could make them in the editor.
import fc from 'fast-check'
import { insertableBlocks } from '../../src/editor/blocks/blocks.ts'
import { resize } from '../../src/editor/canvas/size-handles.ts'
import { blockCommandNames, runCommand } from '../../src/editor/model/commands.ts'
import {
  duplicateBlocks,
  insertBlocks,
  moveBlocks,
  moveByStep,
  removeBlocks,
  setProperties,
  setStyle,
  unwrapBlock,
  wrapBlocks,
} from '../../src/editor/model/operations.ts'
import { positionBeside, positionFor } from '../../src/editor/model/position.ts'
import { siblingsOf } from '../../src/editor/model/selecting.ts'
import type { EditorStore } from '../../src/editor/model/store.ts'
import { blockOf, blocksIn } from '../../src/editor/model/tree.ts'
import { type AnyBlock, idOf } from '../../src/records/content/block.ts'
import { newId } from '../../src/records/content/ids.ts'

/** An operation with numbers that choose its blocks. */
export const operation = fc.record({
  name: fc.constantFrom(
    'insert',
    'remove',
    'move',
    'step',
    'duplicate',
    'wrap',
    'unwrap',
    'property',
    'style',
    'command',
    'insertBeside',
    'resize',
    'undo',
    'redo',
  ),
  first: fc.nat(),
  second: fc.nat(),
  third: fc.nat(),
})
export type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never

const pick = <T>(items: readonly T[], n: number): T => items[n % items.length] as T

export function runOperation(store: EditorStore, { name, first, second, third }: Operation): void {
  const { tree } = store.getState()
  const blocks = [...blocksIn(tree)]
  const block = pick(blocks, first)
  const id = idOf(block)
  const other = idOf(pick(blocks, second))
  const text: AnyBlock = { type: 'text', id: newId(), tokens: [{ id: newId(), value: `text ${third}` }] }
  switch (name) {
    case 'insert': {
      const position = positionFor(tree, id, [text], store.kind)
      if (position) store.change(root => insertBlocks(root, position, [text]), { select: [idOf(text)] })
      return
    }
    case 'remove':
      store.change(root => removeBlocks(root, third % 3 === 0 ? [id, other] : [id]))
      return
    case 'move':
      store.change(root => moveBlocks(root, [id], { parentId: other, index: third % 4 }))
      return
    case 'step':
      store.change(root => moveByStep(root, [id], pick(['earlier', 'later', 'in', 'out'] as const, third)))
      return
    case 'duplicate':
      store.change(root => duplicateBlocks(root, [id, other]).root)
      return
    case 'wrap':
      store.change(root => wrapBlocks(root, [id, other], pick(['row', 'column'] as const, third)).root)
      return
    case 'unwrap':
      store.change(root => unwrapBlock(root, id))
      return
    case 'property':
      store.change(root => setProperties(root, id, { visible: third % 2 === 0 ? false : undefined }), {
        mergeKey: `visible ${id}`,
      })
      return
    case 'style':
      store.change(root => setStyle(root, id, { paddingTop: third % 3 === 0 ? undefined : third % 40 }))
      return
    case 'command':
      store.select(third % 3 === 0 ? siblingsOf(tree, id) : [id, other])
      runCommand(store, pick(blockCommandNames, third), 'Group')
      return
    case 'insertBeside': {
      const position = positionBeside(tree, id, third % 2 === 0 ? 'above' : 'below')
      const offers = insertableBlocks(blockOf(tree, position.parentId)?.type ?? 'stack', store.kind)
      const made = offers.length > 0 && pick(offers, third).make(newBlockData)
      if (made) store.change(root => insertBlocks(root, position, [made]), { select: [idOf(made)] })
      return
    }
    case 'resize':
      resize(store, block, pick(['paddingLeft', 'gap', 'width', 'size'] as const, second), third % 300)
      return
    case 'undo':
      store.undo()
      return
    case 'redo':
      store.redo()
  }
}

const newBlockData = { brand: undefined, fields: [], messages: { text: 'Text', button: 'Button' } }
