import { type Content, fillIds, validateContent } from '@signoff/render'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { content } from '../../render/test/support/trees.ts'
import { type AnyBlock, idOf } from '../src/pages/editor/model/block.ts'
import { newId } from '../src/pages/editor/model/ids.ts'
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
import { EditorStore } from '../src/pages/editor/model/store.ts'
import { blocksIn } from '../src/pages/editor/model/tree.ts'

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
    case 'undo':
      store.undo()
      return
    case 'redo':
      store.redo()
  }
}

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
})
