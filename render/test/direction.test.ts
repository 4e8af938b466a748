import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Content, compile, type Person } from '../src/index.ts'
import { isRightToLeft } from '../src/style/direction.ts'
import { parse } from './support/parse.ts'
import { surroundings } from './support/surroundings.ts'
import { content as anyContent, person as anyPerson } from './support/trees.ts'

const content: Content = {
  type: 'stack',
  children: [
    { type: 'text', tokens: [{ value: 'Kind regards' }] },
    { type: 'text', tokens: [{ smartFieldUuid: 'email' }] },
    { type: 'text', tokens: [{ smartFieldUuid: 'first_name' }, { smartFieldUuid: 'job_title' }] },
  ],
}
const isMirrored = (person: Person, tree: Content = content): boolean =>
  compile(tree, surroundings()).render(person).html.startsWith('<table dir="rtl"')

describe('the direction of a signature', () => {
  it.each<[string, Person, boolean]>([
    ['a Latin name', { first_name: 'Ada' }, false],
    ['a Greek name', { first_name: 'Ωμέγα' }, false],
    ['a Hebrew name', { first_name: 'דוד' }, true],
    ['an Arabic name after digits and signs', { first_name: '(1) محمد' }, true],
    ['a Latin name with an Arabic title', { first_name: 'Ada', job_title: 'مدير' }, false],
    ['only an Arabic title', { job_title: 'مدير' }, true],
    ['a Hebrew name after a Latin address', { first_name: 'דוד', email: 'david@example.com' }, true],
    ['no value with letters', { first_name: '42' }, false],
  ])('follows %s', (_name, person, expected) => {
    expect(isMirrored(person)).toBe(expected)
  })

  it('follows the words of the content when the person has no letters', () => {
    const words: Content = { type: 'stack', children: [{ type: 'text', tokens: [{ value: 'שלום' }] }] }
    expect(isMirrored({}, words)).toBe(true)
    expect(isMirrored({}, { ...words, dir: 'ltr' })).toBe(false)
  })

  it('is the one that the content gives, whatever the person writes', () => {
    expect(isMirrored({ first_name: 'דוד' }, { ...content, dir: 'ltr' })).toBe(false)
    expect(isMirrored({ first_name: 'Ada' }, { ...content, dir: 'rtl' })).toBe(true)
  })

  it('of a banner is that of the signature around it', () => {
    const template = compile({ type: 'stack', children: [{ type: 'icon', name: 'star' }] }, surroundings())
    const tree: Content = { ...content, children: [...(content.children ?? []), { type: 'marketing' }] }
    const campaign = () => ({ id: 'campaign', template })
    const { html } = compile(tree, surroundings()).render({ first_name: 'דוד' }, { campaign })
    expect(html.split('<table dir="rtl"').length - 1).toBe(2)
  })

  it('changes no word, no link and no picture', () => {
    const whatIsShown = (tree: Content, person: Person) => {
      const { html, text, anchors } = compile(tree, surroundings()).render(person)
      const { elements, text: words } = parse(html)
      const addresses = elements
        .map(({ attributes }) => attributes.get('href') ?? attributes.get('src'))
        .filter(Boolean)
      return { text, anchors, words, addresses }
    }
    fc.assert(
      fc.property(anyContent, anyPerson, (tree, person) => {
        expect(whatIsShown({ ...tree, dir: 'rtl' }, person)).toEqual(
          whatIsShown({ ...tree, dir: 'ltr' }, person),
        )
      }),
      { numRuns: 300 },
    )
  })

  it('is read from any text in linear time', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), text => void isRightToLeft(text)))
    expect(isRightToLeft('1 '.repeat(500_000))).toBeUndefined()
  })
})
