import { type Content, fillIds, validateContent } from '@signoff/render'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { content } from '../../render/test/support/trees.ts'
import { EditorStore } from '../src/editor/model/store.ts'
import { Autosave } from '../src/editor/saving/autosave.ts'
import { type MergeSide, mergeContents } from '../src/editor/saving/merge.ts'
import { mergeAfterLeaving, rebasedHistory } from '../src/editor/saving/rebased-history.ts'
import { canonical, indexBlocks } from '../src/records/content/block-index.ts'
import { newId } from '../src/records/content/ids.ts'
import { type Operation, operation, runOperation } from './support/operations.ts'
import { rootOf as root, namedText as text } from './support/small-trees.ts'

const kind = 'signature' as const

/** A store in which the trees were made one after the other. */
function storeOf(first: Content, ...later: readonly Content[]): EditorStore {
  const store = new EditorStore(kind, first)
  for (const tree of later) store.change(() => tree)
  return store
}

function rebase(store: EditorStore, base: Content, theirs: Content, choices = new Map<string, MergeSide>()) {
  store.rebase(rebasedHistory(store.history, { base, theirs, kind, choices }))
}

function undoneTrees(store: EditorStore): Content[] {
  const trees: Content[] = []
  while (store.getState().canUndo) {
    const { tree } = store.getState()
    store.undo()
    // A step that would break a rule ends the undo.
    if (store.getState().tree !== tree) trees.push(store.getState().tree)
  }
  return trees
}

/** Blocks that the other person has added or changed, as that person has left them. */
function theirWork(base: Content, theirs: Content): readonly (readonly [string, string])[] {
  const [before, after] = [indexBlocks(base), indexBlocks(theirs)]
  return [...(after ?? [])]
    .filter(([key, { own }]) => before?.get(key)?.own !== own)
    .map(([key, { own }]) => [key, own] as const)
}

const run = (store: EditorStore, operations: readonly Operation[]) => {
  for (const each of operations) runOperation(store, each)
}

const some = fc.array(operation, { maxLength: 6 })

describe('undo after the changes of another person were merged', () => {
  it('takes back only the own steps, also those from before the last save', () => {
    const first = root(text('a', 'Alpha'), text('b', 'Beta'))
    const saved = root(text('a', 'Alpha typed'), text('b', 'Beta'))
    const store = storeOf(first, saved, root(text('a', 'Alpha typed more'), text('b', 'Beta')))
    const [b, n] = [text('b', 'Beta of a colleague'), text('n', 'new')]
    rebase(store, saved, root(text('a', 'Alpha typed'), b, n))
    expect(store.getState().tree).toEqual(root(text('a', 'Alpha typed more'), b, n))
    expect(undoneTrees(store)).toEqual([root(text('a', 'Alpha typed'), b, n), root(text('a', 'Alpha'), b, n)])
    while (store.getState().canRedo) store.redo()
    expect(store.getState().tree).toEqual(root(text('a', 'Alpha typed more'), b, n))
  })

  it('ends at a step that changes what the other person has changed', () => {
    const first = root(text('a', 'Alpha'), text('b', 'Beta'))
    const saved = root(text('a', 'Alpha typed'), text('b', 'Beta'))
    const store = storeOf(first, saved, root(text('a', 'Alpha typed'), text('b', 'Beta typed')))
    const theirs = root(text('a', 'Alpha of a colleague'), text('b', 'Beta'))
    rebase(store, saved, theirs)
    expect(undoneTrees(store)).toEqual([theirs])
  })

  it('takes back an answer as one step, which keeps the other changes of the other person', () => {
    const base = root(text('a', 'Alpha'), text('b', 'Beta'))
    const theirs = root(text('a', 'Alpha of them'), text('b', 'Beta of them'))
    const store = storeOf(base, root(text('a', 'Alpha of me'), text('b', 'Beta')))
    rebase(store, base, theirs, new Map([['a', 'theirs']]))
    expect(store.getState().tree).toEqual(theirs)
    store.undo()
    expect(store.getState().tree).toEqual(root(text('a', 'Alpha of me'), text('b', 'Beta of them')))
  })

  it('never removes what the other person has added or changed', () => {
    let steps = 0
    fc.assert(
      fc.property(content, some, some, some, (generated, before, after, others) => {
        const store = new EditorStore(kind, fillIds(generated, newId))
        run(store, before)
        const base = store.getState().tree
        run(store, after)
        const colleague = new EditorStore(kind, base)
        run(colleague, others)
        const theirs: Content = JSON.parse(canonical(colleague.getState().tree))
        const mine = store.getState().tree
        if (mergeContents({ base, mine, theirs, kind }).conflicts.length > 0) return
        rebase(store, base, theirs)
        const present = store.getState().tree
        const work = theirWork(base, theirs)
        const trees = undoneTrees(store)
        for (const tree of trees) {
          const index = indexBlocks(tree)
          expect(validateContent(tree, { field: 'content' }).problems).toEqual([])
          for (const [key, own] of work) expect(index?.get(key)?.own).toBe(own)
        }
        for (const _ of trees) store.redo()
        expect(store.getState().tree).toBe(present)
        if (work.length > 0) steps += trees.length
      }),
      { numRuns: 25 },
    )
    // Without steps this test proves nothing.
    expect(steps).toBeGreaterThan(5)
  })
})

describe('an editor that was left before its save was refused', () => {
  const first = root(text('a', 'Alpha'), text('b', 'Beta'))

  /** A colleague saves `theirs` before the editor saves `mine`, and the editor is left. */
  async function left(mine: Content, theirs: readonly Content[], isLeft = () => true) {
    const service = { tree: first, version: 1 }
    const colleague = [...theirs]
    const colleagueSaves = () => {
      const next = colleague.shift()
      if (next) Object.assign(service, { tree: next, version: service.version + 1 })
    }
    const store = storeOf(first, mine)
    const save = async (tree: Content, version: string | undefined) => {
      colleagueSaves()
      if (version !== String(service.version)) throw new Error('stale')
      Object.assign(service, { tree, version: service.version + 1 })
      return String(service.version)
    }
    const base = { saved: first, version: '1' }
    const autosave = new Autosave({ save, eventOfFailure: () => 'stale' }, () => store.getState().tree, base)
    await autosave.flush()
    const read = async () => ({ data: service.tree, etag: String(service.version) })
    const isSaved = await mergeAfterLeaving({ store, autosave }, read, isLeft)
    autosave.stop()
    return { isSaved, saved: service.tree, kept: store.getState().tree }
  }

  const mine = root(text('a', 'Alpha of me'), text('b', 'Beta'))
  const theirs = root(text('a', 'Alpha'), text('b', 'Beta of them'))
  const both = root(text('a', 'Alpha of me'), text('b', 'Beta of them'))

  it('is saved beside the changes of a colleague, also when the colleague saves again meanwhile', async () => {
    expect(await left(mine, [theirs])).toEqual({ isSaved: true, saved: both, kept: both })
    const later = root(text('a', 'Alpha'), text('b', 'Beta of them, later'))
    const { isSaved, saved } = await left(mine, [theirs, later])
    expect([isSaved, saved]).toEqual([true, root(text('a', 'Alpha of me'), text('b', 'Beta of them, later'))])
  })

  it('waits for a person when both have changed the same block, and when it was opened again', async () => {
    const same = root(text('a', 'Alpha of them'), text('b', 'Beta'))
    expect(await left(mine, [same])).toEqual({ isSaved: false, saved: same, kept: mine })
    expect(await left(mine, [theirs], () => false)).toEqual({ isSaved: false, saved: theirs, kept: mine })
  })
})
