// A signature that another channel has put into a mail, as mail clients write it.
import { describe, expect, it } from 'vitest'
import { hasLettersOf, inspectMessage } from './index.ts'
import { encodeCharset } from './writing/encoders.ts'

const options = { instance: 'here', linkHosts: ['links.example.com'], stampsAutoReplies: false }
const signature = { html: '<p>Zoë Ångström</p><p>Room 7</p>', text: 'Zoë Ångström\nRoom 7' }
const ascii = { html: '<p>Ada Lovelace</p><p>Room 7</p>', text: 'Ada Lovelace\nRoom 7' }

async function isSigned(
  type: string,
  body: string | Buffer,
  written: typeof signature,
  charset = 'utf-8',
): Promise<boolean> {
  const header = `From: ada@example.com\r\nMIME-Version: 1.0\r\nContent-Type: ${type}; charset=${charset}\r\nContent-Transfer-Encoding: 8bit\r\n\r\n`
  const message = Buffer.concat([Buffer.from(header), Buffer.from(body)])
  const inspection = await inspectMessage(message, options)
  if (inspection.action === 'leave') throw new Error(inspection.reason)
  return await hasLettersOf(inspection.plan, [written])
}

describe('the letters of a signature', () => {
  it.each([
    ['tags inside words', '<p>Hi</p><b>A</b>da Love<wbr>lace <span title="a > b">Room</span>7'],
    ['entities', '&#65;da&nbsp;Lovelace, R&#111;om&nbsp;7'],
    ['spaces and soft hyphens', '<p>Ada\u00a0Love\u00adlace</p>\n\n  <p>Room 7</p>'],
    ['signs of less and more', '<p>1 < 2, 2 <3</p><p>Ada < Lovelace > Room & 7</p>'],
    ['a comment and a style between them', '<p>Ada</p><!-- x --><style>p { }</style><p>Lovelace Room 7</p>'],
    ['other letters around them', '<p>Привет</p><p>Ada Lovelace</p><p>Room 7 – hier</p>'],
  ])('are found in HTML with %s', async (_name, body) => {
    expect(await isSigned('text/html', body, ascii)).toBe(true)
    expect(await isSigned('text/html', body.replace('7', '8'), ascii)).toBe(false)
  })

  it('are found in other writings of the same letters, and in other charsets', async () => {
    for (const body of ['Zoe\u0308 A\u030angstro\u0308m Room 7', 'Zo&euml; &Aring;ngstr&ouml;m Room 7'])
      expect(await isSigned('text/html', `<p>${body}</p>`, signature), body).toBe(true)
    const latin = encodeCharset('Zoë Ångström\r\nRoom 7\r\n', 'iso-8859-1') ?? ''
    expect(await isSigned('text/plain', latin, signature, 'iso-8859-1')).toBe(true)
    expect(await isSigned('text/plain', 'Zoe Angstrom\r\nRoom 7\r\n', signature)).toBe(true)
    // Escape sequences of ISO-2022 are ASCII bytes: こんにちは above the signature.
    const japanese = Buffer.from('\x1b$B$3$s$K$A$O\x1b(B\r\nAda Lovelace\r\nRoom 7\r\n', 'latin1')
    expect(await isSigned('text/plain', japanese, ascii, 'iso-2022-jp')).toBe(true)
  })

  it('are not found in a quote, nor in what the browser does not show', async () => {
    const quote =
      '<div class="gmail_quote">On 16 Nov 2026 Bob wrote:<br><blockquote>Ada Lovelace Room 7</blockquote></div>'
    expect(await isSigned('text/html', `<p>Hi</p>${quote}`, ascii)).toBe(false)
    expect(await isSigned('text/html', '<p>Hi</p><!-- Ada Lovelace Room 7 --><p>You</p>', ascii)).toBe(false)
    expect(await isSigned('text/html', '<p title="Ada Lovelace Room 7">Hi</p>', ascii)).toBe(false)
  })
})
