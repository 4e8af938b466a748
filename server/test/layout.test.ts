// Measures positions and widths in a browser, which golden files cannot check.

import { type Block, type Content, compile, type Person } from '@signoff/render'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { surroundings } from '../../render/test/support/surroundings.ts'
import { openBrowser } from './support/browser/browser.ts'

let page: Page
beforeAll(async () => {
  page = await (await openBrowser()).newPage({ viewport: { width: 800, height: 600 } })
  // The size of a picture that is not loaded cannot shrink.
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="960" height="240"/>'
  await page.route('https://sign.example/**', route =>
    route.fulfill({ contentType: 'image/svg+xml', body: svg }),
  )
})

const text = (value: string, more: object = {}): Block => ({
  type: 'text',
  tokens: [{ value, textStyle: { fontSize: 14, fontFamily: 'Arial' } }],
  ...more,
})

interface Bounds {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** The bounds of the elements of a selector in a mail of this width. Checks that nothing must be scrolled sideways. */
async function boundsAt(
  width: number,
  content: Content,
  selector: string,
  person: Person = {},
): Promise<readonly Bounds[]> {
  const { html } = compile(content, surroundings()).render(person)
  await page.setViewportSize({ width, height: 600 })
  await page.setContent(`<!doctype html><body style="margin:0">${html}</body>`)
  const [scrolled, bounds] = await page.evaluate(chosen => {
    const { document } = globalThis as unknown as { document: Browsed }
    const all = [...document.querySelectorAll(chosen)].map(element => {
      const { left, top, width, height } = element.getBoundingClientRect()
      return {
        left: Math.round(left),
        top: Math.round(top),
        width: Math.round(width),
        height: Math.round(height),
      }
    })
    return [document.documentElement.scrollWidth, all] as const
  }, selector)
  await page.setViewportSize({ width: 800, height: 600 })
  expect(scrolled).toBeLessThanOrEqual(width)
  return bounds
}

/** A document as the browser lays it out. */
interface Browsed {
  readonly documentElement: { readonly scrollWidth: number }
  querySelectorAll(selector: string): Iterable<{ getBoundingClientRect(): Bounds }>
}

/** Left edge and width of the elements of a selector. Checks that standards mode and quirks mode give the same. */
async function measureBoxes(content: Content, selector: string): Promise<{ left: number; width: number }[]> {
  const { html } = compile(content, surroundings()).render({})
  const measure = async (doctype: string) => {
    await page.setContent(`${doctype}<body style="margin:0">${html}</body>`)
    return page.$$eval(selector, elements =>
      elements.map(element => {
        const { left, width } = (
          element as unknown as { getBoundingClientRect(): { left: number; width: number } }
        ).getBoundingClientRect()
        return { left: Math.round(left), width: Math.round(width) }
      }),
    )
  }
  const strict = await measure('<!doctype html>')
  expect(await measure('')).toEqual(strict)
  return strict
}

describe('in a browser', () => {
  it('a text is aligned within its width', async () => {
    const [centred] = await measureBoxes(
      { type: 'stack', children: [text('x', { align: 'center', blockStyle: { width: 300 } })] },
      'span',
    )
    expect(centred?.left).toBeGreaterThan(140)
    const row: Content = {
      type: 'stack',
      direction: 'row',
      children: [text('x', { align: 'right', blockStyle: { width: 100, paddingTop: 4 } })],
    }
    expect((await measureBoxes(row, 'span'))[0]?.left).toBeGreaterThan(85)
  })

  it.each([
    {},
    { paddingTop: 1 },
    { backgroundColor: '#eeeeee' },
    { marginTop: 3, backgroundColor: '#eeeeee' },
  ])('a root of 500 px with %j is 500 px wide inside', async style => {
    const root = (child: Block): Content => ({
      type: 'stack',
      align: 'right',
      blockStyle: { width: 500, ...style },
      children: [child],
    })
    expect((await measureBoxes(root({ type: 'divider' }), 'td[height]'))[0]).toEqual({ left: 0, width: 500 })
    expect((await measureBoxes(root(text('x')), 'span'))[0]?.left).toBeGreaterThan(485)
  })

  it('a padded stack of 300 px gives its children the width without the padding', async () => {
    const inner: Block = {
      type: 'stack',
      blockStyle: { width: 300, paddingLeft: 20, paddingRight: 30 },
      children: [{ type: 'divider' }],
    }
    expect((await measureBoxes({ type: 'stack', children: [inner] }, 'td[height]'))[0]).toEqual({
      left: 20,
      width: 250,
    })
  })

  it('a background has the same width with and without a gap before it', async () => {
    const blockStyle = { backgroundColor: '#eeeeee' }
    const column: Content = {
      type: 'stack',
      blockStyle: { gap: 8, width: 260 },
      children: [text('a', { blockStyle }), text('b', { blockStyle })],
    }
    expect((await measureBoxes(column, 'td[bgcolor]')).map(box => box.width)).toEqual([260, 260])
    const row: Content = {
      type: 'stack',
      direction: 'row',
      children: [text('a', { blockStyle: { ...blockStyle, width: 200, paddingTop: 4 } })],
    }
    expect((await measureBoxes(row, 'td[bgcolor]'))[0]?.width).toBe(200)
  })

  it('a width includes the padding', async () => {
    const style = { width: 200, paddingLeft: 20 }
    const row: Content = { type: 'stack', direction: 'row', children: [text('a', { blockStyle: style })] }
    expect((await measureBoxes(row, 'td'))[0]?.width).toBe(200)
    const column: Content = { type: 'stack', children: [text('a', { blockStyle: style })] }
    expect((await measureBoxes(column, 'td td'))[0]?.width).toBe(200)
  })

  it('a divider in a row is vertical, and one with a margin in a column is as wide as the column', async () => {
    const row: Content = {
      type: 'stack',
      direction: 'row',
      children: [text('left'), { type: 'divider', thickness: 3 }, text('right')],
    }
    expect((await measureBoxes(row, 'td[bgcolor]'))[0]?.width).toBe(3)
    const blockStyle = { marginTop: 4, backgroundColor: '#ffffff' }
    const column: Content = {
      type: 'stack',
      blockStyle: { width: 260 },
      children: [{ type: 'divider', blockStyle }],
    }
    expect((await measureBoxes(column, 'td[height]'))[0]?.width).toBe(260)
  })

  it('a list with a width gives the width to its texts, not to its labels', async () => {
    const list: Block = {
      type: 'list',
      blockStyle: { width: 300 },
      children: [
        { type: 'listItem', children: [{ type: 'listItemLabel', icon: 'phone' }, text('Hello') as never] },
      ],
    }
    const [label, words] = await measureBoxes({ type: 'stack', children: [list] }, 'td td td')
    expect(label?.width).toBeLessThan(40)
    expect(words?.width).toBeGreaterThan(250)
  })

  it('nothing is wider than 600 px, even with very long words', async () => {
    const [outer] = await measureBoxes(
      { type: 'stack', children: [text('x'.repeat(400)), text('https://example.com/'.repeat(30))] },
      'table',
    )
    expect(outer?.width).toBeLessThanOrEqual(600)
  })
})

describe('on a phone of 375 px and a screen of 700 px', () => {
  const picture: Block = { type: 'image', assetUuid: 'photo', alt: 'Portrait', width: 96, height: 96 }
  const column: Block = {
    type: 'stack',
    blockStyle: { width: 300, gap: 4 },
    children: [text('Ada Lovelace'), text('Principal Analyst')],
  }
  const wrapping = (more: object = {}, root: object = {}): Content => ({
    type: 'stack',
    blockStyle: { width: 560, ...root },
    children: [
      {
        type: 'stack',
        direction: 'row',
        wrap: true,
        blockStyle: { gap: 16, ...more },
        children: [picture, { type: 'divider', direction: 'vertical' }, column],
      },
      { type: 'divider' },
    ],
  })

  it.each([
    [{}, {}],
    [{ width: 520 }, {}],
    [{ borderColor: '#98a2b3', borderRadius: 8, paddingLeft: 12, paddingTop: 12 }, {}],
    [
      { backgroundColor: '#eeeeee', width: 480 },
      { paddingLeft: 10, backgroundColor: '#ffffff' },
    ],
  ])('the columns of a row with wrap (%j in %j) stand below or beside each other', async (row, root) => {
    const content = wrapping(row, root)
    const [narrow, wide] = [
      await boundsAt(375, content, 'img, span'),
      await boundsAt(700, content, 'img, span'),
    ]
    expect(narrow[1]?.top).toBeGreaterThanOrEqual((narrow[0]?.top ?? 0) + 96 + 16)
    expect(narrow[1]?.left).toBe(narrow[0]?.left)
    expect(wide[1]?.left).toBe((wide[0]?.left ?? 0) + 96 + 16)
    expect(Math.abs((wide[1]?.top ?? 0) - (wide[0]?.top ?? 0))).toBeLessThan(16)
  })

  it('a row with wrap leaves the same space below itself as a row without it', async () => {
    const bottomOf = async (wrap: boolean, padding: number) => {
      const row: Block = {
        type: 'stack',
        direction: 'row',
        wrap,
        blockStyle: { gap: 16 },
        children: [picture, picture],
      }
      const card: Block = {
        type: 'stack',
        blockStyle: { borderWidth: 1, paddingBottom: padding },
        children: [row],
      }
      const content: Content = {
        type: 'stack',
        blockStyle: { gap: 20 },
        children: [card, { type: 'divider' }],
      }
      return (await boundsAt(700, content, 'td[height]'))[0]?.top
    }
    for (const padding of [0, 10, 30])
      expect(await bottomOf(true, padding)).toBe(await bottomOf(false, padding))
  })

  it('a root and a stack wider than the phone become narrower, with everything in them', async () => {
    const content: Content = {
      type: 'stack',
      blockStyle: { width: 560 },
      children: [
        text('Words that can be broken in many places, so that they fit. '.repeat(4), {
          blockStyle: { width: 500 },
        }),
        { type: 'stack', blockStyle: { width: 520, paddingLeft: 10 }, children: [{ type: 'divider' }] },
        { type: 'image', assetUuid: 'banner', alt: 'Banner', width: 480 },
      ],
    }
    const [banner] = await boundsAt(375, content, 'img')
    expect(banner).toMatchObject({ width: 375, height: 94 })
    expect((await boundsAt(700, content, 'img'))[0]).toMatchObject({ width: 480, height: 120 })
  })

  it('a picture beside a long text keeps its size', async () => {
    const row: Content = {
      type: 'stack',
      direction: 'row',
      children: [
        { type: 'stack', children: [picture, text('x')] },
        text('Many words beside a picture. '.repeat(20)),
      ],
    }
    for (const width of [375, 700])
      expect((await boundsAt(width, row, 'img'))[0]).toMatchObject({ width: 96, height: 96 })
  })

  it.each([
    ['solid', {}],
    ['outline', {}],
    ['outline', { width: 200 }],
    ['solid', { paddingTop: 0, paddingLeft: 3 }],
    ['outline', { paddingTop: 0 }],
  ] as const)(
    'the link of a %s button with %j fills it, and is at least 24 px high',
    async (variant, blockStyle) => {
      const small = { fontSize: 9, lineHeight: 11 }
      const button: Block = {
        type: 'button',
        variant,
        blockStyle,
        tokens: [{ value: 'Book a meeting', textStyle: small }],
        href: { text: 'https://example.com' },
      }
      const line = variant === 'outline' ? 1 : 0
      for (const width of [375, 700]) {
        const [cell, link] = await boundsAt(width, { type: 'stack', children: [button] }, 'td td, a')
        expect(cell?.height).toBeGreaterThanOrEqual(24)
        expect(link).toEqual({
          left: (cell?.left ?? 0) + line,
          top: (cell?.top ?? 0) + line,
          width: (cell?.width ?? 0) - line * 2,
          height: (cell?.height ?? 0) - line * 2,
        })
      }
    },
  )

  it.each([11, 16, 18, 30, 48])('a label is level with the first line of %i px', async lineHeight => {
    const words = { value: 'First\nsecond', textStyle: { fontSize: 10, lineHeight } }
    const item = (label: object) => ({
      type: 'listItem',
      children: [label, { type: 'text', tokens: [words] }],
    })
    const list = (direction: string, iconSize: number): Content => ({
      type: 'stack',
      children: [
        {
          type: 'list',
          direction,
          iconSize,
          children: [
            item({ type: 'listItemLabel', icon: 'phone' }),
            item({ type: 'listItemLabel', icon: 'at' }),
          ],
        } as never,
      ],
    })
    for (const direction of ['column', 'row'])
      for (const size of [12, 16, 40]) {
        const bounds = await boundsAt(700, list(direction, size), 'img, td > span')
        for (const at of [0, 2]) {
          const [icon, lines] = [bounds[at], bounds[at + 1]]
          // The text of two lines has its own height in the middle of them.
          const middle = (lines?.top ?? 0) + ((lines?.height ?? 0) - lineHeight) / 2
          expect(Math.abs((icon?.top ?? 0) + size / 2 - middle)).toBeLessThanOrEqual(2)
        }
      }
  })

  it('a signature of a person who writes from right to left is mirrored', async () => {
    const content: Content = {
      type: 'stack',
      blockStyle: { width: 360, paddingLeft: 20 },
      children: [
        {
          type: 'stack',
          direction: 'row',
          blockStyle: { gap: 10 },
          children: [picture, { type: 'text', tokens: [{ smartFieldUuid: 'first_name' }] }],
        },
        text('aligned right', { align: 'right' }),
      ],
    }
    const right = ({ left, width }: Bounds) => left + width
    const [image, name, last] = await boundsAt(375, content, 'img, td > span', { first_name: 'דוד' })
    expect(right(image as Bounds)).toBe(340)
    expect(right(name as Bounds)).toBe(340 - 96 - 10)
    expect(last?.left).toBe(0)
    const [plainImage, plainName] = await boundsAt(375, content, 'img, td > span', { first_name: 'Ada' })
    expect([plainImage?.left, plainName?.left]).toEqual([20, 20 + 96 + 10])
  })
})
