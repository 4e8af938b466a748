import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Content,
  compile,
  fillIds,
  linkSources,
  linkTarget,
  type Person,
  safeUrl,
  validateContent,
} from '../src/index.ts'
import { constructs, faults } from './support/assertions.ts'
import { parse } from './support/parse.ts'
import { surroundings, withIds } from './support/surroundings.ts'
import { content, person, value } from './support/trees.ts'

const around = surroundings({ company: 'Fallback & Sons' })
const banner = {
  id: 'campaign',
  template: compile({ type: 'stack', children: [{ type: 'text', tokens: [{ value: 'Banner' }] }] }, around),
}
const draw = (tree: Content, who: Person) =>
  compile(tree, around).render(who, {
    campaign: () => banner,
    link: ({ id }) => `https://sign.example/c/${encodeURIComponent(id)}?x=1&y=2`,
    pixel: () => 'https://sign.example/p/1',
  })

const runs = 1_000

describe('any content for any person', () => {
  it('is accepted, and renders as HTML that mail clients can take', () => {
    fc.assert(
      fc.property(content, person, (tree, who) => {
        expect(validateContent(tree, { field: 'content' }).problems).toEqual([])
        expect(constructs(draw(withIds(tree), who).html)).toEqual([])
      }),
      { numRuns: runs },
    )
  })

  it('is valid HTML to an independent validator', async () => {
    await fc.assert(
      fc.asyncProperty(content, person, async (tree, who) => {
        expect(await faults(draw(withIds(tree), who).html)).toEqual([])
      }),
      { numRuns: 150 },
    )
  })

  it('has the same bytes every time', () => {
    fc.assert(
      fc.property(content, person, (tree, who) => {
        const copy = structuredClone(tree)
        expect(draw(copy, who)).toEqual(draw(tree, who))
        const template = compile(tree, around)
        expect(template.render(who)).toEqual(template.render(who))
        expect(copy).toEqual(tree)
      }),
      { numRuns: runs / 4 },
    )
  })

  it('tells in its text all that can be read in its HTML', () => {
    const bare = (text: string) => text.replace(/[\s:,\p{Cc}]+/gu, '')
    fc.assert(
      fc.property(content, person, (tree, who) => {
        const { html, text } = draw(withIds(tree), who)
        for (const words of parse(html).spans) expect(bare(text)).toContain(bare(words))
      }),
      { numRuns: runs },
    )
  })

  it('names every web link that it holds, and no other', () => {
    fc.assert(
      fc.property(content, person, (tree, who) => {
        const made: string[] = []
        const { html, anchors } = compile(withIds(tree), around).render(who, {
          link: ({ id }) => {
            made.push(id)
            return `https://sign.example/c/${made.length}`
          },
        })
        const links = parse(html).elements.flatMap(({ attributes }) => attributes.get('href') ?? [])
        const web = links.filter(link => link.startsWith('http'))
        expect(web.length).toBe(made.length)
        expect(anchors.map(anchor => anchor.id)).toEqual(
          web.map(link => made[Number(link.split('/').at(-1)) - 1]),
        )
      }),
      { numRuns: runs / 2 },
    )
  })

  it('leads where each of its links leads that is taken by itself', () => {
    fc.assert(
      fc.property(content, person, (tree, who) => {
        const filled = withIds(tree)
        const sources = linkSources(filled)
        expect(sources.map(source => source.id)).toEqual([...new Set(sources.map(source => source.id))])
        const byId = new Map(sources.map(source => [source.id, source]))
        for (const { id, url } of compile(filled, around).render(who).anchors)
          expect(linkTarget(byId.get(id)!, who, around)).toBe(url)
      }),
      { numRuns: runs / 2 },
    )
  })

  it('says nothing where every smart field is empty and nothing else is there', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('first_name', 'job_title', 'email'), { minLength: 1, maxLength: 5 }),
        names => {
          const tree: Content = {
            type: 'stack',
            blockStyle: { gap: 9, paddingTop: 5 },
            children: names.map(name => ({
              type: 'text',
              tokens: [{ value: 'Label: ' }, { smartFieldUuid: name }],
            })),
          }
          expect(compile(tree, around).render({})).toMatchObject({ html: '', text: '' })
        },
      ),
    )
  })

  it('keeps every value in its place', () => {
    fc.assert(
      fc.property(value, who => {
        const tree: Content = {
          type: 'stack',
          children: [
            {
              type: 'text',
              tokens: [{ smartFieldUuid: 'first_name', href: { text: 'https://example.com' } }],
            },
            {
              type: 'image',
              src: 'https://cdn.example/a.png',
              alt: who.replaceAll('\u0000', ''),
              width: 1,
              height: 1,
            },
          ],
        }
        const { html } = compile(tree, around).render({ first_name: who })
        const { problems, elements, text } = parse(html)
        expect(problems).toEqual([])
        expect(
          elements.filter(({ name, attributes }) => name !== 'br' && !attributes.has('dir')).length,
        ).toBe(who.trim() === '' ? 4 : 8)
        if (!/\p{Cc}/u.test(who) && who.trim() !== '') expect(text).toContain(who)
      }),
      { numRuns: runs },
    )
  })
})

describe('addresses', () => {
  it('lead to the web, mail or phone, or nowhere', () => {
    const scheme = fc.constantFrom(
      'https://',
      'http://',
      'javascript:',
      'data:',
      'vbscript:',
      'file://',
      'mailto:',
      'tel:',
      'sms:',
      '//',
      '',
      'java\nscript:',
      '\u200bjavascript:',
      'HTTPS://',
      'blob:',
      'about:',
    )
    fc.assert(
      fc.property(scheme, value, (start, rest) => {
        const url = safeUrl(start + rest)
        if (url === null) return
        expect(url).toMatch(/^(https?:\/\/[^/@.][^/@]*(\/|$)|mailto:[^\s]+@|tel:[+\d*#,;]+$|sms:[+\d*#,;]+$)/)
        expect(url).not.toMatch(/[\s<>"\p{Cc}]/u)
        expect(url.length).toBeLessThanOrEqual(2_048)
        expect(safeUrl(url)).toBe(url)
      }),
      { numRuns: 5_000 },
    )
  })
})

describe('ids', () => {
  it('are filled in where they are missing, and nothing else changes', () => {
    fc.assert(
      fc.property(content, tree => {
        const filled = withIds(tree)
        expect(validateContent(filled, { field: 'content' }).problems).toEqual([])
        expect(fillIds(filled, () => 'never')).toEqual(filled)
        const without = JSON.parse(
          JSON.stringify(filled),
          function (this: Record<string, unknown>, key, item) {
            return key === 'id' && String(item).startsWith('id-') ? undefined : item
          },
        )
        expect(without).toEqual(JSON.parse(JSON.stringify(tree)))
      }),
      { numRuns: 200 },
    )
  })
})
