// Every template with every kind of person and brand, rendered without a database.
// @module-tag random
import { type Content, contrast, fillIds, type Rendered, render, validateContent } from '@signoff/render'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Brand } from '#features/content/brand/index.ts'
import { designs } from '#features/content/templates/designs/index.ts'
import { paletteOf } from '#features/content/templates/palette.ts'
import { kitOf } from '#features/content/templates/rules.ts'
import {
  sampleBrand,
  sampleFields,
  sampleLogo,
  samplePerson,
  sampleSurroundings,
} from '#features/content/templates/samples.ts'
import { constructs, faults } from '../../render/test/support/assertions.ts'
import { type TemplatePerson, templatePerson } from './support/files/template-people.ts'
import { runs } from './support/runs.ts'

const publicUrl = 'https://sign.northbean.example'
/** As long as the addresses of real files. */
const pictures = `${publicUrl}/files/0198c2d4-7d0a-7c3e-9b1f-2f4c5a6b7c8d/Zk3v9QmT2xR7pL5w/192x192-circle-`
const surroundings = sampleSurroundings(publicUrl, pictures)
const hooks = {
  vcard: () => `${publicUrl}/v/0198c2d47d0a7c3e9b1f2f4c5a6b7c8d.vcf`,
  qrUrl: () => `${pictures}code.png`,
}

const emptyBrand: Brand = {
  ...sampleBrand,
  logo_asset_id: null,
  website: null,
  address: null,
  social: [],
}
/** As much as the API takes: templates show what fits. */
const largestBrand: Brand = {
  ...sampleBrand,
  colors: { primary: '#b5502b', text: '#7a1f4b', muted: '#80716a', link: '#00ffff' },
  font_family: 'Trebuchet MS',
  website: 'https://www.northbean-coffee.example/'.padEnd(500, 'a'),
  address: 'Große Straße & Hof, '.repeat(250),
  social: Array.from({ length: 8 }, () => ({
    name: 'linkedin-in',
    href: 'https://www.linkedin.com/company/northbean-coffee',
  })),
  legal: 'Größe & "Recht" '.repeat(312),
}
const brands = { full: sampleBrand, empty: emptyBrand, largest: largestBrand }

function contentOf(build: (typeof designs)[number]['build'], brand: Brand): Content {
  let n = 0
  const logo = brand.logo_asset_id === null ? null : sampleLogo
  return fillIds(build(kitOf(brand, sampleFields, logo)), () => `id-${++n}`)
}

const draw = (content: Content, person: TemplatePerson): Rendered =>
  render(content, person, { ...surroundings, ...hooks })

describe.each(designs.map(design => [design.id, design] as const))('%s', (_, { build }) => {
  it('is valid content', () => {
    for (const brand of Object.values(brands)) {
      const content = contentOf(build, brand)
      expect(validateContent(content, { field: 'content' }).problems).toEqual([])
    }
  })

  it('takes at most 6,000 bytes for a typical person, in both directions of writing', () => {
    const content = contentOf(build, sampleBrand)
    for (const name of ['Alex', 'ليلى']) {
      const person = { ...samplePerson(pictures), first_name: name }
      const { html, text, warnings } = draw(content, person)
      expect(Buffer.byteLength(html)).toBeLessThanOrEqual(6_000)
      expect(text).toContain(`${name} Morgan`)
      expect(warnings).toEqual([])
    }
  })

  it('takes at most 6,000 bytes with the largest brand, too', () => {
    const { html } = draw(contentOf(build, largestBrand), samplePerson(pictures))
    expect(Buffer.byteLength(html)).toBeLessThanOrEqual(6_000)
  })

  it('has no separator or label inside a link, and none at the start of a line', () => {
    const person = { ...samplePerson(pictures), work_phone: '' }
    for (const values of [samplePerson(pictures), person]) {
      const { html, text } = draw(contentOf(build, sampleBrand), values)
      for (const [, words] of html.matchAll(/<a href="(?:tel|mailto):[^>]*>(.*?)<\/a>/g))
        expect(words?.replace(/<[^>]*>/g, '')).toMatch(/^[^\s·]\S*( \d+)*$/)
      expect(text).not.toMatch(/^\s*·|·\s*$/m)
    }
  })

  it('has one place for banners, below everything or in full width, which takes no room without a campaign', () => {
    for (const brand of Object.values(brands)) {
      const content = contentOf(build, brand)
      const children = content.children ?? []
      const rest = children.filter(({ type }) => type !== 'marketing')
      expect(children.length - rest.length).toBe(1)
      expect(JSON.stringify(rest)).not.toContain('"marketing"')
      for (const person of fc.sample(templatePerson, { numRuns: runs(20), seed: 11 })) {
        const { html, text } = draw(content, person)
        const withoutSlot = draw({ ...content, children: rest }, person)
        expect({ html, text }).toEqual({ html: withoutSlot.html, text: withoutSlot.text })
      }
    }
  })

  it('passes an independent validator', async () => {
    for (const brand of Object.values(brands))
      expect(await faults(draw(contentOf(build, brand), samplePerson(pictures)).html)).toEqual([])
  })

  it('holds the rules of rendering for generated people, and warns of nothing', () => {
    const contents = Object.values(brands).map(brand => contentOf(build, brand))
    fc.assert(
      fc.property(fc.constantFrom(...contents), templatePerson, (content, person) => {
        const { html, warnings } = draw(content, person)
        expect(constructs(html)).toEqual([])
        expect(warnings).toEqual([])
        expect(html.length).toBeLessThanOrEqual(8_000)
      }),
      { numRuns: runs(80) },
    )
  })
})

const color = fc.integer({ min: 0, max: 0xffffff }).map(n => `#${n.toString(16).padStart(6, '0')}`)

it('colours of any brand can be read on a white mail, on a dark mail and on buttons', () => {
  fc.assert(
    fc.property(color, color, color, color, (primary, text, muted, link) => {
      const palette = paletteOf({ primary, text, muted, link })
      expect(palette.fill).toBe(primary)
      expect(contrast(palette.fill, palette.onFill)).toBeGreaterThanOrEqual(4.5)
      for (const used of [palette.accent, palette.contact, palette.muted, palette.link, palette.text]) {
        if (used === undefined) continue
        expect(contrast(used, '#ffffff')).toBeGreaterThanOrEqual(4.5)
        expect(contrast(used, '#1f1f1f')).toBeGreaterThanOrEqual(3)
      }
    }),
  )
})

it('titles and contact data have one grey, as light as a white mail allows', () => {
  const neutral = fc.integer({ min: 0, max: 255 }).map(n => `#${n.toString(16).padStart(2, '0').repeat(3)}`)
  fc.assert(
    fc.property(fc.oneof(neutral, color), muted => {
      const palette = paletteOf({ primary: null, text: null, muted, link: null })
      expect(palette.contact).toBe(palette.muted)
      expect(contrast(palette.muted, '#1f1f1f')).toBeGreaterThanOrEqual(3.5)
    }),
  )
})

it('a dark neutral text colour is left to the mail client, which inverts it in dark mode', () => {
  const colors = { primary: null, text: '#222222', muted: null, link: null }
  expect(paletteOf(colors).text).toBeUndefined()
  expect(paletteOf({ ...colors, text: '#7a1f4b' }).text).toMatch(/^#/)
})
