// Scanners that replaced regular expressions which took more than linear time. On short texts they are compared with
// the old expression. On long texts it is enough that they finish: without linear time each would take minutes or never
// end.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dialable, linkOf, linkOfText, safeUrl } from '../src/links/links.ts'
import { parseColor } from '../src/style/colors.ts'

const letters = (text: string) => fc.string({ unit: fc.constantFrom(...text), maxLength: 14 })

describe('scanning gives the same result as the regular expression that it replaced', () => {
  it('for the mailboxes of a mailto link', () => {
    const replaced = /^[^\s@<>"]+@[^\s@<>"]+(,[^\s@<>"]+@[^\s@<>"]+)*$/
    fc.assert(
      fc.property(letters('ab@@,,.'), text => {
        expect(safeUrl(`mailto:${text}`) !== null, text).toBe(replaced.test(text))
      }),
      { numRuns: 5_000 },
    )
  })

  it('for a text that is an email address', () => {
    const replaced = /^[^\s@<>()[\]\\,;:"%?&#]+@[^\s@<>()[\]\\,;:"%?&#/]+\.[\p{L}\d-]{2,}$/u
    fc.assert(
      fc.property(letters('ab-@@..é <,/'), text => {
        const address = replaced.exec(text.trim())?.[0]
        expect(linkOfText(text), text).toBe(address === undefined ? null : linkOf('email', address))
      }),
      { numRuns: 5_000 },
    )
  })

  it('for the extension of a telephone number', () => {
    const replaced = (text: string): string =>
      text
        .replace(/\s*(?:ext\.?|x)\s*(?=\d+\s*$)/i, ',')
        .replace(/[^+\d*#,;]/g, '')
        .replace(/(?!^)\+/g, '')
    fc.assert(
      fc.property(letters('12 \text.X'), text => {
        expect(dialable(text), text).toBe(replaced(text))
      }),
      { numRuns: 5_000 },
    )
  })

  it('for colours', () => {
    const replaced = /^rgb\(\s*(\d{1,3})\s*[, ]\s*(\d{1,3})\s*[, ]\s*(\d{1,3})\s*\)$/
    fc.assert(
      fc.property(letters('12  ,,\t'), inner => {
        const [, ...parts] = replaced.exec(`rgb(${inner})`) ?? []
        const isColor = parts.length === 3 && parts.every(part => Number(part) <= 255)
        expect(typeof parseColor(`rgb(${inner})`) === 'string', inner).toBe(isColor)
      }),
      { numRuns: 5_000 },
    )
  })
})

describe('a long text is scanned in linear time', () => {
  const group = `${'b,'.repeat(10)}b`
  it.each([
    ['a mailto link of many mailboxes', () => safeUrl(`mailto:a@${Array(14).fill(group).join('@')}@`)],
    ['a text of many @', () => linkOfText('a@'.repeat(500_000))],
    ['a text of many letters and one @', () => linkOfText(`${'-'.repeat(500_000)}@--.`)],
    ['a text of many dots', () => linkOfText(`a@b${'.c'.repeat(500_000)}`)],
    ['a number of many blanks', () => dialable(`1${' '.repeat(500_000)}2`)],
    ['a colour of many blanks', () => parseColor(`rgb(1${' '.repeat(500_000)}2${' '.repeat(500_000)})`)],
    ['a text of many brackets', () => linkOfText('(0'.repeat(300_000))],
    ['a text of many plus signs', () => linkOfText('+1 '.repeat(300_000))],
    ['a text of many invalid web addresses', () => linkOfText('http://<'.repeat(100_000))],
  ])('%s', (_name, scan) => {
    expect(scan() ?? null).toBeDefined()
  })
})
