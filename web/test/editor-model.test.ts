import { type Content, fillIds, validateContent } from '@signoff/render'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { content } from '../../render/test/support/trees.ts'
import { runCommand } from '../src/editor/model/commands.ts'
import { packHistory, unpackHistory } from '../src/editor/model/history.ts'
import { duplicateBlocks } from '../src/editor/model/operations.ts'
import { EditorStore } from '../src/editor/model/store.ts'
import { idOf } from '../src/records/content/block.ts'
import { newId } from '../src/records/content/ids.ts'
import { operation, runOperation } from './support/operations.ts'

const withIds = (tree: Content): Content => fillIds(tree, newId)

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
          runOperation(store, each)
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

  it('undoes 210 steps after they were stored and read', () => {
    fc.assert(
      fc.property(content, fc.array(operation, { minLength: 40, maxLength: 40 }), (generated, operations) => {
        const store = new EditorStore('signature', withIds(generated))
        const trees = [JSON.stringify(store.getState().tree)]
        const note = (change: () => void) => {
          const { tree } = store.getState()
          change()
          store.endStep()
          if (store.getState().tree !== tree) trees.push(JSON.stringify(store.getState().tree))
        }
        for (const each of operations) if (each.name !== 'undo') note(() => runOperation(store, each))
        for (let step = 0; trees.length <= 210; step += 1)
          note(() => store.change(root => ({ ...root, displayName: `Step ${step}` })))
        const stored = JSON.parse(JSON.stringify(packHistory(store.history)))
        const read = new EditorStore('signature', unpackHistory(stored))
        for (const tree of trees.slice(0, -1).reverse()) {
          read.undo()
          expect(JSON.stringify(read.getState().tree) === tree).toBe(true)
        }
        expect(read.getState().canUndo).toBe(false)
      }),
      { numRuns: 5 },
    )
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
    expect(runCommand(store, 'group', 'Group').isChanged).toBe(true)
    const [group] = store.getState().tree.children ?? []
    expect(group).toMatchObject({ displayName: 'Group', direction: 'row', blockStyle: { gap: 8 } })
    expect(store.getState().selection).toEqual([group?.id])
    expect(runCommand(store, 'unwrap', 'Group').isChanged).toBe(true)
    expect(store.getState().tree.children?.map(idOf)).toEqual(['a', 'c', 'b'])
    store.undo()
    store.undo()
    expect(JSON.stringify(store.getState().tree)).toBe(before)
  })
})
