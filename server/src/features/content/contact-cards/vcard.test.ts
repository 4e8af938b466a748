import fc from 'fast-check'
import ICAL from 'ical.js'
import { describe, expect, it } from 'vitest'
import type { SmartField } from '#features/workspace/smart-fields/index.ts'
import { anyCharacter } from '#test/support/any-character.ts'
import { contactOf } from './contact.ts'
import { compactVcardOf, vcardOf } from './vcard.ts'

const field = (key: string, kind: SmartField['kind'] = 'text'): SmartField => ({
  id: key,
  label: key,
  key,
  kind,
  required: false,
  default: key !== 'website',
  computed: key === 'email',
  fallback: null,
  integration_id: null,
  integration_attribute: null,
  editable_by_owner: false,
  approval: 'none',
})
const texts = [
  'first_name',
  'last_name',
  'job_title',
  'department',
  'company',
  'work_phone',
  'mobile_phone',
  'email',
] as const
const fields = [...texts.map(key => field(key)), field('calendar_link', 'url'), field('website', 'url')]

type Property = readonly [name: string, parameters: object, type: string, ...values: (string | string[])[]]

/** The properties of a card by their names, as another program reads them. */
function read(card: string): Map<string, Property[]> {
  const [name, properties] = ICAL.parse(card) as [string, Property[]]
  expect(name).toBe('vcard')
  return Map.groupBy(properties, ([property]) => property)
}
const valuesOf = (card: Map<string, Property[]>, name: string) =>
  (card.get(name) ?? []).map(([, , , value]) => value)

/**
 * The texts of a property, with their parts, after RFC 2426. ical.js keeps some backslashes, and takes a semicolon after
 * an escaped backslash for an escaped semicolon.
 */
const textsOf = (card: string, name: string): string[][] =>
  card
    .replaceAll('\r\n ', '')
    .split('\r\n')
    .filter(line => line.startsWith(`${name}:`) || line.startsWith(`${name};`))
    .map(line => line.slice(line.indexOf(':') + 1))
    .map(value => [...`;${value}`.matchAll(/;((?:[^\\;]|\\.)*)/gu)].map(([, part = '']) => part))
    .map(parts => parts.map(part => part.replace(/\\(.)/gu, '$1')))

const ada = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  job_title: 'Head of engines',
  department: 'R&D',
  company: 'Example, Ltd',
  work_phone: '+44 20 7946 0000',
  mobile_phone: '+44 7700 900000',
  email: 'ada@example.com',
  calendar_link: 'https://cal.example.com/ada?a=1,2;3',
  website: 'https://example.com',
}

describe('a contact card', () => {
  it('has the properties that other programs import', () => {
    const text = vcardOf(contactOf(ada, fields, null), Buffer.alloc(300, 7))
    const card = read(text)
    expect(Object.fromEntries([...card.keys()].map(name => [name, valuesOf(card, name)]))).toEqual({
      version: ['3.0'],
      n: [['Lovelace', 'Ada', '', '', '']],
      fn: ['Ada Lovelace'],
      title: ['Head of engines'],
      org: [['Example, Ltd', 'R&D']],
      tel: ['+44 20 7946 0000', '+44 7700 900000'],
      email: ['ada@example.com'],
      url: ['https://example.com/', 'https://cal.example.com/ada?a=1,2;3'],
      'x-ablabel': ['Calendar'],
      photo: [Buffer.alloc(300, 7).toString('base64')],
    })
    expect(text.startsWith('BEGIN:VCARD\r\nVERSION:3.0\r\nN:')).toBe(true)
    expect(text).toContain('PHOTO;ENCODING=b;TYPE=JPEG:')
  })

  it('names its character set only where a value needs it', () => {
    const text = vcardOf(contactOf({ ...ada, last_name: 'Łukasiewicz' }, fields, null))
    expect(text).toContain('\r\nN;CHARSET=UTF-8:Łukasiewicz;Ada;;;\r\n')
    expect(text).toContain('\r\nORG:Example\\, Ltd;R&D\r\n')
  })

  it('of a person without a name shows the mail address', () => {
    const card = read(vcardOf(contactOf({ email: 'info@example.com', first_name: ' \n' }, fields, null)))
    expect([valuesOf(card, 'fn'), [...card.keys()]]).toEqual([
      ['info@example.com'],
      ['version', 'n', 'fn', 'email'],
    ])
  })

  it('uses the fallback of a field, and has no website that is not an address', () => {
    const withFallback = fields.map(each => (each.key === 'company' ? { ...each, fallback: 'Acme' } : each))
    const person = { first_name: 'Bo', email: 'bo@example.com', website: 'javascript:alert(1)' }
    const card = read(vcardOf(contactOf(person, withFallback, null)))
    expect([valuesOf(card, 'org').flat(), valuesOf(card, 'url')]).toEqual([['Acme'], []])
  })

  it('has the website of the company unless the person has one', () => {
    const { website: _, ...without } = ada
    const urlsOf = (person: object, company: string | null) =>
      valuesOf(read(vcardOf(contactOf({ ...person, calendar_link: '' }, fields, company))), 'url')
    expect(urlsOf(without, 'northbean.example')).toEqual(['https://northbean.example/'])
    expect(urlsOf(ada, 'northbean.example')).toEqual(['https://example.com/'])
    expect(urlsOf({ ...ada, website: 'javascript:alert(1)' }, 'northbean.example')).toEqual([
      'https://northbean.example/',
    ])
    expect(urlsOf(without, null)).toEqual([])
    expect(compactVcardOf(contactOf(without, fields, 'northbean.example'))).toContain(
      '\r\nURL:https://northbean.example/\r\n',
    )
  })

  it('has no characters that change the text direction', () => {
    const name = '\u202eAda\u2066 \u061cLove\u200f'
    const text = vcardOf(contactOf({ ...ada, first_name: name }, fields, null))
    expect(text).toContain('\r\nN:Lovelace;Ada Love;;;\r\nFN:Ada Love Lovelace\r\n')
  })

  it('cannot be extended by any value: another program reads the same texts back', () => {
    const nasty = fc.constantFrom(
      '\r\nTEL:+1 900 555',
      '\nEND:VCARD\nBEGIN:VCARD',
      ';;a,b\\',
      '\\n',
      '\u2028X-A:1',
      '\u0085X-B:1',
      '👩‍🔬'.repeat(60),
      '"',
      ':',
      '漢'.repeat(400),
    )
    const piece = fc.oneof(
      nasty,
      fc.string({ unit: anyCharacter, maxLength: 40 }),
      fc.string({ maxLength: 80 }),
    )
    const value = fc
      .array(piece, { maxLength: 4 })
      .map(pieces => pieces.join(''))
      .filter(text => text.isWellFormed())
    const anyPerson = fc.record(Object.fromEntries(fields.map(({ id }) => [id, value])))
    const allowed = new Set(['version', 'n', 'fn', 'title', 'org', 'tel', 'email', 'url', 'x-ablabel'])
    const cut = (text: string) => [...text].slice(0, 500).join('').trimEnd()
    fc.assert(
      fc.property(anyPerson, person => {
        const contact = contactOf({ ...person, email: 'ada@example.com' }, fields, null)
        for (const text of [vcardOf(contact), compactVcardOf(contact)]) {
          expect(text.replaceAll('\r\n', '')).not.toMatch(/[\p{Cc}\u2028\u2029]/u)
          const card = read(text)
          for (const [name, properties] of card) {
            expect(allowed).toContain(name)
            expect(properties.length).toBeLessThanOrEqual(name === 'tel' || name === 'url' ? 2 : 1)
          }
        }
        const text = vcardOf(contact)
        for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
        expect(textsOf(text, 'TITLE').flat().join('')).toBe(cut(contact.job_title))
        expect(textsOf(text, 'TEL')).toEqual(
          [contact.work_phone, contact.mobile_phone].filter(phone => phone !== '').map(phone => [cut(phone)]),
        )
        const { last_name: last, first_name: first } = contact
        const given = first || (last ? '' : 'ada@example.com')
        expect(textsOf(text, 'N')).toEqual([[cut(last), cut(given), '', '', '']])
      }),
      { numRuns: 200 },
    )
  })
})

describe('the card in a QR code', () => {
  it('has at most 300 bytes and keeps the most useful properties', () => {
    expect(read(compactVcardOf(contactOf(ada, fields, null))).size).toBe(8)
    const long = Object.fromEntries(fields.map(({ id }) => [id, '漢'.repeat(100)]))
    const email = `${'a'.repeat(60)}@example.com`
    const text = compactVcardOf(contactOf({ ...long, first_name: 'Ada', email }, fields, null))
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(300)
    expect(text).toContain(`EMAIL:${email}\r\n`)
  })
})
