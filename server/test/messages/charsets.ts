// Charsets and encodings: what fits is put in, what does not is written anew as UTF-8, what cannot be read stays.
import { alternative, type CorpusMessage, type CorpusPart, html, mail, part, reply, text } from './builder.ts'

const samples: readonly (readonly [string, string])[] = [
  ['iso-8859-1', 'Grüße aus Köln'],
  ['iso-8859-2', 'Příliš žluťoučký kůň'],
  ['iso-8859-5', 'Машина работает'],
  ['iso-8859-7', 'Η μηχανή δουλεύει'],
  ['iso-8859-9', 'Makine çalışıyor'],
  ['iso-8859-15', 'Preis: 5 €, Œuvre'],
  ['windows-1250', 'Maszyna działa'],
  ['windows-1251', 'Машина работает'],
  ['windows-1252', 'Preis: 5 € – „gut“'],
  ['windows-1253', 'Η μηχανή'],
  ['windows-1254', 'Makine çalışıyor'],
  ['windows-1255', 'המכונה עובדת'],
  ['windows-1256', 'الآلة تعمل'],
  ['windows-1257', 'Mašīna strādā'],
  ['windows-1258', 'Máy'],
  ['koi8-r', 'Машина работает'],
  ['koi8-u', 'Машина працює'],
  ['shift_jis', '機械は動きます。表示ソ能'],
  ['euc-jp', '機械は動きます'],
  ['iso-2022-jp', '機械は動きます'],
  ['gb2312', '机器运行'],
  ['gbk', '机器运行'],
  ['gb18030', '机器运行'],
  ['big5', '機器運行許功蓋'],
  ['euc-kr', '기계가 작동합니다'],
  ['tis-620', 'เครื่องทำงาน'],
]

const encodings = ['8bit', 'quoted-printable', 'base64'] as const

const letters = samples.map(([charset, words], index) => {
  const encoding = charset === 'iso-2022-jp' ? '7bit' : (encodings[index % 3] as (typeof encodings)[number])
  return mail(
    `text and HTML in ${charset} as ${encoding}`,
    alternative(
      text(`${words}\n¶`, { charset, encoding }),
      html(`<html><body><p>${words}</p>¶</body></html>\n`, { charset, encoding }),
    ),
  )
})

const bytes = (hex: string, after = ''): Buffer =>
  Buffer.concat([Buffer.from(hex, 'hex'), Buffer.from(after, 'latin1')])
const plain = (charset: string, encoding: string, body: Buffer, place = true): CorpusPart => ({
  ...part(`text/plain; charset=${charset}`, body, `Content-Transfer-Encoding: ${encoding}`),
  text: place ? { above: body.toString('latin1'), below: '' } : null,
})

const utf16 = Buffer.from('Hello Charles\r\n', 'utf16le')

export const charsets: readonly CorpusMessage[] = [
  ...letters,
  mail('UTF-7 text', part('text/plain; charset=utf-7', 'Gr+APwA3w-e\n', 'Content-Transfer-Encoding: 7bit'), {
    leave: 'unsupported_encoding',
  }),
  mail(
    'UTF-7 beside HTML',
    alternative(part('text/plain; charset=UTF-7', 'Gr+APw-e\n'), html('<p>Hello</p>')),
    { leave: 'unsupported_encoding' },
  ),
  mail(
    'UTF-16 in base64',
    part('text/plain; charset=utf-16le', utf16.toString('base64'), 'Content-Transfer-Encoding: base64'),
    { leave: 'unsupported_encoding' },
  ),
  mail(
    'UTF-16 HTML in base64',
    part(
      'text/html; charset="UTF-16"',
      Buffer.from('<p>Hi</p>', 'utf16le').toString('base64'),
      'Content-Transfer-Encoding: base64',
    ),
    { leave: 'unsupported_encoding' },
  ),
  mail('UTF-32', part('text/plain; charset=utf-32', 'x', 'Content-Transfer-Encoding: 8bit'), {
    leave: 'unsupported_encoding',
  }),
  mail('HZ', part('text/plain; charset=hz-gb-2312', '~{<:Ky2;~}\n'), { leave: 'unsupported_encoding' }),
  mail('eight bits declared as ASCII', plain('us-ascii', '7bit', bytes('4772fcdf65', '\r\n'))),
  mail('Latin-1 bytes declared as UTF-8', plain('utf-8', '8bit', bytes('4772fcdf65', '\r\n'))),
  mail('broken Big5', plain('big5', '8bit', bytes('a4a4ff80', ' text\r\n'))),
  mail('unknown charset', plain('x-unknown', '8bit', bytes('4772fc', '\r\n'))),
  mail('unknown eight bits', plain('unknown-8bit', '8bit', bytes('4772fc', '\r\n'))),
  mail('ISO-2022-KR', plain('iso-2022-kr', '7bit', bytes('1b2429430d0a0e', '1b0f text\r\n'))),
  mail('charset with quotes', text('Hello\n¶', { charset: '"UTF-8"', encoding: '7bit' })),
  mail(
    'ISO-2022-JP HTML with a byte that looks like a tag',
    html('<html><body><p>次の勝負、松</p>¶</body></html>', { charset: 'iso-2022-jp', encoding: '7bit' }),
  ),
  reply(
    'ISO-2022-JP, reply',
    text('はい。\n¶\n2026年11月16日(月) 9:41 Bob <bob@example.org>:\n> 動きます。\n', {
      charset: 'iso-2022-jp',
      encoding: '7bit',
    }),
  ),
  reply(
    'windows-1251, reply with header block',
    text(
      'Да.\n¶\nОт: Bob <bob@example.org>\nОтправлено: 16 ноября 2026\nКому: Ada\nТема: Числа\n\nРаботает.\n',
      { charset: 'windows-1251', encoding: '8bit' },
    ),
  ),
  reply(
    'Shift_JIS, reply with header block',
    html(
      '<html><body><p>はい。</p>¶<div><b>差出人:</b> Bob<br><b>送信日時:</b> 2026年<br><b>宛先:</b> Ada<br><b>件名:</b> 数</div>動きます。</body></html>',
      { charset: 'shift_jis', encoding: '8bit' },
    ),
  ),
  mail(
    'unknown transfer encoding',
    part('text/plain', 'begin 644 x\n', 'Content-Transfer-Encoding: x-uuencode'),
    { leave: 'unsupported_encoding' },
  ),
  mail(
    'base64 with other characters',
    part('text/plain; charset=utf-8', 'SGVs*bG8K\n', 'Content-Transfer-Encoding: base64'),
    { leave: 'unsupported_encoding' },
  ),
  mail(
    'text under the name of base64',
    part('text/plain; charset=utf-8', 'Hello\nHow are you today\n', 'Content-Transfer-Encoding: base64'),
    { leave: 'unsupported_encoding' },
  ),
  mail(
    'words under the name of base64 that have its length',
    part('text/plain; charset=utf-8', 'Good morning\neverybody\n', 'Content-Transfer-Encoding: base64'),
    { leave: 'unsupported_encoding' },
  ),
  ...['iso-8859-1', 'windows-1252'].map(charset =>
    mail(
      `words of ${charset} under the name of base64`,
      part(
        `text/plain; charset=${charset}`,
        'Good morning\neverybody\n',
        'Content-Transfer-Encoding: base64',
      ),
      { leave: 'unsupported_encoding' },
    ),
  ),
  mail('base64 in one line', {
    ...part(
      'text/html; charset=utf-8',
      Buffer.from(`<p>${'word '.repeat(500)}</p>`).toString('base64'),
      'Content-Transfer-Encoding: base64',
    ),
    html: { above: `<p>${'word '.repeat(500)}</p>`, below: '' },
  }),
  mail('quoted-printable with lower case and broken sequences', {
    ...part(
      'text/plain; charset=utf-8',
      'Gr=c3=bc=C3=9Fe = =ZZ =\n',
      'Content-Transfer-Encoding: quoted-printable',
    ),
    text: { above: 'Grüße = =ZZ ', below: '' },
  }),
  mail('quoted-printable in upper case with a comment', {
    ...part(
      'text/plain; charset="utf-8" (Unicode)',
      'Hello=20\n',
      'Content-Transfer-Encoding: Quoted-Printable (yes)',
    ),
    text: { above: 'Hello ', below: '' },
  }),
  mail('binary', text('Hello Zürich\n¶', { encoding: 'binary' })),
  mail('seven bits declared as UTF-8', text('Hello\n¶', { encoding: '7bit' })),
]
