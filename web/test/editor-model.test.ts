import { type Content, fillIds, validateContent } from '@signoff/render'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { content } from '../../render/test/support/trees.ts'
import { placeBeside } from '../src/pages/editor/actions/place-beside.ts'
import { resize } from '../src/pages/editor/canvas/size-handles.ts'
import { type AnyBlock, idOf } from '../src/pages/editor/model/block.ts'
import { blockCommandNames, runCommand } from '../src/pages/editor/model/commands.ts'
import { newId } from '../src/pages/editor/model/ids.ts'
import { insertableBlocks } from '../src/pages/editor/model/insertable.ts'
import { newBlock } from '../src/pages/editor/model/new-blocks.ts'
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
} from '../src/pages/editor/model/operations.ts'
import { packHistory, unpackHistory } from '../src/pages/editor/model/packed-history.ts'
import { placeFor } from '../src/pages/editor/model/place.ts'
import { siblingsOf } from '../src/pages/editor/model/selecting.ts'
import { EditorStore } from '../src/pages/editor/model/store.ts'
import { blockOf, blocksIn } from '../src/pages/editor/model/tree.ts'

const withIds = (tree: Content): Content => fillIds(tree, newId)

/** An operation with numbers that choose its blocks. */
const operation = fc.record({
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
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never

const pick = <T>(items: readonly T[], n: number): T => items[n % items.length] as T

function run(store: EditorStore, { name, first, second, third }: Operation): void {
  const { tree } = store.getState()
  const blocks = [...blocksIn(tree)]
  const block = pick(blocks, first)
  const id = idOf(block)
  const other = idOf(pick(blocks, second))
  const text: AnyBlock = { type: 'text', id: newId(), tokens: [{ id: newId(), value: `text ${third}` }] }
  switch (name) {
    case 'insert': {
      const place = placeFor(tree, id, [text], store.kind)
      if (place) store.change(root => insertBlocks(root, place, [text]), { select: [idOf(text)] })
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
      const place = placeBeside(tree, id, third % 2 === 0 ? 'above' : 'below')
      const names = insertableBlocks(blockOf(tree, place.parentId)?.type ?? 'stack', store.kind)
      const made = names.length > 0 && newBlock(pick(names, third), newBlockData)
      if (made) store.change(root => insertBlocks(root, place, [made]), { select: [idOf(made)] })
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

const newBlockData = { brand: undefined, fields: [], words: { text: 'Text', button: 'Button' } }

const isValid = (tree: Content): boolean => validateContent(tree, { field: 'content' }).problems.length === 0

describe('the model of the editor', () => {
  it('gives back a tree as it was loaded', () => {
    fc.assert(
      fc.property(content, generated => {
        const stored = withIds(generated)
        const bytes = JSON.stringify(stored)
        expect(JSON.stringify(withIds(JSON.parse(bytes)))).toBe(bytes)
        expect(JSON.stringify(new EditorStore('signature', JSON.parse(bytes)).getState().tree)).toBe(bytes)
      }),
    )
  })

  it('keeps the tree valid through any 50 operations, and undoes and redoes all of them', () => {
    let changes = 0
    fc.assert(
      fc.property(content, fc.array(operation, { minLength: 50, maxLength: 50 }), (generated, operations) => {
        const store = new EditorStore('signature', withIds(generated))
        const first = JSON.stringify(store.getState().tree)
        for (const each of operations) {
          const before = store.getState().tree
          run(store, each)
          if (store.getState().tree !== before) changes += 1
          expect(isValid(store.getState().tree)).toBe(true)
        }
        const last = JSON.stringify(store.getState().tree)
        while (store.getState().canUndo) store.undo()
        expect(JSON.stringify(store.getState().tree) === first).toBe(true)
        while (store.getState().canRedo) store.redo()
        const end = JSON.stringify(store.getState().tree)
        if (!operations.some(({ name }) => name === 'undo')) expect(end === last).toBe(true)
        const stored = JSON.stringify(unpackHistory(JSON.parse(JSON.stringify(packHistory(store.history)))))
        expect(stored === JSON.stringify({ ...store.history, mergeKey: undefined })).toBe(true)
      }),
      { numRuns: 30 },
    )
    // The operations must not all be refused, else this test proves nothing.
    expect(changes).toBeGreaterThan(30 * 50 * 0.3)
  })

  it('gives copies ids of their own', () => {
    fc.assert(
      fc.property(content, generated => {
        const tree = withIds(generated)
        const ids = tree.children?.map(idOf) ?? []
        const { root, copies } = duplicateBlocks(tree, ids)
        expect(copies).toHaveLength(ids.length)
        expect(validateContent(root, { field: 'content' }).problems.map(({ code }) => code)).not.toContain(
          'duplicate',
        )
      }),
      { numRuns: 50 },
    )
  })

  it('groups siblings so that they look as before, and ungroups them', () => {
    const text = (value: string) => ({
      type: 'text' as const,
      id: value,
      tokens: [{ id: `${value} words`, value }],
    })
    const stack = { type: 'stack' as const, id: 'root', direction: 'row' as const, blockStyle: { gap: 8 } }
    const store = new EditorStore('signature', { ...stack, children: [text('a'), text('b'), text('c')] })
    const before = JSON.stringify(store.getState().tree)
    store.select(['a', 'c'])
    expect(runCommand(store, 'group', 'Group')).toBe(true)
    const [group] = store.getState().tree.children ?? []
    expect(group).toMatchObject({ displayName: 'Group', direction: 'row', blockStyle: { gap: 8 } })
    expect(store.getState().selection).toEqual([group?.id])
    expect(runCommand(store, 'unwrap', 'Group')).toBe(true)
    expect(store.getState().tree.children?.map(idOf)).toEqual(['a', 'c', 'b'])
    store.undo()
    store.undo()
    expect(JSON.stringify(store.getState().tree)).toBe(before)
  })
})
