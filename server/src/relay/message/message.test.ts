// What the corpus does not show: addresses, switches, slices, long lines, charsets, bare line feeds.
import PostalMime from 'postal-mime'
import { describe, expect, it } from 'vitest'
import { alternative, file, html, mail, mixed, text } from '#test/messages/builder.ts'
import { inspectMessage, type StampSignature, stampMessage } from './index.ts'
import { isAnswerSubject } from './quotes/answer-subject.ts'
import { encodeCharset } from './writing/encoders.ts'

const options = { instance: 'here', linkHosts: ['links.example.com'], stampsAutoReplies: false }
const signature = { html: '<b>Ada</b>', text: 'Ada' }

async function stampChunks(message: Buffer, written: StampSignature = signature): Promise<Buffer[]> {
  const inspection = await inspectMessage(message, options)
  if (inspection.action === 'leave') throw new Error(inspection.reason)
  return stampMessage(message, inspection.plan, written)
}
const stamp = async (message: Buffer, written: StampSignature = signature): Promise<Buffer> =>
  Buffer.concat(await stampChunks(message, written))
const plain = (body: string, header = 'From: ada@example.com\n'): Buffer => Buffer.from(`${header}\n${body}`)

describe('the addresses of a message', () => {
  it.each([
    ['ada@example.com', ['ada@example.com']],
    ['"Lovelace, Ada <x@y>" <ada@example.com>, bob@example.org', ['ada@example.com', 'bob@example.org']],
    ['Team: ada@example.com, Bob <bob@example.org>;', ['ada@example.com', 'bob@example.org']],
    ['ada@example.com (Ada, (the) first \\) one)', ['ada@example.com']],
    ['Jörg <jörg@exämple.com>', ['jörg@exämple.com']],
    ['=?utf-8?q?Ada?= <ada@example.com>,\n\tundisclosed-recipients:;', ['ada@example.com']],
    ['nobody', []],
  ])('are read from To: %s', async (to, recipients) => {
    const message = plain('Hello\n', `From: Ada <ada@example.com>\nTo: ${to}\nCc: carol@example.net\n`)
    expect(await inspectMessage(message, options)).toMatchObject({
      from: 'ada@example.com',
      recipients: [...recipients, 'carol@example.net'],
    })
  })
})

describe('an automatic reply', () => {
  it('gets a signature when the integration says so', async () => {
    const message = plain('Away\n', 'From: ada@example.com\nAuto-Submitted: auto-replied\n')
    expect(await inspectMessage(message, options)).toEqual({
      action: 'leave',
      reason: 'auto_reply',
      from: 'ada@example.com',
    })
    expect((await inspectMessage(message, { ...options, stampsAutoReplies: true })).action).toBe('stamp')
  })
})

describe('a stamped message', () => {
  it('is made of slices of the message and the signature', async () => {
    const { bytes } = mail(
      'x',
      mixed(alternative(text('Hello\n'), html('<p>Hello</p>')), file('a.pdf', undefined, 1e6)),
    )
    const chunks = await stampChunks(bytes)
    const slices = chunks.filter(chunk => chunk.buffer === bytes.buffer)
    expect([chunks.length, slices.length]).toEqual([5, 3])
    expect(Buffer.concat(slices).equals(bytes)).toBe(true)
  })

  it('keeps bare line feeds', async () => {
    expect((await stamp(plain('Hello\n'))).toString()).toBe('From: ada@example.com\n\nHello\n\nAda\n')
  })

  it('refuses a plan of another message', async () => {
    const { bytes } = mail('x', text('Hello\n', { encoding: 'base64' }))
    const inspection = await inspectMessage(bytes, options)
    if (inspection.action === 'leave') throw new Error(inspection.reason)
    const other = Buffer.from(bytes.map(() => 33))
    expect(() => stampMessage(other, inspection.plan, signature)).toThrow('another message')
  })

  it('has an empty line between text and signature, and one below', async () => {
    const reply = async (body: string) =>
      (await stamp(plain(body))).toString().split('\n\n').slice(1).join('\n\n')
    expect(await reply('Hello')).toBe('Hello\n\nAda')
    expect(await reply('Hello\n\n\n\n')).toBe('Hello\n\nAda\n\n\n\n')
    expect(await reply('')).toBe('Ada\n')
    expect(await reply('Yes.\nOn Nov 16, 2026 at 9:41 Bob wrote:\n> so\n')).toBe(
      'Yes.\n\nAda\n\nOn Nov 16, 2026 at 9:41 Bob wrote:\n> so\n',
    )
    expect(await reply('> so\n')).toBe('> so\n\nAda\n')
    const answer = plain('> so\n', 'From: ada@example.com\nIn-Reply-To: <1@x>\n')
    expect((await stamp(answer)).toString()).toContain('\n\nAda\n\n> so\n')
  })

  it('has one empty line above the signature in HTML, too', async () => {
    const stamped = async (source: string) =>
      (await PostalMime.parse(await stamp(mail('x', html(source)).bytes))).html
    expect(await stamped('<p>Hello</p>')).toContain(
      '<p>Hello</p><div data-signoff="signature"><br><b>Ada</b></div>',
    )
    expect(await stamped('<div>Hello</div><div><br></div>')).toContain('<div data-signoff="signature"><b>Ada')
    expect(await stamped('Hello<br><br>')).toContain('<div data-signoff="signature"><b>Ada')
    expect(await stamped('Hello<br>')).toContain('<div data-signoff="signature"><br><b>Ada')
    expect(await stamped('<p>Hello</p><p>&nbsp;</p>')).toContain('<div data-signoff="signature"><b>Ada')
    expect(await stamped('')).toContain('<div data-signoff="signature"><b>Ada')
  })
})

describe('long lines', () => {
  const long = `https://example.com/${'a'.repeat(1_500)}`
  const longest = (message: Buffer) =>
    Math.max(
      ...message
        .toString('latin1')
        .split('\r\n')
        .map(line => line.length),
    )

  it.each(['7bit', '8bit'] as const)('are folded inside tags in %s', async encoding => {
    const row = '<td style="padding:0;color:#112233" align="left">cell</td>'
    const { bytes } = mail('x', html('<p>Hello</p>', { encoding }))
    const stamped = await stamp(bytes, { html: `<table><tr>${row.repeat(60)}</tr></table>`, text: '' })
    expect(longest(stamped)).toBeLessThanOrEqual(998)
    expect((await PostalMime.parse(stamped)).html?.replace(/\s+/g, '')).toContain(
      row.repeat(60).replace(/\s+/g, ''),
    )
    expect(stamped.includes('quoted-printable')).toBe(false)
  })

  it('that cannot be folded make the part quoted-printable', async () => {
    const { bytes } = mail(
      'x',
      alternative(text('Grüße\n', { encoding: '8bit' }), html('<p>Grüße</p>', { encoding: '8bit' })),
    )
    const stamped = await stamp(bytes, { html: `<a href="${long}">x</a>`, text: long })
    expect(longest(stamped)).toBeLessThanOrEqual(998)
    const { html: rich, text: written } = await PostalMime.parse(stamped)
    expect(rich).toContain(`<p>Grüße</p><div data-signoff="signature"><br><a href="${long}">x</a></div>`)
    expect(written).toBe(`Grüße\n\n${long}\n\n`)
  })
})

describe('text in a charset', () => {
  it.each([
    ['iso-8859-2', 'Žluťoučký kůň'],
    ['windows-1251', 'Ада Лавлейс'],
    ['shift_jis', 'ラブレス・エイダ、数学者ソ'],
    ['iso-2022-jp', 'エイダ\r\nラブレス abc'],
    ['euc-jp', 'ラブレス'],
    ['gbk', '埃达'],
    ['big5', '愛達許功'],
    ['euc-kr', '에이다'],
    ['utf-8', 'Ada 🎉'],
    ['windows-1252', '5 €'],
    ['iso-8859-15', '5 €'],
  ])('is written as %s', (charset, words) => {
    const bytes = encodeCharset(words, charset)
    expect(new TextDecoder(charset, { fatal: true }).decode(bytes ?? Buffer.alloc(0))).toBe(words)
  })

  it.each([
    ['iso-8859-1', 'Łucja'],
    ['iso-8859-1', '5 €'],
    ['ansi_x3.4-1968', 'é'],
    ['shift_jis', '🎉'],
    ['iso-2022-jp', 'ｱ'],
    ['us-ascii', 'é'],
    ['x-unknown', 'é'],
  ])('is refused by %s when it lacks a letter', (charset, words) => {
    expect(encodeCharset(words, charset)).toBeNull()
  })

  it('stays in its charset when the signature fits, and becomes UTF-8 when not', async () => {
    const { bytes } = mail(
      'x',
      text('Grüße aus dem Norden an alle im Team, auch im Namen von Bob\n', {
        charset: 'iso-8859-1',
        encoding: '8bit',
      }),
    )
    const fitting = await stamp(bytes, { html: '', text: 'Köln' })
    expect(fitting.toString('latin1')).toContain('charset=iso-8859-1\r\n')
    expect(fitting.toString('latin1')).toContain(
      'Grüße aus dem Norden an alle im Team, auch im Namen von Bob\r\n\r\nKöln\r\n',
    )
    const other = await stamp(bytes, { html: '', text: 'Łódź, Polska' })
    expect(other.toString('latin1')).toContain(
      'charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n',
    )
    expect(other.toString('latin1')).toContain(
      'Gr=C3=BC=C3=9Fe aus dem Norden an alle im Team, auch im Namen von Bob\r\n\r\n=C5=81=C3=B3d=C5=BA, Polska\r\n',
    )
  })

  it('gets the headers that it lacks', async () => {
    const stamped = await stamp(plain('Hello\n'), {
      html: '',
      text: 'Łódź, the town in Poland with a film school',
    })
    expect(stamped.toString()).toBe(
      'MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\nFrom: ada@example.com\nContent-Transfer-Encoding: quoted-printable\n\nHello\n\n=C5=81=C3=B3d=C5=BA, the town in Poland with a film school\n',
    )
  })

  it('that cannot be read gets the signature in plain letters, without lines of other scripts', async () => {
    const message = Buffer.from(
      'From: ada@example.com\r\nContent-Type: text/plain; charset=us-ascii\r\n\r\nGrüße\r\n',
      'latin1',
    )
    const stamped = await stamp(message, { html: '', text: 'Łucja Müßig – „Ada“\n数学者\nTel. 1' })
    expect(stamped.toString('latin1')).toContain('Grüße\r\n\r\nLucja Mussig - "Ada"\r\nTel. 1\r\n')
    expect((await stamp(message, { html: '', text: '数学者' })).equals(message)).toBe(true)
  })
})

describe('UTF-16 under the name of another charset', () => {
  it.each(['\ufeffHello', 'Hello', '\ufeff埃达'])('is left alone: %j', async words => {
    const wide = Buffer.from(words, 'utf16le').toString('base64')
    const head = 'From: ada@example.com\nContent-Type: text/plain; charset=utf-8\n'
    const message = plain(wide, `${head}Content-Transfer-Encoding: base64\n`)
    expect(await inspectMessage(message, options)).toMatchObject({ reason: 'unsupported_encoding' })
  })
})

describe('the subject of an answer', () => {
  it.each([
    ['Re: x', true],
    ['AW: x', true],
    ['Re[2]: x', true],
    ['SV : x', true],
    ['回复：x', true],
    ['=?utf-8?Q?Antw:_=C3=BC?=', true],
    ['=?UTF-8?B?UmU6IMO8?=', true],
    ['Report: x', false],
    ['Ref x', false],
    ['', false],
  ])('is known by its beginning: %s', (subject, expected) => {
    expect(isAnswerSubject(subject)).toBe(expected)
  })
})

describe('quoted-printable', () => {
  it('whose line breaks are letters gets the signature in lines of its own', async () => {
    const body = 'Hello=0D=0A=0D=0AOn Nov 16, 2026 at 9:41 Bob wrote:=0D=0A> so=0D=0A'
    const head = 'From: ada@example.com\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n'
    const stamped = await stamp(Buffer.from(`${head}${body}`))
    expect(stamped.toString()).toContain('Hello=0D=0A\r\nAda\r\n=0D=0AOn')
    const { text: written } = await PostalMime.parse(stamped)
    expect(written?.replaceAll('\r', '')).toContain('Hello\n\nAda\n\nOn Nov 16')
  })
})

describe('format=flowed', () => {
  it('has no spaces at ends of lines, and a space before what would be a quote', async () => {
    const { bytes } = mail('x', text('Hello\n', { encoding: '7bit', more: 'format=flowed' }))
    const stamped = await stamp(bytes, { html: '', text: '-- \nAda   \n> Countess\n indented\nFrom London' })
    expect(stamped.toString()).toContain('\r\n-- \r\nAda\r\n > Countess\r\n  indented\r\n From London\r\n')
  })
})
