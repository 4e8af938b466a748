import { type Content, contentSchema, fillIds, validateContent } from '@signoff/render'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { content } from '../../render/test/support/trees.ts'
import { EditorStore } from '../src/editor/model/store.ts'
import { blocksIn } from '../src/editor/model/tree.ts'
import { differingProperties, propertyText } from '../src/editor/saving/differences.ts'
import { type Merge, type MergeSide, mergeContents, wholeKey } from '../src/editor/saving/merge.ts'
import texts from '../src/editor/texts.en.json' with { type: 'json' }
import { idOf } from '../src/records/content/block.ts'
import { canonical } from '../src/records/content/block-index.ts'
import { newId } from '../src/records/content/ids.ts'
import { changesBetween } from '../src/records/versions/content-changes.ts'
import { type Operation, operation, runOperation } from './support/operations.ts'
import { rootOf as root, namedText as text } from './support/small-trees.ts'

function changed(base: Content, operations: readonly Operation[]): Content {
  const store = new EditorStore('signature', base)
  for (const each of operations) runOperation(store, each)
  return store.getState().tree
}

/** As the service answers it: other objects, and other orders of keys. */
const received = (tree: Content): Content => JSON.parse(canonical(tree))

/** Every conflict is decided for one side, also those that only a decision brings. */
function decided(merge: (choices: Map<string, MergeSide>) => Merge, side: MergeSide): Merge {
  const choices = new Map<string, MergeSide>()
  for (;;) {
    const merged = merge(choices)
    const open = merged.conflicts.filter(({ key }) => !choices.has(key))
    if (open.length === 0) return merged
    for (const { key } of open) choices.set(key, side)
  }
}

const trees = fc
  .tuple(content, fc.array(operation, { maxLength: 8 }), fc.array(operation, { maxLength: 8 }))
  .map(([generated, mine, theirs]) => {
    const base = fillIds(generated, newId)
    return { base, mine: changed(base, mine), theirs: received(changed(base, theirs)) }
  })

/** The ids of the blocks that the trees have and the first one has not. */
const addedIn = (before: Content, ...after: readonly Content[]): readonly string[] => {
  const idsBefore = new Set([...blocksIn(before)].map(idOf))
  const ids = after.flatMap(tree => [...blocksIn(tree)].map(idOf))
  return [...new Set(ids)].filter(id => !idsBefore.has(id)).sort()
}

const base = root(text('a', 'Ada'), text('b', 'Engineer'), text('c', 'London'))
const merge = (mine: Content, theirs: Content, choices = new Map<string, MergeSide>()) =>
  mergeContents({ base, mine, theirs, kind: 'signature' }, choices)

describe('merging the changes of two people', () => {
  it('gives the other side where one has changed nothing', () => {
    fc.assert(
      fc.property(trees, ({ base: first, mine, theirs }) => {
        const onlyTheirs = mergeContents({ base: first, mine: first, theirs, kind: 'signature' })
        expect([onlyTheirs.conflicts, canonical(onlyTheirs.tree)]).toEqual([[], canonical(theirs)])
        const onlyMine = mergeContents({ base: first, mine, theirs: received(first), kind: 'signature' })
        expect(onlyMine.conflicts).toEqual([])
        expect(JSON.stringify(onlyMine.tree) === JSON.stringify(mine)).toBe(true)
      }),
    )
  })

  it('is always valid, whichever side is taken for the blocks in question', () => {
    let questions = 0
    let merged = 0
    fc.assert(
      fc.property(trees, ({ base: first, mine, theirs }) => {
        for (const side of ['mine', 'theirs'] as const) {
          const { tree, conflicts } = decided(
            choices => mergeContents({ base: first, mine, theirs, kind: 'signature' }, choices),
            side,
          )
          expect(validateContent(tree, { field: 'content' }).problems).toEqual([])
          if (conflicts.length > 0) questions += 1
          else merged += 1
          if (conflicts.length === 0) expect(addedIn(first, tree)).toEqual(addedIn(first, mine, theirs))
        }
      }),
      { numRuns: 100 },
    )
    // Both kinds must occur, else this test proves nothing.
    expect(Math.min(questions, merged)).toBeGreaterThan(10)
  })

  it('gives exactly the tree of one side when that is taken as a whole', () => {
    fc.assert(
      fc.property(trees, ({ base: first, mine, theirs }) => {
        for (const side of ['mine', 'theirs'] as const) {
          const whole = new Map([[wholeKey, side]])
          const { tree } = mergeContents({ base: first, mine, theirs, kind: 'signature' }, whole)
          const isTaken = JSON.stringify(tree) === JSON.stringify(side === 'mine' ? mine : theirs)
          expect(isTaken || canonical(mine) === canonical(theirs)).toBe(true)
        }
      }),
      { numRuns: 30 },
    )
  })

  it('keeps changes to different blocks, new blocks of both, and removed ones', () => {
    const { tree, conflicts, theirChanges } = merge(
      root(text('a', 'Ada L.'), text('b', 'Engineer'), text('m', 'of me')),
      root(text('a', 'Ada'), text('t', 'of them'), text('b', 'Architect'), text('c', 'London')),
    )
    expect([conflicts, theirChanges]).toEqual([[], 2])
    expect(tree).toEqual(
      root(text('a', 'Ada L.'), text('t', 'of them'), text('b', 'Architect'), text('m', 'of me')),
    )
  })

  it('asks for a block that both have changed, and for one that was changed and removed', () => {
    const mine = root(text('a', 'Ada of me'), text('b', 'Engineer of me'))
    const theirs = root(text('a', 'Ada of them'), text('c', 'London of them'))
    const { tree, conflicts } = merge(mine, theirs)
    expect(conflicts.map(({ key, kind }) => [key, kind]).sort()).toEqual([
      ['a', 'changed'],
      ['b', 'removed'],
      ['c', 'removed'],
    ])
    expect(tree).toEqual(mine)
    const all = (side: MergeSide) => new Map(['a', 'b', 'c'].map(key => [key, side] as const))
    expect(JSON.stringify(merge(mine, theirs, all('mine')).tree)).toBe(JSON.stringify(mine))
    expect(JSON.stringify(merge(mine, theirs, all('theirs')).tree)).toBe(JSON.stringify(theirs))
    expect(merge(mine, theirs, new Map([['c', 'theirs' as const]])).tree).toEqual(
      root(text('a', 'Ada of me'), text('c', 'London of them'), text('b', 'Engineer of me')),
    )
  })

  it('asks for the order of blocks only when both have changed it', () => {
    const [a, b, c] = base.children as readonly ReturnType<typeof text>[]
    if (!a || !b || !c) throw new Error('not there')
    expect(merge(root(b, a, c), root(a, b, text('c', 'Paris'))).tree).toEqual(root(b, a, text('c', 'Paris')))
    const both = merge(root(b, a, c), root(a, c, b))
    expect(both.conflicts.map(({ kind }) => kind)).toEqual(['order'])
    expect(merge(root(b, a, c), root(a, c, b), new Map([['', 'theirs']])).tree).toEqual(root(a, c, b))
  })

  it('is no question when both have made the same change', () => {
    const same = root(text('a', 'Ada L.'), text('b', 'Engineer'))
    expect(merge(same, received(same)).conflicts).toEqual([])
  })
})

describe('the differences of a block', () => {
  it('are named one by one, also those of its style', () => {
    const block = (more: object) => ({ type: 'text' as const, id: 'a', tokens: [{ value: 'x' }], ...more })
    expect(
      differingProperties(
        block({ align: 'left', blockStyle: { paddingTop: 4, gap: 8 } }),
        block({ align: 'right', blockStyle: { gap: 8, marginLeft: 2 } }),
      ),
    ).toEqual(['align', 'paddingTop', 'marginLeft'])
    expect(differingProperties(block({ tokens: [] }), block({}))).toEqual(['tokens'])
  })

  it('all have the names of the inspector', () => {
    interface Schema {
      readonly properties?: Readonly<Record<string, Schema>>
    }
    const schemas = Object.values(contentSchema.$defs) as unknown as readonly Schema[]
    const names = schemas.flatMap(({ properties: { blockStyle, ...own } = {} }) => [
      ...Object.keys(own),
      ...Object.keys(blockStyle?.properties ?? {}),
    ])
    const words = texts as unknown as Readonly<Record<string, Readonly<Record<string, string>>>>
    const isNamed = (property: string): boolean => {
      const [part = '', name = ''] = propertyText(property).split('.')
      return words[part]?.[name] !== undefined
    }
    const unnamed = new Set(names.filter(name => !isNamed(name)))
    expect([...unnamed].sort()).toEqual(['children', 'id', 'type'])
  })
})

describe('the list of differences between two contents', () => {
  it('ignores the order of keys and the ids of tokens', () => {
    const textOf = (token: object) =>
      ({ type: 'stack', id: 'root', children: [{ type: 'text', id: 'a', tokens: [token] }] }) as never
    const draft = textOf({
      id: 'one',
      type: 'textToken',
      value: 'Acme',
      textStyle: { fontSize: 12, color: '#111111' },
    })
    const stored = textOf({
      textStyle: { color: '#111111', fontSize: 12 },
      value: 'Acme',
      type: 'textToken',
      id: 'two',
    })
    expect(changesBetween(stored, draft)).toEqual([])
    const other = textOf({ type: 'textToken', value: 'Other' })
    expect(changesBetween(stored, other)).toMatchObject([
      { id: 'a', change: 'changed', properties: ['tokens'] },
    ])
  })
})
