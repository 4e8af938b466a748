import { type Content, limits, type Token } from '@signoff/render'
import type { Brand } from '@signoff/sdk'
import { describe, expect, it } from 'vitest'
import { image } from '../src/editor/blocks/image.ts'
import { wordsName } from '../src/editor/blocks/tokens.ts'
import { type Box, type Boxes, noBoxes } from '../src/editor/canvas/boxes.ts'
import { dropAt } from '../src/editor/canvas/drop-position.ts'
import { spotsBeside } from '../src/editor/canvas/insert-positions.ts'
import { handlesOf } from '../src/editor/canvas/size-handles.ts'
import { runCommand } from '../src/editor/model/commands.ts'
import { dropBlocks } from '../src/editor/model/drop.ts'
import { insertNewBlocks, positionBeside, positionFor } from '../src/editor/model/position.ts'
import { reachedLimit } from '../src/editor/model/rules.ts'
import { rangeTo } from '../src/editor/model/selecting.ts'
import { EditorStore } from '../src/editor/model/store.ts'

const text = (id: string, more: object = {}) => ({ type: 'text' as const, id, tokens: [], ...more })
const tree: Content = {
  type: 'stack',
  id: 'root',
  children: [
    text('a'),
    text('b', { displayName: 'Phone', blockStyle: { marginTop: 8 } }),
    { type: 'stack', id: 'row', direction: 'row', children: [text('left'), text('right')] },
    { type: 'stack', id: 'empty', direction: 'row' },
  ],
}

const drawnAt = (positions: Readonly<Record<string, Box>>): Boxes => ({
  ...noBoxes,
  get: id => positions[id],
})

describe('a row', () => {
  it('has a handle for its gap while its blocks stand beside each other, and none when it has wrapped', () => {
    const row = tree.children?.[2] as Content
    const left = { left: 0, right: 100, top: 0, bottom: 20 }
    const gapsWith = (right: Box) =>
      handlesOf(row, drawnAt({ left, right })).filter(({ name }) => name === 'gap').length
    expect(gapsWith({ left: 116, right: 200, top: 0, bottom: 20 })).toBe(1)
    expect(gapsWith({ left: 0, right: 84, top: 20, bottom: 40 })).toBe(0)
  })
})

describe('blocks beside everything', () => {
  const column = {
    type: 'stack',
    id: 'root',
    children: [text('a'), text('b'), { type: 'marketing', id: 'banner' }],
  } as Content
  const photo = { type: 'image', id: 'photo' } as const
  const boxes = drawnAt({
    a: { left: 0, right: 200, top: 0, bottom: 20 },
    b: { left: 0, right: 200, top: 20, bottom: 40 },
    banner: { left: 0, right: 400, top: 40, bottom: 140 },
  })
  const canvas = { left: 0, right: 400, top: 0, bottom: 140 }
  const drop = (root: Content, x: number, y: number, movedIds: readonly string[] = []) => {
    const dragged = { blocks: [photo], movedIds }
    const spot = dropAt({ tree: root, boxes, canvas, kind: 'signature' }, dragged, x, y)
    return spot && dropBlocks(root, dragged, { ...spot, zone: 'canvas' })
  }

  it('are dropped on the margin of the canvas; the lines keep their distance and the banner its width', () => {
    const [row, banner] = drop(column, -12, 30)?.children ?? []
    expect(row).toMatchObject({ direction: 'row', blockStyle: { gap: 16 } })
    expect(row).toMatchObject({
      children: [photo, { direction: 'column', children: [text('a'), text('b')] }],
    })
    expect(row).not.toHaveProperty('children.1.blockStyle')
    expect(banner).toEqual({ type: 'marketing', id: 'banner' })
    expect(drop(column, 412, 30)?.children?.[0]).toMatchObject({ children: [{ type: 'stack' }, photo] })
    expect(drop(column, 100, 8)?.children).toHaveLength(4)
    expect(drop(column, -12, 60)?.children?.map(({ type }) => type)).toEqual([
      'text',
      'text',
      'image',
      'marketing',
    ])
  })

  it('go into a row that has everything already, and leave something behind', () => {
    const row = { type: 'stack', id: 'a', direction: 'row', children: [text('left')] }
    const inRow = { type: 'stack', id: 'root', children: [row] } as Content
    expect(drop(inRow, -12, 10)?.children).toMatchObject([{ id: 'a', children: [photo, text('left')] }])
    const alone = { type: 'stack', id: 'root', children: [photo] } as Content
    expect(drop(alone, -12, 10, ['photo'])?.children).toEqual([photo])
  })

  it('are wrapped in a column whose lines stay where they are', () => {
    const store = new EditorStore('signature', column)
    store.select(['a', 'b'])
    runCommand(store, 'wrapColumn', '')
    expect(store.getState().tree.children?.[0]).not.toHaveProperty('blockStyle')
  })
})

describe('blocks at a new place', () => {
  it('are selected as a range of siblings, from the first to the clicked one', () => {
    expect(rangeTo(tree, ['a'], 'row')).toEqual(['a', 'b', 'row'])
    expect(rangeTo(tree, ['row', 'b'], 'a')).toEqual(['row', 'b', 'a'])
    expect(rangeTo(tree, ['b'], 'right')).toEqual(['b', 'row'])
    expect(rangeTo(tree, ['row'], 'left')).toEqual(['left'])
    expect(rangeTo(tree, [], 'b')).toEqual(['b'])
  })

  it('become a row with a gap, whose space above is that of the blocks', () => {
    const store = new EditorStore('signature', tree)
    store.select(['a', 'b'])
    runCommand(store, 'wrapRow', '')
    expect(store.getState().tree.children?.[0]).toMatchObject({
      direction: 'row',
      blockStyle: { gap: 16, marginTop: 8 },
      children: [text('a'), text('b', { displayName: 'Phone' })],
    })
  })

  it('are called by their words, and by their fields where the words only separate them', () => {
    const field = (smartFieldUuid: string) => ({ smartFieldUuid, value: '' })
    const labels = new Map([
      ['p', 'Work phone'],
      ['m', 'Mobile phone'],
    ])
    const name = (...tokens: readonly Token[]) => wordsName(tokens, id => labels.get(id))
    expect(name({ value: 'T: ' }, field('p'), { value: ' | M: ' }, field('m'))).toBe(
      'Work phone · Mobile phone',
    )
    expect(name({ value: 'Call me: ' }, field('p'))).toBe('Call me: Work phone')
    expect(name(field('p'), { value: ' ' }, field('m'))).toBe('Work phone Mobile phone')
    expect(name({ value: '. Registered in England' })).toBe('Registered in England')
  })

  it('name the limit that they would pass', () => {
    const full = Array.from({ length: limits.blocks - 1 }, (_, n) => text(`t${n}`))
    const store = new EditorStore('signature', { type: 'stack', id: 'root', children: full })
    store.select(['t0'])
    expect(reachedLimit(runCommand(store, 'duplicate', '').problems)).toBe('too_many')
    expect(store.getState().tree.children).toHaveLength(limits.blocks - 1)
    expect(
      reachedLimit([{ field: 'content.children[0].tokens', code: 'too_many', message: '' }]),
    ).toBeUndefined()
  })

  it('are a logo that says whose it is', () => {
    const brand = { logo_asset_id: 'logo', colors: {}, social: [] } as unknown as Brand
    const logo = image.offers.find(({ icon }) => icon === 'building-2')
    const messages = { text: '', button: '' }
    expect(logo?.make({ brand, fields: [], messages, company: 'Acme' })).toMatchObject({
      type: 'image',
      alt: 'Acme',
    })
  })

  it('get a name of their own when they are copied', () => {
    const store = new EditorStore('signature', tree)
    for (const _ of [1, 2]) {
      store.select(['b'])
      runCommand(store, 'duplicate', '')
    }
    expect(
      store
        .getState()
        .tree.children?.map(({ displayName }) => displayName)
        .slice(1, 4),
    ).toEqual(['Phone', 'Phone 3', 'Phone 2'])
  })

  it('are offered above and below a whole line of a list, whose words fill it', () => {
    const label = (id: string) => ({ type: 'listItemLabel' as const, id, tokens: [] })
    const line = (id: string) => ({ type: 'listItem' as const, id, children: [label(`${id} words`)] })
    const list: Content = {
      type: 'stack',
      id: 'root',
      children: [{ type: 'list', id: 'list', children: [line('first'), line('second')] }],
    }
    const canvas = { left: 0, right: 300, top: 0, bottom: 100 }
    const boxes = drawnAt({
      second: { left: 20, right: 200, top: 40, bottom: 70 },
      'second words': { left: 44, right: 200, top: 40, bottom: 70 },
    })
    const spots = spotsBeside({ tree: list, boxes, canvas }, 'second words')
    expect(spots.map(({ position }) => position)).toEqual([
      { parentId: 'list', index: 1 },
      { parentId: 'list', index: 2 },
    ])
    // Before the line: not on its icon or its words.
    expect(spots.every(({ x }) => x < 20)).toBe(true)
    expect(positionBeside(list, 'second words', 'below')).toEqual({ parentId: 'list', index: 2 })
  })

  it('go after a selected row when they are rows, and into an empty one', () => {
    const row = { type: 'stack' as const, id: 'new', direction: 'row' as const }
    expect(positionFor(tree, 'row', [row], 'signature')).toEqual({ parentId: 'root', index: 3 })
    expect(positionFor(tree, 'row', [text('new')], 'signature')).toEqual({ parentId: 'row', index: 2 })
    expect(positionFor(tree, 'empty', [row], 'signature')).toEqual({ parentId: 'empty', index: 0 })
  })

  it('go before the place for banners at the end, which stays below everything', () => {
    const children = [text('name'), { type: 'marketing' as const, id: 'banner' }]
    const signature: Content = { type: 'stack', id: 'root', children }
    for (const selected of [undefined, 'root'])
      expect(positionFor(signature, selected, [text('new')], 'signature')).toEqual({
        parentId: 'root',
        index: 1,
      })
  })

  it('keep a distance from the block above or before them, but not at the top', () => {
    const added = text('new', { blockStyle: { marginTop: 12 } })
    const styleAt = (parentId: string, index: number) => {
      const root = insertNewBlocks(tree, { parentId, index }, [added])
      const parent = parentId === 'root' ? root : root.children?.find(({ id }) => id === parentId)
      return (parent as Content).children?.[index]?.blockStyle
    }
    expect([styleAt('root', 1), styleAt('root', 0)]).toEqual([{ marginTop: 12 }, undefined])
    // This row has no gap: its words would touch the new ones.
    expect([styleAt('row', 0), styleAt('row', 1)]).toEqual([undefined, { marginLeft: 16 }])
  })
})
