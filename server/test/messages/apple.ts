// Apple Mail on the Mac and Mail on the iPhone.
import {
  alternative,
  type CorpusMessage,
  type CorpusPart,
  file,
  forward,
  html,
  mail,
  multipart,
  picture,
  reply,
  text,
} from './builder.ts'

const apple = (subtype: string, ...parts: CorpusPart[]) => multipart(subtype, parts, 'apple')
const body = (content: string): string =>
  `<html><head><meta http-equiv="content-type" content="text/html; charset=utf-8"></head><body style="overflow-wrap: break-word; -webkit-nbsp-mode: space; line-break: after-white-space;">${content}</body></html>`
const address = '&lt;<a href="mailto:bob@example.org">bob@example.org</a>&gt;'
const quotedText = '> Dear Ada,\n> \n> the engine runs.\n'

const attributions: readonly (readonly [string, string])[] = [
  ['English', 'On 16 Nov 2026, at 09:41, Bob Example % wrote:'],
  ['German', 'Am 16.11.2026 um 09:41 schrieb Bob Example %:'],
  ['French', 'Le 16 nov. 2026 à 09:41, Bob Example % a écrit :'],
  ['Spanish', 'El 16 nov 2026, a las 9:41, Bob Example % escribió:'],
  ['Portuguese', 'No dia 16/11/2026, às 09:41, Bob Example % escreveu:'],
  ['Swedish', '16 nov. 2026 kl. 09:41 skrev Bob Example %:'],
  ['Danish', 'Den 16. nov. 2026 kl. 09.41 skrev Bob Example %:'],
  ['Finnish', 'Bob Example % kirjoitti 16.11.2026 kello 9.41:'],
  ['Czech', '16. 11. 2026 v 9:41, Bob Example %:'],
  ['Hungarian', 'Bob Example % írta (2026. nov. 16. dátummal, 9:41):'],
  ['Korean', '2026. 11. 16. 오전 9:41, Bob Example % 작성:'],
  ['Chinese', '2026年11月16日 09:41，Bob Example % 写道：'],
]

const mac = attributions.map(([language, line]) =>
  reply(
    `Apple Mail, reply in ${language}`,
    apple(
      'alternative',
      text(`It does.\n¶\n> ${line.replace('%', '<bob@example.org>')}\n> \n${quotedText}\n`),
      html(
        body(
          `It does.¶<br id="lineBreakAtBeginningOfMessage"><div><br><blockquote type="cite"><div>${line.replace('%', address)}</div><br class="Apple-interchange-newline"><div><div>Dear Ada,</div><div>the engine runs.</div></div></blockquote></div><br>`,
        ),
      ),
    ),
    { header: ['X-Mailer: Apple Mail (2.3826.200.121)'] },
  ),
)

const phone = attributions
  .slice(0, 6)
  .map(([language, line]) =>
    reply(
      `iPhone, reply in ${language}`,
      apple(
        'alternative',
        text(
          `It does.\n\nSent from my iPhone\n¶\n> ${line.replace('%', '<bob@example.org>')}\n> \n${quotedText}`,
        ),
        html(
          body(
            `It does.<br id="lineBreakAtBeginningOfSignature"><div dir="ltr">Sent from my iPhone</div>¶<div dir="ltr"><br><blockquote type="cite">${line.replace('%', address)}<br><br></blockquote></div><blockquote type="cite"><div dir="ltr">﻿Dear Ada,<div>the engine runs.</div></div></blockquote>`,
          ),
        ),
      ),
      { header: ['X-Mailer: iPhone Mail (23A345)'] },
    ),
  )

const oldPhone = attributions
  .slice(0, 5)
  .map(([language, line]) =>
    reply(
      `iPhone of 2013, reply in ${language}`,
      apple(
        'alternative',
        text(
          `It does.\n\nSent from my iPhone\n¶\n${line.replace('%', '<bob@example.org>')}\n\n${quotedText}`,
        ),
        html(
          body(
            `<div>It does.<br><br>Sent from my iPhone</div>¶<div><br>${line.replace('%', address)}<br><br></div><blockquote type="cite"><div>Dear Ada,<div>the engine runs.</div></div></blockquote>`,
          ),
        ),
      ),
    ),
  )

const appleHeader = (name: string, value: string) =>
  `<div style="margin-top: 0px; margin-right: 0px;"><span style="font-family: -webkit-system-font; color:rgba(0, 0, 0, 1.0);"><b>${name}: </b></span><span>${value}<br></span></div>`

export const appleMail: readonly CorpusMessage[] = [
  mail('Apple Mail, new', text('Hello Charles,\n\nit runs.\n¶', { charset: 'us-ascii', encoding: '7bit' }), {
    header: ['X-Mailer: Apple Mail (2.3826.200.121)'],
  }),
  mail(
    'Apple Mail, new with style',
    apple(
      'alternative',
      text('Hello Charles\n¶', { charset: 'us-ascii', encoding: '7bit' }),
      html(body('Hello <b>Charles</b>').replace('</body>', '¶</body>'), {
        charset: 'us-ascii',
        encoding: '7bit',
      }),
    ),
  ),
  mail(
    'Apple Mail, text with a file inside',
    apple(
      'mixed',
      html(body('Above the file.<br>'), { encoding: '7bit', charset: 'us-ascii' }),
      file('Plan.pdf'),
      html(body('Below the file.').replace('</body>', '¶</body>'), { encoding: '7bit', charset: 'us-ascii' }),
    ),
  ),
  mail(
    'Apple Mail, text with a picture inside',
    apple(
      'mixed',
      text('Above the picture.\n', { encoding: '7bit', charset: 'us-ascii' }),
      picture('1@me', 'photo.jpg'),
      text('Below the picture.\n¶', { encoding: '7bit', charset: 'us-ascii' }),
    ),
  ),
  mail(
    'Apple Mail, alternative with a file inside',
    apple(
      'alternative',
      text('Above.\n\n\n\nBelow.\n¶'),
      apple(
        'mixed',
        html(body('Above.<br>')),
        file('Plan.pdf'),
        html(body('<div>Below.</div>').replace('</body>', '¶</body>')),
      ),
    ),
  ),
  mail(
    'Apple Mail, pictures in the text',
    apple(
      'alternative',
      text('Look\n¶'),
      multipart(
        'related',
        [
          html(body('Look <img src="cid:9F2@x">').replace('</body>', '¶</body>')),
          picture('9F2@x', 'photo.png'),
        ],
        'apple',
        ';\r\n\ttype="text/html"',
      ),
    ),
  ),
  ...mac,
  ...phone,
  ...oldPhone,
  reply(
    'Apple Mail, reply with a file above the quote',
    apple(
      'mixed',
      html(body('The plan:<br>')),
      file('Plan.pdf'),
      html(
        body(
          `¶<div><br><blockquote type="cite"><div>On 16 Nov 2026, at 09:41, Bob wrote:</div><div>the engine runs.</div></blockquote></div>`,
        ),
      ),
    ),
  ),
  reply(
    'Apple Mail, quote with a picture',
    apple(
      'mixed',
      html(
        body(
          `It does.¶<div><br><blockquote type="cite"><div>On 16 Nov 2026, at 09:41, Bob wrote:</div><div>see</div></blockquote></div>`,
        ),
      ),
      picture('2@me', 'photo.jpg'),
      html(body('<blockquote type="cite">the end of the quote</blockquote>')),
    ),
  ),
  forward(
    'Apple Mail, forward',
    apple(
      'alternative',
      text(
        `For you.\n¶\n> Begin forwarded message:\n> \n> From: Bob <bob@example.org>\n> Subject: Numbers\n> Date: 16 November 2026 at 09:41:00 CET\n> To: Ada <ada@example.com>\n> \n> the engine runs.\n`,
      ),
      html(
        body(
          `For you.¶<br id="lineBreakAtBeginningOfMessage"><div><br><blockquote type="cite"><div>Begin forwarded message:</div><br class="Apple-interchange-newline">${appleHeader('From', 'Bob')}${appleHeader('Subject', 'Numbers')}${appleHeader('Date', '16 November 2026')}${appleHeader('To', 'Ada')}<br><div>the engine runs.</div></blockquote></div><br>`,
        ),
      ),
    ),
  ),
  forward(
    'iPhone, forward',
    alternative(
      text(
        `For you.\n\nSent from my iPhone\n¶\nBegin forwarded message:\n\n> From: Bob <bob@example.org>\n> Date: 16 November 2026\n> To: Ada\n> Subject: Numbers\n> \n> the engine runs.\n`,
      ),
      html(
        body(
          `For you.<br><br><div dir="ltr">Sent from my iPhone</div>¶<div dir="ltr"><br>Begin forwarded message:<br><br></div><blockquote type="cite"><div dir="ltr"><b>From:</b> Bob<br><b>Date:</b> 16 November<br><b>To:</b> Ada<br><b>Subject:</b> <b>Numbers</b><br><br></div></blockquote><blockquote type="cite"><div dir="ltr">the engine runs.</div></blockquote>`,
        ),
      ),
    ),
  ),
  forward(
    'iPhone, forward in German',
    alternative(
      text(
        `Bitte.\n¶\nAnfang der weitergeleiteten Nachricht:\n\n> Von: Bob <bob@example.org>\n> Betreff: Zahlen\n> \n> sie läuft.\n`,
      ),
      html(
        body(
          `Bitte.¶<div dir="ltr"><br>Anfang der weitergeleiteten Nachricht:<br><br></div><blockquote type="cite"><div dir="ltr"><b>Von:</b> Bob<br><b>Betreff:</b> Zahlen<br></div></blockquote><blockquote type="cite">sie läuft.</blockquote>`,
        ),
      ),
    ),
  ),
  reply(
    'Apple Mail, answer below the quote',
    apple(
      'alternative',
      text(`On 16 Nov 2026, at 09:41, Bob Example <bob@example.org> wrote:\n\n${quotedText}\nIt does.\n¶`),
      html(
        body(
          `<div><blockquote type="cite"><div>On 16 Nov 2026, at 09:41, Bob wrote:</div><div>the engine runs.</div></blockquote></div><div><br></div><div>It does.</div>`,
        ).replace('</body>', '¶</body>'),
      ),
    ),
  ),
]
