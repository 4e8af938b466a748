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
import { cardHooks, personPicture, surroundings, withIds } from './support/surroundings.ts'
import { content, person, value } from './support/trees.ts'

const workspace = { ...surroundings({ company: 'Fallback & Sons' }), personPicture }
const banner = {
  id: 'campaign',
  template: compile(
    { type: 'stack', children: [{ type: 'text', tokens: [{ value: 'Banner' }] }] },
    workspace,
  ),
}
const draw = (tree: Content, somePerson: Person) =>
  compile(tree, workspace).render(somePerson, {
    campaign: () => banner,
    link: ({ id }) => `https://sign.example/c/${encodeURIComponent(id)}?x=1&y=2`,
    pixel: () => 'https://sign.example/p/1',
    ...cardHooks,
  })

const runs = 1_000

describe('any content for any person', () => {
  it('is valid, and renders as HTML that mail clients accept', () => {
    fc.assert(
      fc.property(content, person, (tree, somePerson) => {
        expect(validateContent(tree, { field: 'content' }).problems).toEqual([])
        expect(constructs(draw(withIds(tree), somePerson).html)).toEqual([])
      }),
      { numRuns: runs },
    )
  })

  it('renders as HTML that an independent validator accepts', { tags: ['deep'] }, async () => {
    await fc.assert(
      fc.asyncProperty(content, person, async (tree, somePerson) => {
        expect(await faults(draw(withIds(tree), somePerson).html)).toEqual([])
      }),
      { numRuns: 150 },
    )
  })

  it('renders the same bytes every time', () => {
    fc.assert(
      fc.property(content, person, (tree, somePerson) => {
        const copy = structuredClone(tree)
        expect(draw(copy, somePerson)).toEqual(draw(tree, somePerson))
        const template = compile(tree, workspace)
        expect(template.render(somePerson)).toEqual(template.render(somePerson))
        expect(copy).toEqual(tree)
      }),
      { numRuns: runs / 4 },
    )
  })

  it('has all words of the HTML in its plain text', () => {
    const lettersOf = (text: string) => text.replace(/[\s:,\p{Cc}]+/gu, '')
    fc.assert(
      fc.property(content, person, (tree, somePerson) => {
        const { html, text } = compile(withIds(tree), workspace).render(somePerson, {
          campaign: () => banner,
          ...cardHooks,
        })
        // The address of a link stands behind its suffix, which can share a span with the next words.
        const { elements, spans } = parse(html)
        const plain = lettersOf(text)
        const withoutAddresses = elements
          .flatMap(({ attributes }) => attributes.get('href') ?? [])
          .flatMap(href => [href, href.slice(href.indexOf(':') + 1)])
          .reduce((rest, address) => rest.replaceAll(`(${lettersOf(address)})`, ''), plain)
        for (const words of spans)
          expect([plain, withoutAddresses].some(version => version.includes(lettersOf(words)))).toBe(true)
      }),
      { numRuns: runs },
    )
  })

  it('lists every web link of the HTML in `anchors`, in order, and no other', () => {
    fc.assert(
      fc.property(content, person, (tree, somePerson) => {
        const tracked: string[] = []
        const { html, anchors } = compile(withIds(tree), workspace).render(somePerson, {
          link: ({ id }) => {
            tracked.push(id)
            return `https://sign.example/c/${tracked.length}`
          },
        })
        const links = parse(html).elements.flatMap(({ attributes }) => attributes.get('href') ?? [])
        const web = links.filter(link => link.startsWith('http'))
        expect(web.length).toBe(tracked.length)
        expect(anchors.map(anchor => anchor.id)).toEqual(
          web.map(link => tracked[Number(link.split('/').at(-1)) - 1]),
        )
      }),
      { numRuns: runs / 2 },
    )
  })

  it('has the same link targets as `linkTarget` gives for each link alone', () => {
    fc.assert(
      fc.property(content, person, (tree, somePerson) => {
        const filled = withIds(tree)
        const sources = linkSources(filled)
        expect(sources.map(source => source.id)).toEqual([...new Set(sources.map(source => source.id))])
        const byId = new Map(sources.map(source => [source.id, source]))
        for (const { id, url } of compile(filled, workspace).render(somePerson).anchors)
          expect(linkTarget(byId.get(id)!, somePerson, workspace)).toBe(url)
      }),
      { numRuns: runs / 2 },
    )
  })

  it('leaves out lines whose smart fields are all empty, fixed words included', () => {
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
          expect(compile(tree, workspace).render({})).toMatchObject({ html: '', text: '' })
        },
      ),
    )
  })

  it('escapes every value, so that no value adds an element', () => {
    fc.assert(
      fc.property(value, text => {
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
              alt: text.replaceAll('\u0000', ''),
              width: 1,
              height: 1,
            },
          ],
        }
        const { html } = compile(tree, workspace).render({ first_name: text })
        const parsed = parse(html)
        expect(parsed.problems).toEqual([])
        expect(
          parsed.elements.filter(
            ({ name, attributes }) => name !== 'br' && !(name === 'span' && attributes.has('dir')),
          ).length,
        ).toBe(text.trim() === '' ? 4 : 8)
        if (!/\p{Cc}/u.test(text) && text.trim() !== '') expect(parsed.text).toContain(text)
      }),
      { numRuns: runs },
    )
  })
})

describe('any address', () => {
  it('is a safe web, mail or phone address, or is refused', () => {
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
      fc.property(scheme, value, (prefix, rest) => {
        const url = safeUrl(prefix + rest)
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
