// Gmail on the web, of today and of 2015, and the app; clients that write its marks.
import {
  alternative,
  type CorpusMessage,
  file,
  forward,
  html,
  mail,
  mixed,
  multipart,
  picture,
  related,
  reply,
  text,
} from './builder.ts'

const style = 'margin:0px 0px 0px 0.8ex;border-left:1px solid rgb(204,204,204);padding-left:1ex'
const address = '&lt;<a href="mailto:bob@example.org">bob@example.org</a>&gt;'

/** The line before the quote as Gmail writes it, folded in the text part when it is long. */
const attributions: readonly (readonly [string, string, string])[] = [
  [
    'English',
    `On Mon, Nov 16, 2026 at 9:41 AM Bob Example ${address} wrote:`,
    'On Mon, Nov 16, 2026 at 9:41 AM Bob Example <bob@example.org> wrote:',
  ],
  [
    'German',
    `Am Mo., 16. Nov. 2026 um 09:41 Uhr schrieb Bob Example ${address}:`,
    'Am Mo., 16. Nov. 2026 um 09:41 Uhr schrieb Bob Example <\nbob@example.org>:',
  ],
  [
    'French',
    `Le&nbsp;lun. 16 nov. 2026 à&nbsp;09:41, Bob Example ${address} a écrit&nbsp;:`,
    'Le lun. 16 nov. 2026 à 09:41, Bob Example <bob@example.org> a écrit :',
  ],
  [
    'Spanish',
    `El lun, 16 nov 2026 a las 9:41, Bob Example (${address}) escribió:`,
    'El lun, 16 nov 2026 a las 9:41, Bob Example (<bob@example.org>) escribió:',
  ],
  [
    'Italian',
    `Il giorno lun 16 nov 2026 alle ore 09:41 Bob Example ${address} ha scritto:`,
    'Il giorno lun 16 nov 2026 alle ore 09:41 Bob Example <\nbob@example.org> ha scritto:',
  ],
  [
    'Polish',
    `pon., 16 lis 2026 o 09:41 Bob Example ${address} napisał(a):`,
    'pon., 16 lis 2026 o 09:41 Bob Example <bob@example.org> napisał(a):',
  ],
  [
    'Russian',
    `пн, 16 нояб. 2026 г. в 09:41, Bob Example ${address}:`,
    'пн, 16 нояб. 2026 г. в 09:41, Bob Example <bob@example.org>:',
  ],
  [
    'Japanese',
    `2026年11月16日(月) 9:41 Bob Example ${address}:`,
    '2026年11月16日(月) 9:41 Bob Example <bob@example.org>:',
  ],
  [
    'Chinese',
    `Bob Example ${address} 于2026年11月16日周一 09:41写道：`,
    'Bob Example <bob@example.org> 于2026年11月16日周一 09:41写道：',
  ],
  [
    'Turkish',
    `Bob Example ${address}, 16 Kas 2026 Pzt, 09:41 tarihinde şunu yazdı:`,
    'Bob Example <bob@example.org>, 16 Kas 2026 Pzt, 09:41 tarihinde şunu yazdı:',
  ],
  [
    'Hebrew',
    `<span dir="rtl">‫בתאריך יום ב׳, 16 בנוב׳ 2026 ב-9:41 מאת ‪Bob Example‬‏ ${address}:</span>`,
    '‫בתאריך יום ב׳, 16 בנוב׳ 2026 ב-9:41 מאת ‪Bob Example‬‏ <‪bob@example.org‬‏>:‬',
  ],
  [
    'Dutch',
    `Op ma 16 nov 2026 om 09:41 schreef Bob Example ${address}:`,
    'Op ma 16 nov 2026 om 09:41 schreef Bob Example <bob@example.org>:',
  ],
]

const quotedText = '> Dear Ada,\n>\n> the engine runs.\n> Bob'

const replies = attributions.map(([language, attribution, line]) =>
  reply(
    `Gmail, reply in ${language}`,
    alternative(
      text(`It does.\n¶\n${line}\n\n${quotedText}\n`),
      html(
        `<div dir="ltr">It does.</div>¶<br><div class="gmail_quote gmail_quote_container"><div dir="ltr" class="gmail_attr">${attribution}<br></div><blockquote class="gmail_quote" style="${style}"><div dir="ltr">Dear Ada,<div><br></div><div>the engine runs.</div><div>Bob</div></div></blockquote></div>\n`,
      ),
    ),
  ),
)

const forwardedHtml =
  '<div class="gmail_quote gmail_quote_container"><div dir="ltr" class="gmail_attr">---------- Forwarded message ---------<br>From: <b class="gmail_sendername" dir="auto">Bob</b> <span dir="auto">&lt;<a href="mailto:bob@example.org">bob@example.org</a>&gt;</span><br>Date: Mon, Nov 16, 2026 at 9:41 AM<br>Subject: Numbers<br>To: Ada &lt;<a href="mailto:ada@example.com">ada@example.com</a>&gt;<br></div><br><br><div dir="ltr">Dear Ada,<blockquote>inner</blockquote>the engine runs.</div></div></div>'
const forwardedText =
  '---------- Forwarded message ---------\nFrom: Bob <bob@example.org>\nDate: Mon, Nov 16, 2026 at 9:41 AM\nSubject: Numbers\nTo: Ada <ada@example.com>\n\n\nDear Ada,\nthe engine runs.\n'

export const gmail: readonly CorpusMessage[] = [
  mail(
    'Gmail, new',
    alternative(
      text('Hello Charles,\n\nit runs.\n¶'),
      html('<div dir="ltr"><div>Hello Charles,</div><div><br></div><div>it runs.</div></div>¶\n'),
    ),
  ),
  mail(
    'Gmail, new with emoji in base64',
    alternative(
      text('Hello 🎉\n¶', { encoding: 'base64' }),
      html('<div dir="ltr">Hello 🎉</div>¶\n', { encoding: 'base64' }),
    ),
  ),
  mail(
    'Gmail, new with picture and file',
    mixed(
      related(
        alternative(
          text('Look:\n[image: chart.png]\n¶'),
          html('<div dir="ltr">Look:<div><img src="cid:ii_m1" alt="chart.png" width="100"></div></div>¶\n'),
        ),
        picture('ii_m1', 'chart.png'),
      ),
      file('report.pdf'),
    ),
  ),
  mail(
    'Gmail, only a file',
    mixed(alternative(text('¶\n'), html('<div dir="ltr"><br></div>¶\n')), file('report.pdf')),
  ),
  mail(
    'Gmail in plain text mode',
    text('Hello Charles,\n\nit runs.\n¶', { encoding: '7bit', charset: 'UTF-8' }),
  ),
  ...replies,
  reply(
    'Gmail, reply with own signature above',
    alternative(
      text(`It does.\n-- \nAda\n¶\n${attributions[0]?.[2]}\n\n${quotedText}\n`),
      html(
        `<div dir="ltr">It does.<br clear="all"><div><br></div><span class="gmail_signature_prefix">-- </span><br><div dir="ltr" class="gmail_signature" data-smartmail="gmail_signature">Ada</div></div>¶<br><div class="gmail_quote gmail_quote_container"><div dir="ltr" class="gmail_attr">${attributions[0]?.[1]}<br></div><blockquote class="gmail_quote" style="${style}">the engine runs.</blockquote></div>`,
      ),
    ),
  ),
  reply(
    'Gmail, reply with own signature below the quote',
    alternative(
      text(`It does.\n¶\n${attributions[0]?.[2]}\n\n${quotedText}\n\n\n-- \nAda\n`),
      html(
        `<div dir="ltr">It does.</div>¶<br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">${attributions[0]?.[1]}<br></div><blockquote class="gmail_quote" style="${style}">the engine runs.</blockquote></div><br clear="all"><div><br></div><span class="gmail_signature_prefix">-- </span><br><div dir="ltr" class="gmail_signature"><div>Ada</div></div>`,
      ),
    ),
  ),
  reply(
    'Gmail, answer below the quote',
    alternative(
      text(`${attributions[0]?.[2]}\n\n${quotedText}\n\nIt does.\n¶`),
      html(
        `<div dir="ltr"><div class="gmail_quote"><div dir="ltr" class="gmail_attr">${attributions[0]?.[1]}<br></div><blockquote class="gmail_quote" style="${style}">the engine runs.</blockquote><div><br></div><div>It does.</div></div></div>¶`,
      ),
    ),
  ),
  reply(
    'Gmail, answers between the quotes',
    alternative(
      text(`${attributions[0]?.[2]}\n\n> does it run?\n\nIt does.\n\n> and fast?\n\nNo.\n¶`),
      html(
        `<div dir="ltr"><div class="gmail_quote"><div dir="ltr" class="gmail_attr">${attributions[0]?.[1]}<br></div><blockquote class="gmail_quote" style="${style}">does it run?</blockquote><div>It does.</div><blockquote class="gmail_quote" style="${style}">and fast?</blockquote><div>No.</div></div></div>¶`,
      ),
    ),
  ),
  reply(
    'Gmail of 2015, reply',
    alternative(
      text(
        `It does.\n¶\nOn Mon, Nov 16, 2015 at 9:41 AM, Bob Example <bob@example.org> wrote:\n\n${quotedText}\n`,
      ),
      html(
        `<div dir="ltr">It does.</div>¶<div class="gmail_extra"><br><div class="gmail_quote">On Mon, Nov 16, 2015 at 9:41 AM, Bob Example <span dir="ltr">${address}</span> wrote:<br><blockquote class="gmail_quote" style="${style}"><div dir="ltr">the engine runs.</div></blockquote></div><br></div>`,
        { charset: 'ISO-8859-1', encoding: '7bit' },
      ),
    ),
  ),
  reply(
    'Gmail for Android, reply',
    alternative(
      text(`It does.\n¶\n${attributions[0]?.[2]}\n\n${quotedText}\n`),
      html(
        `<p dir="ltr">It does.</p>¶\n<br><div class="gmail_quote"><div dir="ltr">${attributions[0]?.[1]}<br></div><blockquote class="gmail_quote" style="${style}">the engine runs.</blockquote></div>`,
      ),
    ),
  ),
  forward(
    'Gmail, forward',
    alternative(
      text(`See below.\n¶\n${forwardedText}`),
      html(`<div dir="ltr">See below.¶<br><br>${forwardedHtml}`),
    ),
  ),
  forward(
    'Gmail, forward without a word',
    alternative(text(`¶${forwardedText}`), html(`¶<div dir="ltr"><br><br>${forwardedHtml}`)),
  ),
  forward(
    'Gmail, forward with files',
    mixed(
      alternative(
        text(`See below.\n¶\n${forwardedText}`),
        html(`<div dir="ltr">See below.¶<br><br>${forwardedHtml}`),
      ),
      file('one.pdf'),
      file('two.xlsx', 'application/vnd.ms-excel'),
    ),
  ),
  mail(
    'Gmail, forward as attachment',
    mixed(alternative(text('See the file.\n¶'), html('<div dir="ltr">See the file.</div>¶')), {
      header: [
        'Content-Type: message/rfc822; name="Numbers.eml"',
        'Content-Disposition: attachment; filename="Numbers.eml"',
      ],
      body: Buffer.from(
        'From: bob@example.org\r\nSubject: Numbers\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n\r\nthe engine runs\r\n--x--\r\n',
      ),
    }),
    { subject: 'Fwd: Numbers' },
  ),
  reply(
    'Superhuman, reply',
    alternative(
      text(`It does.\n¶\n${attributions[0]?.[2]}\n\n${quotedText}\n`),
      html(
        `<html><head></head><body><div><div>It does.</div><br/><div class="gmail_signature"></div></div>¶<br/><div class="gmail_quote">On Mon, Nov 16, 2026 at 9:41 AM, Bob Example <span dir="ltr">${address}</span> wrote:<br/><blockquote class="gmail_quote sh-color-black" style="${style}"><div>the engine runs.</div></blockquote></div></body></html>`,
      ),
    ),
  ),
  reply(
    'Mailspring, reply',
    multipart(
      'alternative',
      [
        html(
          `<div>It does.</div>¶<br><div class="gmail_quote nylas-quote nylas-quote-id-1">On Nov 16 2026, at 9:41 am, Bob ${address} wrote:<br><blockquote class="gmail_quote" style="${style}">the engine runs.</blockquote></div>`,
        ),
      ],
      'plain',
    ),
  ),
]
