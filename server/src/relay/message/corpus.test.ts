// Every message of the corpus passes as it came, or has the signature at its place and is the same otherwise. The
// judge is an independent parser.
import { createHash } from 'node:crypto'
import PostalMime, { type Email } from 'postal-mime'
import { describe, expect, it } from 'vitest'
import type { CorpusMessage, ExpectedPlace } from '#test/messages/builder.ts'
import { corpus } from '#test/messages/corpus.ts'
import { inspectMessage, processedHeader, stampMessage } from './index.ts'
import { wrapperStart } from './place/own-signature.ts'

const options = { instance: 'test-instance', linkHosts: ['links.example.com'], stampsAutoReplies: false }

/** Letters of three scripts, and no link of ours: nothing but the wrapper and the text itself tells of it. */
const signature = {
  html: `<table role="presentation"><tr><td style="padding:0"><span style="font-family:Arial;color:#333333">Łucja Ångström – 数学</span><br><a href="https://example.com/?${'q=1&amp;'.repeat(90)}">Website</a></td></tr></table>`,
  text: 'Łucja Ångström – 数学\n  Phone: +49 30 123456\nWebsite: https://example.com',
}
const plainText = 'Phone: +49 30 123456 Website: https://example.com'

const squeezed = (text: string | undefined): string =>
  (text ?? '').replace(/[\s\u00a0\u200b\u200e\u200f\u202a-\u202e\ufeff]+/g, ' ').trim()
const without = (text: string | undefined): string => (text ?? '').replace(/\s+/g, '')
/** The text that a reader sees of HTML. */
const visible = (html: string | undefined): string =>
  squeezed(
    (html ?? '').replace(/<style[\s\S]*?(?:<\/style>|$)|<!--[\s\S]*?(?:-->|$)|<[^>]*(?:>|$)|&nbsp;/g, ' '),
  )

const parse = (message: Buffer): Promise<Email> => PostalMime.parse(message, { forceRfc822Attachments: true })
const filesOf = (email: Email) =>
  email.attachments.map(({ filename, mimeType, disposition, contentId, content }) => ({
    filename,
    mimeType,
    disposition,
    contentId,
    sha: createHash('sha256')
      .update(new Uint8Array(content as ArrayBuffer))
      .digest('hex'),
  }))
/** A text that is written anew says so in these two lines. */
const changeable = new Set(['content-type', 'content-transfer-encoding', 'mime-version'])
const headersOf = (email: Email) => email.headers.filter(({ key }) => !changeable.has(key))
const longLines = (message: Buffer) =>
  message
    .toString('latin1')
    .split('\r\n')
    .filter(line => line.length > 998)

async function stamp(message: Buffer): Promise<Buffer> {
  const inspection = await inspectMessage(message, options)
  return inspection.action === 'leave'
    ? message
    : Buffer.concat(stampMessage(message, inspection.plan, signature))
}

function expectHtml(before: Email, after: Email, { above, below }: ExpectedPlace): void {
  const html = after.html ?? ''
  const at = html.indexOf(wrapperStart)
  const end = html.indexOf('</table></div>', at) + '</table></div>'.length
  expect(without(html.slice(0, at) + html.slice(end))).toBe(without(before.html))
  expect(visible(html.slice(at, end))).toBe('&#321;ucja &#197;ngstr&#246;m &#8211; &#25968;&#23398; Website')
  expect([visible(html.slice(0, at)), visible(html.slice(end))]).toEqual([visible(above), visible(below)])
}

function expectText(before: Email, after: Email, place: ExpectedPlace): void {
  const text = squeezed(after.text)
  const written = text.includes(squeezed(signature.text)) ? squeezed(signature.text) : plainText
  const at = text.indexOf(written)
  expect(at).toBeGreaterThanOrEqual(0)
  const [above, below] = [text.slice(0, at), text.slice(at + written.length)]
  expect(squeezed(`${above} ${below}`)).toBe(squeezed(before.text))
  if (/\ufffd|[\x80-\xff]{2}/.test(above + place.above)) return // bytes that the parsers read in different ways
  expect([squeezed(above), squeezed(below)]).toEqual([squeezed(place.above), squeezed(place.below)])
}

describe('a message of the corpus', () => {
  it('is one of many', () => {
    expect(corpus.length).toBeGreaterThan(300)
    expect(new Set(corpus.map(({ name }) => name)).size).toBe(corpus.length)
    expect(corpus.filter(({ expected }) => expected === 'stamp').length).toBeGreaterThan(200)
  })

  it.each(corpus.filter(({ expected }) => expected !== 'stamp'))(
    'is left alone: $name',
    async ({ bytes, expected }) => {
      expect(await inspectMessage(bytes, options)).toMatchObject({ action: 'leave', reason: expected })
    },
  )

  it.each(corpus.filter(({ expected }) => expected === 'stamp'))(
    'has the signature at its place: $name',
    async message => {
      await expectStamped(message)
    },
  )
})

async function expectStamped({ bytes, isReply, html, text }: CorpusMessage): Promise<void> {
  const original = Buffer.from(bytes)
  expect(await inspectMessage(bytes, options)).toMatchObject({
    action: 'stamp',
    from: 'ada@example.com',
    isReply,
  })
  const stamped = await stamp(bytes)
  expect(bytes.equals(original)).toBe(true)
  const [before, after] = [await parse(bytes), await parse(stamped)]
  expect([html, text]).not.toEqual([null, null])
  if (html) expectHtml(before, after, html)
  if (text) expectText(before, after, text)
  expect(filesOf(after)).toEqual(filesOf(before))
  expect(headersOf(after)).toEqual(headersOf(before))
  expect(longLines(stamped).filter(line => !longLines(bytes).includes(line))).toEqual([])
  expect((await stamp(stamped)).equals(stamped)).toBe(true)
  const passed = Buffer.concat([processedHeader(options.instance), stamped])
  expect(await inspectMessage(passed, options)).toMatchObject({
    action: 'leave',
    reason: 'already_processed',
  })
}
