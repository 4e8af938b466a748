import { describe, expect, it } from 'vitest'
import { compile, linkTarget, safeUrl } from '../src/index.ts'
import { linkOf, linkOfText, linkOfValue, withParameters } from '../src/links/links.ts'
import { surroundings } from './support/surroundings.ts'

describe('an address', () => {
  it.each([
    ['https://example.com', 'https://example.com/'],
    ['HTTP://EXAMPLE.com/A', 'http://example.com/A'],
    ['example.com', 'https://example.com/'],
    ['example.com:8080/x', 'https://example.com:8080/x'],
    ['münchen.de', 'https://xn--mnchen-3ya.de/'],
    ['mailto:123@qq.com', 'mailto:123@qq.com'],
    ['mailto:a@b.example?subject=Hi', 'mailto:a@b.example?subject=Hi'],
    ['tel:+44 (0)20 7946 0101', 'tel:+442079460101'],
    ['sms:+15551234?body=call 5 now', 'sms:+15551234'],
    ['http://localhost:3000/x', 'http://localhost:3000/x'],
    ['https://intranet/x', 'https://intranet/x'],
    ['intranet/x', null],
    ['https://example..com', null],
    ['java\tscript:alert(1)', null],
    ['\u200bjavascript:alert(1)', null],
    ['https://exam"ple.com', null],
    ["https://it's.example.com", null],
    ['https://my_host.example.com/', 'https://my_host.example.com/'],
    ['//evil.example', null],
    ['\\\\evil.example', null],
    ['/about.html', null],
    ['../x.html', null],
    ['./a.b', null],
    ['N.A.', null],
    ['2130706433', null],
    ['127.0.0.1', null],
    ['https://user:pass@example.com', null],
    ['file:///etc/passwd', null],
    ['blob:https://a.example/x', null],
    ['mailto:a@b.example%0aBcc:c@d.example', null],
    ['mailto:nobody', null],
    ['tel:none', null],
    [`https://example.com/${'x'.repeat(2_048)}`, null],
    ['', null],
  ])('%j is read as %j', (given, expected) => {
    expect(safeUrl(given)).toBe(expected)
  })
})

describe('the value of a smart field', () => {
  it.each([
    ['phone', '+1 (555) 010-0100 ext. 5', 'tel:+15550100100,5'],
    ['phone', 'n/a', null],
    ['email', 'ada@example.com', 'mailto:ada@example.com'],
    ['email', 'ada at example', null],
    ['url', 'www.example.com', 'https://www.example.com/'],
    ['text', 'example.com/me', 'https://example.com/me'],
  ] as const)('of kind %s, %j, links to %j', (kind, value, expected) => {
    expect(linkOf(kind, value)).toBe(expected)
  })
})

describe('text', () => {
  it.each([
    [' +44 20 7946 0101 ', 'tel:+442079460101'],
    ['+44 (0)20 7946–0101 ext. 5', 'tel:+442079460101,5'],
    ['01 42 68 53 00', 'tel:0142685300'],
    ['(030) 901 820', 'tel:030901820'],
    ['030 901 8200', 'tel:0309018200'],
    ['ada@example.com', 'mailto:ada@example.com'],
    ['www.example.com/x', 'https://www.example.com/x'],
    ['https://intranet/x', 'https://intranet/x'],
    ['T +44 20 7946 0101', null],
    ['+44 20 7946 0101, 12 Main Street, 12/12/2026', null],
    ['+44 20 7946 0101, 12/12/2026', null],
    ['+44 20 7946 0101 / +44 7700 900123', null],
    ['write to ada@example.com!', null],
    ['a@b.co and www.example.com', null],
    ['see www.example.com/x', null],
    ['ada@intranet', null],
    ['01/02/2024', null],
    ['01 02 2024', null],
    ['Company no. 01234567', null],
    ['01234567', null],
    ['01.01.2024', null],
    ['24/7', null],
    ['Head of R&D @ Acme', null],
  ])('%j links to %j', (given, expected) => {
    expect(linkOfText(given)).toBe(expected)
  })
})

describe('the value of a smart field that is shown', () => {
  it.each([
    ['phone', ' 4711 ', 'tel:4711'],
    ['phone', '+1 (555) 010-0100 ext. 5', 'tel:+15550100100,5'],
    ['phone', '+44 20 7946 0101 or +44 7700 900123', null],
    ['phone', '+44 20 7946 0101, 12/12/2026', null],
    ['phone', 'ask Ada, room 12', null],
    ['url', 'example.com/me', 'https://example.com/me'],
    ['text', 'example.com and more', null],
    ['image', 'https://a.example/x.png', null],
  ] as const)('of kind %s, %j, links to %j', (kind, value, expected) => {
    expect(linkOfValue(kind, value)).toBe(expected)
  })
})

describe('a link in a mail that was sent', () => {
  it('still leads to the address inside a text, which is no link in new mails', () => {
    const link = { id: 'a', token: { value: 'see www.example.com/x for more' } }
    expect(linkTarget(link, {}, surroundings())).toBe('https://www.example.com/x')
    expect(linkTarget({ id: 'a', token: { value: 'nothing' } }, {}, surroundings())).toBeNull()
  })
})

describe('parameters', () => {
  it('are added to the existing query', () => {
    expect(
      withParameters('https://a.example/?q=a%20b#top', [
        { key: 'd', value: '1' },
        { key: 'd', value: 'é&' },
      ]),
    ).toBe('https://a.example/?q=a%20b&d=1&d=%C3%A9%26#top')
    expect(withParameters('mailto:a@b.example', [{ key: 'd', value: '1' }])).toBe('mailto:a@b.example')
  })

  it('are left out when the address would become too long', () => {
    expect(withParameters('https://a.example/', [{ key: 'd', value: 'x'.repeat(5_000) }])).toBe(
      'https://a.example/',
    )
  })
})

describe('a template', () => {
  it('keeps its cache small, even for a large output', () => {
    const children = Array.from({ length: 480 }, (_, n) => ({
      type: 'image' as const,
      id: `${n}`,
      assetUuid: 'logo',
      alt: "'".repeat(480),
    }))
    const template = compile({ type: 'stack', children }, surroundings())
    const before = process.memoryUsage().heapUsed
    const length = template.render({}).html.length
    expect(length).toBeGreaterThan(1_000_000)
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(30_000_000)
  })
})
