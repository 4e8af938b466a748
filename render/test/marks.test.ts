import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Block, type Content, compile, type Marks, render } from '../src/index.ts'
import { type Golden, renderGolden, surroundings, withIds } from './support/surroundings.ts'
import { content, person } from './support/trees.ts'

const mark = (id: string): Marks => [`<!--[${id}]-->`, `<!--[/${id}]-->`]
const comment = /<!--\[(\/?)(.*?)\]-->/g
const withoutMarks = (html: string): string => html.replaceAll(comment, '')

/** The ids in the order of their marks. Fails when marks cross or stay open. */
function markedIds(html: string): string[] {
  const open: string[] = []
  const ids: string[] = []
  for (const [, slash, id = ''] of html.matchAll(comment))
    if (slash) expect(open.pop()).toBe(id)
    else {
      open.push(id)
      ids.push(id)
    }
  expect(open).toEqual([])
  return ids
}

const folder = join(import.meta.dirname, 'golden')

describe('the marks of blocks', () => {
  it.each(globSync('**/*.json', { cwd: folder }))('change nothing else in %s', file => {
    const golden = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Golden
    const plain = renderGolden(golden)
    const marked = renderGolden(golden, { mark })
    expect(withoutMarks(marked.html)).toBe(plain.html)
    expect({ ...marked, html: '' }).toEqual({ ...plain, html: '', drawnCampaigns: marked.drawnCampaigns })
  })

  it('stand in pairs around every block that is drawn, in the order of the content', () => {
    const workspace = surroundings()
    fc.assert(
      fc.property(content, person, (generated, somePerson) => {
        const tree = numbered(generated)
        const { html } = render(tree, somePerson, { ...workspace, mark })
        expect(withoutMarks(html)).toBe(render(tree, somePerson, workspace).html)
        const ids = markedIds(html).map(Number)
        expect(ids).toEqual(ids.toSorted((a, b) => a - b))
      }),
      { numRuns: 300 },
    )
  })

  it('stand around blocks, items and labels', () => {
    const text = (id: string): Block => ({ type: 'text', id, tokens: [{ value: id }] })
    const tree: Content = {
      type: 'stack',
      children: [
        { type: 'stack', id: 'row', direction: 'row', children: [text('a'), text('b')] },
        {
          type: 'list',
          id: 'list',
          children: [
            {
              type: 'listItem',
              id: 'item',
              children: [
                { type: 'listItemLabel', id: 'label', icon: 'phone' },
                { type: 'text', id: 'c', tokens: [{ value: 'c' }] },
              ],
            },
          ],
        },
        {
          type: 'socialList',
          id: 'social',
          children: [
            { type: 'socialListItem', id: 'x', name: 'x-twitter', href: { text: 'https://x.com/a' } },
          ],
        },
        { type: 'divider', id: 'line' },
        { ...text('hidden'), visible: false },
      ],
    }
    const { html } = compile(withIds(tree), { ...surroundings(), mark }).render({})
    expect(markedIds(html)).toEqual(['row', 'a', 'b', 'list', 'item', 'label', 'c', 'social', 'x', 'line'])
  })
})

/** Blocks are numbered in the order of the content. */
function numbered(content: Content): Content {
  let count = 0
  const visit = <T extends object>(block: T): T => {
    count += 1
    const id = String(count)
    const { children } = block as { children?: readonly object[] }
    return { ...block, id, ...(children && { children: children.map(visit) }) }
  }
  return visit(content)
}
