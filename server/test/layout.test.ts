// Measures positions and widths in a browser, which golden files cannot check.

import { type Block, type Content, compile } from '@signoff/render'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { surroundings } from '../../render/test/support/surroundings.ts'
import { openBrowser } from './support/browser.ts'

let page: Page
beforeAll(async () => {
  page = await (await openBrowser()).newPage({ viewport: { width: 800, height: 600 } })
})

const text = (value: string, more: object = {}): Block => ({
  type: 'text',
  tokens: [{ value, textStyle: { fontSize: 14, fontFamily: 'Arial' } }],
  ...more,
})

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
    const [label, words] = await measureBoxes({ type: 'stack', children: [list] }, 'td td')
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
