// What the remedies of the editor make of a tree, and which values a signature needs.
import { type Content, contrast, maxHtmlLength, papersBehind } from '@signoff/render'
import type { SmartField } from '@signoff/sdk'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { safeColor } from '../src/editor/model/colors.ts'
import { setProperties } from '../src/editor/model/operations.ts'
import { EditorStore } from '../src/editor/model/store.ts'
import { blockOf } from '../src/editor/model/tree.ts'
import { largestBlocks, sizeLevel } from '../src/editor/panels/mail-size.ts'
import { mendedBy, openProblem } from '../src/editor/problems/block-problems.ts'
import { fieldsNeededBy, missingFields } from '../src/editor/problems/missing-values.ts'
import { checkedProblems, drawnProblems, problemsByBlock } from '../src/editor/problems/shown-problems.ts'
import { fittingPanes, fittingPhones, withReadableColors } from '../src/editor/problems/style-remedies.ts'
import {
  completedAddress,
  withFieldsForLiterals,
  withoutEmptyLinks,
  withTarget,
} from '../src/editor/problems/text-remedies.ts'
import { draw } from '../src/editor/rendering/draw.ts'
import { type AnyBlock, tokensOf } from '../src/records/content/block.ts'

const root = (...children: readonly object[]): Content =>
  ({ type: 'stack', id: 'root', children: children as unknown }) as Content
const text = (id: string, token: object): object => ({
  type: 'text',
  id,
  tokens: [{ id: `${id}-t`, ...token }],
})
const field = (id: string, more: object = {}): SmartField =>
  ({ id, key: id, label: id, kind: 'text', fallback: null, ...more }) as SmartField
const styleOf = (tree: Content, id: string) => tokensOf(blockOf(tree, id) as AnyBlock)?.[0]?.textStyle

describe('a readable colour', () => {
  const color = fc.integer({ min: 0, max: 0xffffff }).map(n => `#${n.toString(16).padStart(6, '0')}`)

  it('passes on any background, and on light and dark mails at once', () => {
    fc.assert(
      fc.property(color, color, (foreground, background) => {
        const shade = safeColor(foreground, papersBehind(background, 4.5), [])
        expect(contrast(shade ?? background, background)).toBeGreaterThanOrEqual(4.5)
      }),
      { seed: 1, numRuns: 100 },
    )
    fc.assert(
      fc.property(color, foreground => {
        const shade = safeColor(foreground, papersBehind(undefined, 4.5), []) ?? ''
        expect(contrast(shade, '#ffffff')).toBeGreaterThanOrEqual(4.5)
        expect(contrast(shade, '#1f1f1f')).toBeGreaterThanOrEqual(3)
      }),
      { seed: 1, numRuns: 100 },
    )
  })

  it('changes the owner of the colour: the text, the button, or the list around an icon', () => {
    const tree = root(
      text('pale', { value: 'pale', textStyle: { color: '#cccccc' } }),
      text('dark', { value: 'dark', textStyle: { color: '#111827', fontSize: 13 } }),
      {
        type: 'button',
        id: 'button',
        tokens: [{ id: 'b', value: 'go' }],
        backgroundColor: '#ffee00',
        href: {},
      },
      {
        type: 'socialList',
        id: 'links',
        color: '#eeeeee',
        children: [{ type: 'socialListItem', id: 'link', name: 'linkedin', href: {} }],
      },
    )
    const changed = withReadableColors(tree, ['pale', 'dark', 'button', 'link'], [])
    expect(styleOf(changed, 'pale')?.color).toBe('#767676')
    // Grey text adapts to the mail program when it has no colour of its own.
    expect(styleOf(changed, 'dark')).toEqual({ fontSize: 13 })
    const { color: onYellow } = blockOf(changed, 'button') as { color?: string }
    expect(contrast(onYellow ?? '', '#ffee00')).toBeGreaterThanOrEqual(4.5)
    const { color: icons } = blockOf(changed, 'links') as { color?: string }
    expect(contrast(icons ?? '', '#ffffff')).toBeGreaterThanOrEqual(3)
    expect(withReadableColors(changed, ['pale', 'dark', 'button', 'link'], [])).toBe(changed)
  })
})

describe('other remedies', () => {
  it('make blocks narrow enough for phones and for reading panes', () => {
    const icons = Array.from({ length: 20 }, (_, n) => ({
      type: 'socialListItem',
      id: `i${n}`,
      name: 'link',
    }))
    const tree = root(
      { type: 'stack', id: 'row', direction: 'row', children: [] },
      { type: 'stack', id: 'fixed', blockStyle: { width: 500 }, children: [] },
      { type: 'socialList', id: 'links', children: icons },
      { type: 'image', id: 'picture', width: 900, height: 300 },
    )
    const narrow = fittingPhones(tree, ['row', 'fixed', 'links'])
    expect(blockOf(narrow, 'row')).toMatchObject({ wrap: true })
    expect(blockOf(narrow, 'fixed')?.blockStyle?.width).toBe(340)
    const list = blockOf(narrow, 'links') as { iconSize: number; blockStyle: { gap: number } }
    expect(list.iconSize * 20 + list.blockStyle.gap * 19).toBeLessThanOrEqual(340)
    expect(blockOf(fittingPanes(tree, ['picture']), 'picture')).toEqual({
      type: 'image',
      id: 'picture',
      width: 600,
    })
  })

  it('replace braces by the field of that name, and leave unknown names', () => {
    const fields = [field('job_title', { label: 'Job title' })]
    const tree = root(text('t', { value: 'Dear {{ Job Title }}, {{who}}!', textStyle: { fontSize: 12 } }))
    const tokens = tokensOf(blockOf(withFieldsForLiterals(tree, ['t'], fields), 't') as AnyBlock)
    expect(tokens?.map(({ value, smartFieldUuid }) => value ?? smartFieldUuid)).toEqual([
      'Dear ',
      'job_title',
      ', {{who}}!',
    ])
    expect(tokens?.every(({ textStyle }) => textStyle?.fontSize === 12)).toBe(true)
    const unknown = root(text('t', { value: '{{who}}' }))
    expect(withFieldsForLiterals(unknown, ['t'], fields)).toBe(unknown)
  })

  it('complete an address, refuse what is none, and take empty links away', () => {
    expect(completedAddress('www.example.com/x')).toBe('www.example.com/x')
    expect(completedAddress('ada@example.com')).toBe('mailto:ada@example.com')
    expect(completedAddress('example')).toBeNull()
    expect(completedAddress('javascript:alert(1)')).toBeNull()
    const tree = root(text('t', { value: 'go', href: {} }))
    const block = blockOf(tree, 't') as AnyBlock
    expect(
      tokensOf(blockOf(withTarget(tree, block, 'https://a.example'), 't') as AnyBlock)?.[0]?.href,
    ).toEqual({
      text: 'https://a.example',
    })
    expect(tokensOf(blockOf(withoutEmptyLinks(tree, block), 't') as AnyBlock)?.[0]).toEqual({
      id: 't-t',
      value: 'go',
    })
  })
})

describe('colours that are hard to read', () => {
  it('are one problem for each place, and those in dark mail are no marks', () => {
    const tree = root(text('a', {}), text('b', {}), text('c', {}), {
      type: 'stack',
      id: 'card',
      blockStyle: { backgroundColor: '#222222' },
      children: [text('d', {})],
    })
    const problem = (severity: 'warning' | 'note', ...ids: readonly string[]) => ({
      code: 'low_contrast' as const,
      severity,
      message: '',
      blocks: ids.map(id => ({ id, name: id, path: '' })),
      recipients_affected: 1,
    })
    const problems = checkedProblems(tree, {
      recipients: 1,
      problems: [problem('warning', 'a', 'd'), problem('warning', 'b'), problem('note', 'b', 'c')],
    })
    expect(problems.map(({ place, ids }) => [place, ids])).toEqual([
      ['light', ['a', 'b']],
      ['background', ['d']],
      ['dark', ['b', 'c']],
    ])
    expect([...problemsByBlock(problems).keys()]).toEqual(['a', 'b', 'd'])
  })
})

describe('problems that the renderer finds', () => {
  it('are marked at their blocks, except those of banners and of the whole signature', () => {
    const tree = root(text('t', { value: 'go' }))
    const warning = (code: string, id: string | null) => ({ code, id, message: '' }) as never
    const problems = drawnProblems(
      tree,
      [
        warning('image_too_wide', 't-t'),
        warning('unknown_reference', 'of-a-banner'),
        warning('missing_alt', 't'),
        warning('too_wide', null),
      ],
      false,
    )
    expect(problems.map(({ code, ids }) => [code, ids])).toEqual([
      ['image_too_wide', ['t']],
      ['too_wide', []],
    ])
    expect([...problemsByBlock(problems).keys()]).toEqual(['t'])
  })

  it('come with the blocks that take the most characters', () => {
    const tree = root(text('short', {}), text('long', {}))
    const html = '<!--block short-->a<!--/block short--><!--block long-->äöü<!--/block long-->'
    expect(largestBlocks(tree, html, 1).map(({ block, length }) => [block.id, length])).toEqual([['long', 3]])
  })

  it('name the length at the same number of characters as the meter of the editor', () => {
    const drawn = (letters: number) => {
      const value = `${'äöü '.repeat(3_000).slice(0, letters - 1)}x`
      const tree = root({ type: 'text', id: 't', tokens: [{ id: 'w', value }] })
      const surroundings = { fields: new Map(), assetUrl: String, iconUrl: String }
      return draw({ tree, person: {}, surroundings, hooks: {} })
    }
    const around = drawn(1).length - 1
    for (const length of [maxHtmlLength, maxHtmlLength + 1]) {
      const drawing = drawn(length - around)
      const isLong = drawnProblems(root(), drawing.warnings, true).some(({ code }) => code === 'too_long')
      expect([drawing.length, sizeLevel(drawing.length)]).toEqual([length, isLong ? 'warn' : 'fine'])
    }
    expect(sizeLevel(10_001)).toBe('bad')
  })
})

describe('missing values', () => {
  it('are those of shown blocks without a fallback', () => {
    const fields = ['a', 'b', 'c', 'd', 'e'].map(id => field(id, { fallback: id === 'c' ? 'x' : null }))
    const tree = root(
      text('one', { smartFieldUuid: 'A' }),
      text('two', { smartFieldUuid: 'b', fallback: 'none' }),
      text('three', { smartFieldUuid: 'c' }),
      { ...text('four', { smartFieldUuid: 'd' }), visible: false },
      text('five', { value: 'call', href: { smartFieldUuid: 'e' } }),
    )
    const needed = fieldsNeededBy(tree, fields)
    expect(needed.map(({ field: { id }, blockIds }) => [id, blockIds])).toEqual([
      ['a', ['one']],
      ['e', ['five']],
    ])
    const values = [{ smart_field_id: 'a', value: 'here', has_picture: false }]
    expect(missingFields(needed, { values }).map(({ field: { id } }) => id)).toEqual(['e'])
  })
})

describe('a problem whose remedy was used', () => {
  const image = (id: string) => ({ type: 'image', id, src: 'https://pictures.example/a.png', width: 60 })
  const problem = {
    key: 'missing_alt  0',
    code: 'missing_alt' as const,
    severity: 'warning' as const,
    ids: ['one', 'two'],
    affected: 0,
    recipients: 0,
    field: undefined,
  }

  it('waits for the next check, block by block, until the remedy is undone', () => {
    const store = new EditorStore('signature', root(image('one'), image('two'), text('else', { value: 'x' })))
    const change = (id: string, values: Readonly<Record<string, unknown>>) => {
      const before = store.getState().tree
      store.change(tree => setProperties(tree, id, values))
      return mendedBy(problem, before, store.getState().tree)
    }
    const open = () => openProblem(problem, mended, store.history)?.ids
    change('else', { displayName: 'Before' })
    const mended = [change('one', { alt: 'One' })]
    expect(open()).toEqual(['two'])
    mended.push(change('two', { alt: 'Two' }))
    expect(open()).toBeUndefined()
    change('else', { displayName: 'After' })
    expect(open()).toBeUndefined()
    store.undo()
    store.undo()
    expect(open()).toEqual(['two'])
    store.undo()
    store.undo()
    expect(open()).toEqual(['one', 'two'])
    store.redo()
    store.redo()
    expect(open()).toEqual(['two'])
  })
})
