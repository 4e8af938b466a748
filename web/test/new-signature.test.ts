import { validateContent } from '@signoff/render'
import type { Content } from '@signoff/sdk'
import { describe, expect, it } from 'vitest'
import { designs } from '../../server/src/features/content/templates/designs/index.ts'
import { kitOf } from '../../server/src/features/content/templates/rules.ts'
import { sampleBrand, sampleFields, sampleLogo } from '../../server/src/features/content/templates/samples.ts'
import { withBannerSlot } from '../src/pages/campaigns/warnings/with-banner-slot.ts'
import { htmlOfFile, htmlOfText } from '../src/pages/signatures/create/signature-html.ts'
import { traitsOf } from '../src/pages/signatures/create/template-traits.ts'
import { groupsOf, newGroup, standOf } from '../src/records/rules/rule-model.ts'
import { templateMessages, translatedTemplate } from '../src/records/templates/template-messages.ts'
import { problemMessages } from '../src/state/problem-messages.ts'
import { builtInFields } from '../src/texts/built-in-fields.ts'

const template = {
  type: 'stack',
  children: [
    { type: 'image', alt: '', smartFieldUuid: '01a1e0a4-15b9-71f7-98af-f25f4b8294b4' },
    { type: 'text', tokens: [{ value: 'One' }] },
  ],
} as unknown as Content

describe('a signature without a place for banners', () => {
  it.each([
    ['at its end, with space above', template],
    ['below its columns', { ...template, direction: 'row', dir: 'ltr' } as unknown as Content],
  ])('gets it %s', (_, before) => {
    const content = withBannerSlot(before)
    expect(validateContent(content as never, { field: 'content' }).problems).toEqual([])
    const { children, direction } = content as unknown as { children: unknown[]; direction?: string }
    expect(direction).not.toBe('row')
    expect(children.at(-1)).toMatchObject({ type: 'marketing', blockStyle: { marginTop: 16 } })
    expect(JSON.stringify(before)).not.toContain('marketing')
  })
})

describe('a new signature', () => {
  it('has the words of its template in German, each of them', () => {
    interface Part {
      readonly displayName?: string
      readonly tokens?: readonly { readonly value?: string }[]
      readonly children?: readonly Part[]
    }
    const wordsOf = ({ displayName, tokens = [], children = [] }: Part): string[] => [
      ...(displayName === undefined ? [] : [displayName]),
      ...tokens.flatMap(({ value }) => (value?.trim() ? [value] : [])),
      ...children.flatMap(wordsOf),
    ]
    const contents = designs.map(design => design.build(kitOf(sampleBrand, sampleFields, sampleLogo)))
    const german = { ...builtInFields.de, ...templateMessages.de }
    const ofBrand = JSON.stringify(sampleBrand)
    const all = new Set(contents.flatMap(content => wordsOf(content as Part)))
    expect([...all].filter(word => !(word in german) && !ofBrand.includes(word))).toEqual([])
    for (const content of contents) {
      const translated = translatedTemplate(content as unknown as Content, 'de')
      expect(wordsOf(translated as Part)).toEqual(wordsOf(content as Part).map(word => german[word] ?? word))
      expect(validateContent(translated as never, { field: 'content' }).problems).toEqual([])
    }
    expect(translatedTemplate(template, 'en')).toBe(template)
  })

  it('is found by what its template has', () => {
    expect([...traitsOf({ content: template })]).toEqual(['photo', 'compact'])
  })

  it('begins with the HTML of a file in its own character set, or with plain lines', async () => {
    const file = (name: string, bytes: number[]) => new File([new Uint8Array(bytes)], name)
    const bytes = [...Buffer.from('<meta charset=windows-1252><p>Z'), 0xfc, ...Buffer.from('rich</p>')]
    expect(await htmlOfFile(file('a.htm', bytes))).toContain('Zürich')
    expect(await htmlOfFile(file('a.png', bytes))).toBeUndefined()
    expect(htmlOfText('Ada & Co\nFounder')).toBe('Ada &amp; Co<br>Founder')
  })

  it('says why a paste is refused, in words of the language', () => {
    const keyOf = (code: string, message: string) => problemMessages({ field: 'html', code, message })[0]?.key
    expect(keyOf('invalid', 'html takes too long to read')).toBe('htmlTooLarge')
    expect(keyOf('too_many', 'html has more than 5000 elements')).toBe('htmlTooLarge')
    expect(keyOf('too_long', 'html must NOT have more than 262144 characters')).toBe('htmlTooLarge')
    expect(keyOf('too_deep', 'html is nested deeper than 400 elements')).toBe('htmlTooDeep')
  })

  it('is not published before rules on the page that are not saved are asked for', () => {
    const stored = [[{ smart_field_id: 'department', operator: 'is_any_of' as const, values: ['Sales'] }]]
    expect(standOf(groupsOf(stored), stored)).toBe('saved')
    expect(standOf(groupsOf(stored), [])).toBe('complete')
    expect(standOf([...groupsOf(stored), newGroup()], stored)).toBe('incomplete')
  })
})
