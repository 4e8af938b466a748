// Messages that must pass without a change.
import {
  alternative,
  type CorpusMessage,
  type CorpusPart,
  file,
  html,
  mail,
  mixed,
  multipart,
  part,
  reply,
  text,
} from './builder.ts'

const hello = text('Hello\n', { encoding: '7bit', charset: 'us-ascii' })
const rich = html('<p>Hello</p>')
const calendar = part(
  'text/calendar; charset=utf-8; method=REQUEST',
  'BEGIN:VCALENDAR\nMETHOD:REQUEST\nEND:VCALENDAR\n',
)
const base64 = (type: string, name: string): CorpusPart =>
  part(
    `${type}; name="${name}"`,
    Buffer.from('not really').toString('base64'),
    'Content-Transfer-Encoding: base64',
    `Content-Disposition: attachment; filename="${name}"`,
  )
const received = Array.from({ length: 30 }, (_, n) => `Received: from a by b; ${n}`)
const deep = (depth: number): CorpusPart =>
  depth === 0 ? hello : multipart('mixed', [deep(depth - 1)], 'plain')

export const leftAlone: readonly CorpusMessage[] = [
  mail(
    'S/MIME, signed in the open',
    multipart(
      'signed',
      [alternative(hello, rich), base64('application/pkcs7-signature', 'smime.p7s')],
      'apple',
      '; protocol="application/pkcs7-signature"; micalg=sha-256',
    ),
    { leave: 'signed' },
  ),
  mail('S/MIME, signed inside', base64('application/pkcs7-mime; smime-type=signed-data', 'smime.p7m'), {
    leave: 'encrypted',
  }),
  mail('S/MIME, encrypted', base64('application/x-pkcs7-mime; smime-type=enveloped-data', 'smime.p7m'), {
    leave: 'encrypted',
  }),
  mail(
    'PGP/MIME, signed',
    multipart(
      'signed',
      [hello, part('application/pgp-signature; name="signature.asc"', '-----BEGIN PGP SIGNATURE-----\n')],
      'thunderbird',
      '; micalg=pgp-sha256; protocol="application/pgp-signature"',
    ),
    { leave: 'signed' },
  ),
  mail(
    'PGP/MIME, signed within a list',
    mixed(multipart('signed', [hello, part('application/pgp-signature', 'x')], 'plain'), hello),
    { leave: 'signed' },
  ),
  mail(
    'PGP/MIME, encrypted',
    multipart(
      'encrypted',
      [
        part('application/pgp-encrypted', 'Version: 1\n'),
        part('application/octet-stream', '-----BEGIN PGP MESSAGE-----\n'),
      ],
      'plain',
      '; protocol="application/pgp-encrypted"',
    ),
    { leave: 'encrypted' },
  ),
  mail(
    'PGP in the text, encrypted',
    text('-----BEGIN PGP MESSAGE-----\n\nhQEMA\n-----END PGP MESSAGE-----\n'),
    { leave: 'encrypted' },
  ),
  mail(
    'PGP in the text, signed',
    text('-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nHello\n-----BEGIN PGP SIGNATURE-----\n'),
    { leave: 'signed' },
  ),
  mail('PGP in HTML', html('<pre>-----BEGIN PGP MESSAGE-----\n\nhQEMA</pre>'), { leave: 'encrypted' }),
  mail(
    'PGP in the text, behind a mention of it',
    text('See "-----BEGIN PGP MESSAGE-----":\n\t-----BEGIN PGP MESSAGE-----\n\nhQEMA\n'),
    { leave: 'encrypted' },
  ),
  mail('S/MIME, encrypted, by its file', base64('application/octet-stream', 'smime.p7m'), {
    leave: 'encrypted',
  }),
  mail('S/MIME, signed, by its file', mixed(hello, base64('application/octet-stream', 'SMIME.P7S')), {
    leave: 'signed',
  }),
  mail('rights protected', mixed(hello, base64('application/x-microsoft-rpmsg-message', 'message.rpmsg')), {
    header: ['Content-Class: rpmsg.message'],
    leave: 'rights_protected',
  }),
  mail('rights protected, by its file', mixed(hello, base64('application/octet-stream', 'Message.rpmsg')), {
    leave: 'rights_protected',
  }),
  mail('TNEF', mixed(hello, base64('application/ms-tnef', 'winmail.dat')), { leave: 'tnef' }),
  mail('TNEF by its file', mixed(hello, base64('application/octet-stream', 'WINMAIL.DAT')), {
    leave: 'tnef',
  }),
  mail(
    'invitation of Google',
    mixed(alternative(hello, rich, calendar), base64('application/ics', 'invite.ics')),
    { leave: 'invitation' },
  ),
  mail('invitation of Exchange', alternative(hello, rich, calendar), {
    header: ['Content-Class: urn:content-classes:calendarmessage'],
    leave: 'invitation',
  }),
  mail('invitation as application/ics', mixed(hello, base64('application/ics', 'invite.ics')), {
    leave: 'invitation',
  }),
  mail(
    'invitation as attachment',
    mixed(
      hello,
      part(
        'text/calendar; method=REQUEST; name="invite.ics"',
        'BEGIN:VCALENDAR\nMETHOD:REQUEST\n',
        'Content-Disposition: attachment; filename="invite.ics"',
      ),
    ),
    { leave: 'invitation' },
  ),
  mail('invitation alone', calendar, { leave: 'invitation' }),
  mail('answer to an invitation', mixed(hello, part('text/calendar; method=REPLY', 'BEGIN:VCALENDAR\n')), {
    leave: 'invitation',
  }),
  mail(
    'calendar file as attachment',
    mixed(
      text('Hello\n¶', { encoding: '7bit' }),
      part(
        'text/calendar; name="a.ics"',
        'BEGIN:VCALENDAR\n',
        'Content-Disposition: attachment; filename="a.ics"',
      ),
    ),
  ),
  mail(
    'bounce',
    multipart(
      'report',
      [
        hello,
        part('message/delivery-status', 'Reporting-MTA: dns; mx\n'),
        part('message/rfc822', 'Subject: x\n\nHello\n'),
      ],
      'plain',
      '; report-type=delivery-status',
    ),
    { from: 'Mail Delivery System <mailer-daemon@example.com>', leave: 'report' },
  ),
  mail(
    'read receipt',
    multipart(
      'report',
      [hello, part('message/disposition-notification', 'Final-Recipient: rfc822;ada@example.com\n')],
      'plain',
      '; report-type=disposition-notification',
    ),
    { leave: 'report' },
  ),
  mail('absence note of Exchange', alternative(hello, rich), {
    header: ['Auto-Submitted: auto-generated', 'X-Auto-Response-Suppress: All'],
    leave: 'auto_reply',
  }),
  reply('absence note of Gmail', alternative(hello, rich), {
    header: ['Auto-Submitted: auto-replied', 'X-Autoreply: yes', 'Precedence: bulk'],
    leave: 'auto_reply',
  }),
  mail('absence note of an old server', hello, { header: ['Precedence: auto_reply'], leave: 'auto_reply' }),
  mail('Auto-Submitted: no', text('Hello\n¶', { encoding: '7bit' }), { header: ['Auto-Submitted: no'] }),
  mail('mailing list', mixed(hello, text('_______\nlist mailing list\n')), {
    header: ['List-Id: <list.example.org>', 'List-Post: <mailto:list@example.org>'],
    leave: 'mailing_list',
  }),
  mail('newsletter with List-Unsubscribe', alternative(text('News\n¶'), html('<p>News</p>¶')), {
    header: ['List-Unsubscribe: <mailto:u@example.com>'],
  }),
  mail('processed already', alternative(hello, rich), {
    header: ['X-Signoff-Processed: test-instance'],
    leave: 'already_processed',
  }),
  mail('processed by another instance', alternative(text('Hello\n¶'), html('<p>Hello</p>¶')), {
    header: ['X-Signoff-Processed: another'],
  }),
  mail(
    'signed by Gmail push',
    alternative(
      hello,
      html(
        '<div dir="ltr">Hello</div><div class="gmail_signature"><a href="https://links.example.com/c/abc">Ada</a></div>',
      ),
    ),
    { leave: 'already_signed' },
  ),
  mail('signed by the add-in, text alone', text('Hello\n\nAda\nhttps://LINKS.example.com/c/abc\n'), {
    leave: 'already_signed',
  }),
  mail(
    'link to a longer host',
    alternative(
      text('Hello https://links.example.com.au/c/x\n¶'),
      html('<p><a href="https://links.example.com.au/">x</a></p>¶'),
    ),
  ),
  reply(
    'signature of ours in the quote',
    alternative(
      text('It does.\n¶\nOn Mon, Nov 16, 2026 at 9:41 AM Bob wrote:\n> https://links.example.com/c/abc\n'),
      html(
        '<div>It does.</div>¶<br><div class="gmail_quote">On Mon wrote:<blockquote class="gmail_quote"><div data-signoff="signature"><a href="https://links.example.com/c/abc">Ada</a></div></blockquote></div>',
      ),
    ),
  ),
  reply(
    'signature of ours in the quote, answer below',
    text('On Mon, Nov 16, 2026 at 9:41 AM Bob wrote:\n> https://links.example.com/c/abc\n\nIt does.\n¶'),
  ),
  reply(
    'Gmail push below the quote',
    html(
      '<div>It does.</div><div class="gmail_quote">On Nov 16, 2026, 9:41 Bob wrote:<blockquote class="gmail_quote">runs</blockquote></div><br><div class="gmail_signature"><a href="https://links.example.com/c/abc">Ada</a></div>',
    ),
    { leave: 'already_signed' },
  ),
  mail('many hops', hello, { header: received, leave: 'too_many_hops' }),
  mail('two senders', hello, { from: 'ada@example.com, bob@example.com', leave: 'several_senders' }),
  mail('empty sender', hello, { from: '', leave: 'no_sender' }),
  mail('redirected', hello, {
    header: ['Resent-From: carol@example.com', 'Resent-To: dave@example.com'],
    leave: 'resent',
  }),
  mail('two texts to choose from', alternative(hello, hello), { leave: 'ambiguous' }),
  mail('two HTML parts to choose from', alternative(rich, html('<p>Other</p>')), { leave: 'ambiguous' }),
  mail('only a file', file('scan.pdf'), { leave: 'no_text' }),
  mail('only files', mixed(file('one.pdf'), file('two.pdf')), { leave: 'no_text' }),
  mail(
    'text as attachment',
    part('text/plain; name="log.txt"', 'Hello\n', 'Content-Disposition: attachment; filename="log.txt"'),
    { leave: 'no_text' },
  ),
  mail('forwarded as attachment alone', part('message/rfc822', 'Subject: x\n\nHello\n'), {
    leave: 'no_text',
  }),
  mail('51 levels', deep(51), { leave: 'too_deep' }),
  mail('50 levels', { ...deep(50), text: { above: 'Hello', below: '' } }),
  mail(
    '2,001 parts',
    multipart(
      'mixed',
      Array.from({ length: 2_000 }, () => part('text/plain', 'x')),
      'plain',
    ),
    { leave: 'too_many_parts' },
  ),
  mail('header of 300 kB', hello, {
    header: [`X-Long: ${'a'.repeat(300 * 1024)}`],
    leave: 'header_too_large',
  }),
  mail('digest', multipart('digest', [part('message/rfc822', 'Subject: x\n\nHello\n')], 'plain'), {
    leave: 'no_text',
  }),
]
