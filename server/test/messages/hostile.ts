// Messages that are made to hold the process: the shapes that cost a scanner, an encoder or a sender of bytes the most, up
// to the largest message. They are built when they are used, because together they are more than a gigabyte.

export interface HostileMessage {
  readonly name: string
  readonly build: () => Buffer
}

const largest = 39_000_000
/** Limit for the texts that the relay reads. */
const textBytes = 2_000_000
const textLines = 59_000

const head = 'From: ada@example.com\r\nTo: bob@other.test\r\nMIME-Version: 1.0\r\n'
const typed = (type: string, encoding: string, body: string): string =>
  `${head}Content-Type: ${type}\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${body}`
const inHtml = (body: string, encoding = '8bit') => typed('text/html; charset=utf-8', encoding, body)
const inText = (body: string, encoding = '8bit', charset = 'utf-8') =>
  typed(`text/plain; charset=${charset}`, encoding, body)
const inPart = (body: string) =>
  `${head}Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nHello\r\n--b\r\nContent-Type: application/octet-stream\r\n\r\n${body}\r\n--b--\r\n`
const parts = (part: string, count: number) =>
  `${head}Content-Type: multipart/mixed; boundary=b\r\n\r\n${`--b\r\n${part}\r\n`.repeat(count)}--b--\r\n`

/** As often as it fits into so many bytes. */
const fill = (piece: string, bytes: number) => piece.repeat(Math.floor(bytes / piece.length))
/** As often as the limits of a text allow. */
const fillText = (piece: string, breaks: number) =>
  piece.repeat(Math.min(Math.floor(textBytes / piece.length), Math.floor(textLines / Math.max(breaks, 0.01))))

const base64 = (text: string) => Buffer.from(text).toString('base64').replace(/.{76}/g, '$&\r\n')

const sources: Readonly<Record<string, () => string>> = {
  // What goes over the wire.
  'dots behind a single LF': () => inPart(fill('\n.a', largest)),
  'dots behind a single CR': () => inPart(fill('\r.a', largest)),
  'dots behind CRLF': () => inPart(fill('\r\n.', largest)),
  'lines of one dot': () => inPart(fill('.\r\n', largest)),
  'lines of two dots': () => inPart(fill('..\r\n', largest)),
  'lone dots behind LF': () => inPart(fill('.\n', largest)),
  'dots alone': () => inPart(fill('.', largest)),
  'empty lines': () => inPart(fill('\r\n', largest)),
  'single line feeds': () => inPart(fill('\n', largest)),
  'single carriage returns': () => inPart(fill('\r', largest)),
  'NUL before dots': () => inPart(fill('\r\n\0.\r\n', largest)),
  'one line without an end': () => inPart('x'.repeat(largest)),
  // The tree of parts.
  'lines of dashes': () => inPart(fill('--\n', largest)),
  'lines that are nearly the boundary': () => inPart(fill('--b-\n', largest)),
  'dashes between other lines': () => inPart(fill('--\nx\n', largest)),
  'long lines of dashes': () => inPart(fill(`--${'x'.repeat(215)}\n`, largest)),
  '1,900 parts of 20 kB': () =>
    parts(`Content-Type: text/html; name=a\r\n\r\n${'<p>x'.repeat(5_000)}`, 1_900),
  'parts with many header lines': () => parts(`${'a:\r\n'.repeat(10)}\r\nx`, 1_900),
  'folded header lines in many parts': () => parts(`A: b\r\n${' x\n'.repeat(80_000)}\r\nx`, 25),
  '50 levels': () =>
    `${head}${Array.from({ length: 49 }, (_, n) => `Content-Type: multipart/mixed; boundary=b${n}\r\n\r\n--b${n}\r\n`).join('')}\r\n${fill('--b0\r\n', 30_000_000)}`,
  // Header lines.
  'a header of 512 kB': () => `${head}${'a:\r\n'.repeat(130_000)}\r\nHello`,
  'a header that never ends': () => `${head}${fill('a: b\r\n', largest)}`,
  'a folded header of 250 kB': () => `${head}To: ${'a@b.c,\r\n '.repeat(19_000)}\r\n\r\nHello`,
  'a header of parentheses': () => `${head}Cc: ${'('.repeat(250_000)}\r\n\r\nHello`,
  'a header of quotes': () => `${head}Cc: ${'"'.repeat(250_000)}\r\n\r\nHello`,
  'a header of brackets': () => `${head}Cc: ${'<a@b.c>'.repeat(35_000)}\r\n\r\nHello`,
  // HTML.
  'opening tags': () => inHtml(fillText('<div>', 1)),
  'closing tags that close nothing': () => inHtml(fillText('<b></i>', 2)),
  'a tag that never ends': () => inHtml(`<${'a '.repeat(textBytes / 2)}`),
  attributes: () => inHtml(`<p ${fillText('class=x ', 0)}>`),
  'long attributes': () => inHtml(fillText(`<p style="${'a:b;'.repeat(5)}">`, 1)),
  'comments that never end': () => inHtml(fillText('<!--', 1)),
  entities: () => inHtml(fillText('&nbsp;', 0)),
  'entities in many lines': () => inHtml(fillText('&nbsp;&amp;:x<br>', 1)),
  'labels in HTML': () => inHtml(fillText('From: a<br>', 1)),
  'attributions in HTML': () => inHtml(fillText('On 1 Nov 2026 at 10:00 Bob Ross Jr<br>', 1)),
  blockquotes: () => inHtml(fillText('<blockquote type=cite>x', 1)),
  'blockquotes with answers': () => inHtml(fillText('<blockquote type=cite>x</blockquote>y', 2)),
  'Chinese HTML': () => inHtml(fillText('日本語:<br>', 1)),
  'HTML in quoted-printable': () => inHtml(fillText('=3Cp=3E=E6=97=A5:=\r\n', 1), 'quoted-printable'),
  // Text.
  'a log of 2 MB with letters of other languages': () =>
    inText(fillText('2026-11-18 10:00:00 Ü INFO x\r\n', 1), '8bit', 'iso-8859-1'),
  'a long text in Latin-1': () => inText(fill('ä', textBytes), '8bit', 'iso-8859-1'),
  'a long text in ASCII': () => inText(fill('a', textBytes), '7bit', 'us-ascii'),
  'a long text in GB 18030': () => inText(fill('\xc4\xe3', textBytes), '8bit', 'gb18030'),
  'a long text in base64': () => inText(base64('ä'.repeat(700_000)), 'base64'),
  'a text in base64 with spaces': () => inText(`QUFB${fillText(' \r\n', 1)}QUFB`, 'base64'),
  'soft line breaks': () => inText(fillText('=  \r\n', 1), 'quoted-printable'),
  'equals signs': () => inText(fill('=', textBytes), 'quoted-printable'),
  'labels in text': () => inText(fillText('From: a\r\n', 1)),
  'attributions in text': () => inText(fillText('On 1 Nov 2026 at 10:00 Bob Ross Jr\r\n', 1)),
  'quoted lines with answers': () => inText(fillText('> x\r\ny\r\n', 2)),
  'half-width attributions': () => inText(fillText('2026年11月18日 10:00、\r\n', 1)),
  'combining marks': () => inText(fill('a\u0301\u0302', textBytes / 2)),
  'pictures in the text of Gmail': () => inText(fillText('[image: x', 0)),
  'links in the text of Gmail': () => inText(fillText('<https://', 0)),
  spaces: () => inText(fill(' ', textBytes)),
  'letters of a signature': () => inText(fill('Ada Lovelac ', textBytes)),
  'PGP that is only mentioned': () => inText(fill('x-----BEGIN PGP ', textBytes)),
}

export const hostileMessages: readonly HostileMessage[] = Object.entries(sources).map(([name, source]) => ({
  name,
  build: () => Buffer.from(source(), /日本|年|\u0301/.test(source.toString()) ? 'utf8' : 'latin1'),
}))
