// Thunderbird, KMail, Evolution, mutt and other programs.
import { alternative, type CorpusMessage, forward, html, mail, multipart, reply, text } from './builder.ts'

const flowed = { charset: 'UTF-8', encoding: '8bit', more: 'format=flowed' } as const
const plain = { charset: 'us-ascii', encoding: '7bit' } as const
const page = (body: string): string =>
  `<!DOCTYPE html>\n<html>\n  <head>\n    <meta http-equiv="Content-Type" content="text/html; charset=UTF-8">\n  </head>\n  <body>\n${body}\n  </body>\n</html>\n`
const bird = (rich: string, plainText: string) =>
  multipart('alternative', [text(plainText, flowed), html(page(rich), { encoding: '8bit' })], 'thunderbird')
const prefix = '<div class="moz-cite-prefix">On 11/16/26 09:41, Bob Example wrote:<br>\n    </div>'
const cite =
  '<blockquote type="cite" cite="mid:1@example.org">\n      <p>the engine runs.</p>\n    </blockquote>'
const marked = 'On 11/16/26 09:41, Bob Example wrote:\n> Dear Ada,\n>\n> the engine runs.\n'

export const desktop: readonly CorpusMessage[] = [
  mail('Thunderbird, new', bird('    <p>Hello Charles</p>\n¶  ', 'Hello Charles\n¶')),
  mail(
    'Thunderbird, new text in format=flowed',
    text('Hello Charles, this is a paragraph that the \nprogram has broken into two lines.\n¶', flowed),
  ),
  mail(
    'Thunderbird, format=flowed and delsp',
    text('Hello Charles, this is a paragraph that the  \nprogram has broken.\n¶', {
      ...flowed,
      more: 'format=flowed; delsp=yes',
    }),
  ),
  reply(
    'Thunderbird, answer above the quote',
    bird(`    <p>It does.</p>¶\n    <p><br>\n    </p>\n    ${prefix}\n    ${cite}`, `It does.\n¶\n${marked}`),
  ),
  reply(
    'Thunderbird, answer below the quote',
    bird(`    ${prefix}\n    ${cite}\n    <p>It does.</p>\n¶  `, `${marked}\nIt does.\n¶`),
  ),
  reply(
    'Thunderbird, answers between the quotes',
    bird(
      `    ${prefix}\n    ${cite}\n    It does.<br>\n    ${cite}\n    It does.\n¶  `,
      `${marked}\nIt does.\n\n> and fast?\n\nNo.\n¶`,
    ),
  ),
  reply(
    'Thunderbird, own signature below the quote',
    bird(
      `    <p>It does.</p>¶\n    ${prefix}\n    ${cite}\n    <pre class="moz-signature" cols="72">-- \nAda</pre>`,
      `It does.\n¶\n${marked}\n-- \nAda\n`,
    ),
  ),
  reply(
    'Thunderbird, reply in German',
    bird(
      `    <p>Ja.</p>¶\n    <div class="moz-cite-prefix">Am 16.11.26 um 09:41 schrieb Bob Example:<br>\n    </div>\n    ${cite}`,
      `Ja.\n¶\nAm 16.11.26 um 09:41 schrieb Bob Example:\n> sie läuft.\n`,
    ),
  ),
  reply(
    'Thunderbird of 2010, reply',
    multipart(
      'alternative',
      [
        text(`It does.\n¶\nOn 11/16/2010 9:41 AM, Bob Example wrote:\n> the engine runs.\n`, plain),
        html(
          `<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN">\n<html><head></head><body bgcolor="#ffffff" text="#000000">\nIt does.¶<br>\n<br>\nOn 11/16/2010 9:41 AM, Bob Example wrote:\n<blockquote cite="mid:1@example.org" type="cite">the engine runs.</blockquote>\n</body></html>\n`,
          plain,
        ),
      ],
      'thunderbird',
    ),
  ),
  forward(
    'Thunderbird, forward',
    bird(
      `    <p>For you.</p>¶\n    <div class="moz-forward-container"><br>\n      <br>\n      -------- Forwarded Message --------\n      <table class="moz-email-headers-table" cellspacing="0"><tbody><tr><th align="RIGHT">Subject: </th><td>Numbers</td></tr><tr><th>From: </th><td>Bob</td></tr></tbody></table>\n      the engine runs.</div>`,
      `For you.\n¶\n-------- Forwarded Message --------\nSubject: Numbers\nDate: Mon, 16 Nov 2026 09:41:00 +0100\nFrom: Bob <bob@example.org>\nTo: Ada\n\nthe engine runs.\n`,
    ),
  ),
  reply(
    'Evolution, reply',
    alternative(
      text(`It does.\n¶\nOn Mon, 2026-11-16 at 09:41 +0100, Bob Example wrote:\n> the engine runs.\n`),
      html(
        `<html dir="ltr"><head></head><body style="text-align:left; direction:ltr;"><div>It does.</div>¶<div><br></div><div>On Mon, 2026-11-16 at 09:41 +0100, Bob Example wrote:</div><blockquote type="cite" style="margin:0 0 0 .8ex; border-left:2px #729fcf solid;padding-left:1ex"><div>the engine runs.</div></blockquote></body></html>`,
      ),
    ),
  ),
  reply(
    'KMail, reply',
    text(`It does.\n¶\nOn Monday, 16 November 2026 09:41:00 CET Bob Example wrote:\n> the engine runs.\n`, {
      charset: 'us-ascii',
      encoding: '7bit',
    }),
    { header: ['User-Agent: KMail/5.24'] },
  ),
  reply(
    'KMail, reply below',
    text(
      `On Monday, 16 November 2026 09:41:00 CET Bob Example wrote:\n> the engine runs.\n\nIt does.\n\n-- \nAda\n¶`,
      plain,
    ),
  ),
  reply(
    'mutt, reply above',
    text(
      `It does.\n¶\nOn Mon, Nov 16, 2026 at 09:41:00AM +0100, Bob Example wrote:\n> the engine runs.\n`,
      plain,
    ),
    { header: ['User-Agent: Mutt/2.2.12'] },
  ),
  reply(
    'mutt, reply below with own signature',
    text(
      `On Mon, Nov 16, 2026 at 09:41:00AM +0100, Bob Example wrote:\n> the engine runs.\n\nIt does.\n\n-- \nAda\n¶`,
      plain,
    ),
  ),
  forward(
    'mutt, forward',
    text(
      `For you.\n¶\n----- Forwarded message from Bob Example <bob@example.org> -----\n\nDate: Mon, 16 Nov 2026 09:41:00 +0100\nFrom: Bob Example <bob@example.org>\nTo: Ada\nSubject: Numbers\n\nthe engine runs.\n\n----- End forwarded message -----\n`,
      plain,
    ),
  ),
  reply(
    'eM Client, reply',
    alternative(
      text(
        `It does.\n¶\n------ Original Message ------\nFrom: "Bob" <bob@example.org>\nTo: "Ada" <ada@example.com>\nSent: 16/11/2026 09:41:00\nSubject: Numbers\n\nthe engine runs.\n`,
      ),
      html(
        `<html><head></head><body><div>It does.</div>¶<div><br /></div>\n<div>------ Original Message ------</div>\n<div>From: "Bob" &lt;<a href="mailto:bob@example.org">bob@example.org</a>&gt;</div>\n<div>To: "Ada"</div>\n<div>Subject: Numbers</div><div id="x1"><blockquote type="cite" class="cite2"><div>the engine runs.</div></blockquote></div></body></html>`,
      ),
    ),
  ),
  reply(
    'The Bat!, reply',
    text(
      `Hello Bob,\n\nIt does.\n¶\nMonday, November 16, 2026, 9:41:00 AM, you wrote:\n\n> the engine runs.\n`,
      plain,
    ),
  ),
  reply(
    'Pine, reply below',
    text(`On Mon, 16 Nov 2026, Bob Example wrote:\n\n> the engine runs.\n\nIt does.\n¶`, plain),
  ),
  mail('Perl script, no MIME at all', text('Disk is full.\n¶', plain), { isBare: true }),
  mail('PHP, HTML without a body tag', html('<h1>Order 1</h1><p>Thank you.</p>¶', { encoding: '8bit' })),
  mail(
    'Newsletter tool, one line of 990 characters',
    html(`<html><body><p>${'word '.repeat(190)}</p>¶</body></html>`, {
      encoding: '7bit',
      charset: 'us-ascii',
    }),
  ),
]
