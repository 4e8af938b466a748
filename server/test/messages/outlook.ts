// Outlook of twenty years: Word for Windows, on the web, for Mac, for phones, and what came before.
import { type CorpusMessage, file, forward, html, mail, multipart, picture, reply, text } from './builder.ts'
import { outlookLabels as headers } from './outlook-labels.ts'

const decoded = (label: string): string =>
  label.replace('&nbsp;', ' ').replace('&eacute;', 'é').replace('&Agrave;', 'À')

const word = (body: string): string =>
  `<html xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:w="urn:schemas-microsoft-com:office:word">\n<head>\n<meta http-equiv="Content-Type" content="text/html; charset=utf-8">\n<style><!--\n/* Style Definitions */\np.MsoNormal\n\t{margin:0cm; font-size:11.0pt;}\n--></style><!--[if gte mso 9]><xml>\n<o:shapedefaults v:ext="edit" spidmax="1026" />\n</xml><![endif]-->\n</head>\n<body lang="EN-GB" link="#0563C1" vlink="#954F72" style='word-wrap:break-word'>\n<div class="WordSection1">\n${body}\n</div>\n</body>\n</html>\n`
const p = (content: string): string => `<p class="MsoNormal">${content}<o:p></o:p></p>\n`
const emptyP = '<p class="MsoNormal"><o:p>&nbsp;</o:p></p>\n'

const headerBlock = ([, from, sent, to, subject]: readonly string[]): string =>
  p(
    `<b><span lang="EN-US">${from}</span></b><span lang="EN-US"> Bob Example &lt;bob@example.org&gt; <br><b>${sent}</b> Monday, 16 November 2026 09:41<br><b>${to}</b> Ada Lovelace &lt;ada@example.com&gt;<br><b>${subject}</b> Numbers</span>`,
  )
const headerLines = ([, from, sent, to, subject]: readonly string[]): string =>
  `${decoded(from as string)} Bob Example <bob@example.org>\n${decoded(sent as string)} Monday, 16 November 2026 09:41\n${decoded(to as string)} Ada Lovelace <ada@example.com>\n${decoded(subject as string)} Numbers\n`

const line = (colour: string): string =>
  `<div>\n<div style='border:none;border-top:solid ${colour} 1.0pt;padding:3.0pt 0cm 0cm 0cm'>\n`
const original = `${emptyP}${p('Dear Ada, the engine runs.')}`
const english = headers[0] as readonly string[]
const outlook = (...parts: Parameters<typeof multipart>[1]) => multipart('alternative', parts, 'outlook')

const word365 = headers.map(row =>
  reply(
    `Outlook 365 for Windows, reply in ${row[0]}`,
    outlook(
      text(`It does.\n¶\n${headerLines(row)}\nDear Ada, the engine runs.\n`, { encoding: 'base64' }),
      html(
        word(`${p('It does.')}¶${emptyP}${line('#E1E1E1')}${headerBlock(row)}</div>\n</div>\n${original}`),
      ),
    ),
  ),
)

/** The same without the line: Outlook 2010 in some settings, and clients that removed the style. */
const withoutLine = headers
  .filter((_, index) => index % 3 === 0)
  .map(row =>
    reply(
      `Outlook 2010 without the line, reply in ${row[0]}`,
      outlook(
        text(`It does.\n¶\n${headerLines(row)}\nDear Ada, the engine runs.\n`),
        html(word(`${p('It does.')}¶${emptyP}<div>\n${headerBlock(row)}</div>\n${original}`)),
      ),
    ),
  )

const owaReference = (row: readonly string[]) =>
  `<hr style="display:inline-block;width:98%" tabindex="-1">\n<div id="divRplyFwdMsg" dir="ltr"><font face="Calibri, sans-serif" style="font-size:11pt" color="#000000"><b>${row[1]}</b> Bob Example &lt;bob@example.org&gt;<br>\n<b>${row[2]}</b> Monday, November 16, 2026 9:41 AM<br>\n<b>${row[3]}</b> Ada Lovelace &lt;ada@example.com&gt;<br>\n<b>${row[4]}</b> Numbers</font>\n<div>&nbsp;</div>\n</div>\n<div>Dear Ada, the engine runs.</div>`
const owaText = `________________________________\n${headerLines(english)}\nDear Ada, the engine runs.\n`
const owa = (body: string): string =>
  `<html>\n<head>\n<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-1">\n<style type="text/css" style="display:none;"> P {margin-top:0;margin-bottom:0;} </style>\n</head>\n<body dir="ltr">\n${body}\n</body>\n</html>\n`
const latin = { charset: 'iso-8859-1' } as const

export const outlookMessages: readonly CorpusMessage[] = [
  mail(
    'Outlook 365 for Windows, new',
    outlook(
      text('Hello Charles,\n\nit runs.\n\n¶', { charset: 'us-ascii', encoding: '7bit' }),
      html(word(`${p('Hello Charles,')}${emptyP}${p('it runs.')}`).replace('</body>', '¶</body>'), {
        charset: 'us-ascii',
      }),
    ),
    { header: ['X-Mailer: Microsoft Outlook 16.0', 'Thread-Index: AdzB1k'] },
  ),
  mail(
    'Outlook 365 for Windows, new with logo and file',
    multipart(
      'mixed',
      [
        multipart(
          'related',
          [
            outlook(
              text('Hello\n\n[cid:image001.png@01DA]\n¶'),
              html(
                word(p('Hello<img width="20" src="cid:image001.png@01DA">')).replace('</body>', '¶</body>'),
              ),
            ),
            picture('image001.png@01DA'),
          ],
          'outlook',
          ';\r\n\ttype="multipart/alternative"',
        ),
        file('Plan.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'),
      ],
      'outlook',
    ),
  ),
  ...word365,
  ...withoutLine,
  reply(
    'Outlook 2007, reply',
    outlook(
      text(`It does.\n¶\n${headerLines(english)}\nthe engine runs.\n`, latin),
      html(
        word(
          `${p('It does.')}¶${emptyP}${line('#B5C4DF')}${headerBlock(english)}</div>\n</div>\n${original}`,
        ),
        latin,
      ),
    ),
  ),
  forward(
    'Outlook 2013, forward',
    outlook(
      text(`For you.\n¶\n${headerLines(english)}\nthe engine runs.\n`),
      html(
        word(
          `${p('For you.')}¶${emptyP}${line('#E1E1E1')}${headerBlock(english)}</div>\n</div>\n${original}`,
        ),
      ),
    ),
  ),
  forward(
    'Outlook 365, forward without a word',
    outlook(
      text(`¶\n${headerLines(english)}\nthe engine runs.\n`),
      html(
        word(`${emptyP}${line('#E1E1E1')}${headerBlock(english)}</div>\n</div>\n${original}`).replace(
          '<div class="WordSection1">',
          '¶<div class="WordSection1">',
        ),
      ),
    ),
  ),
  reply(
    'Outlook 365, reply to all with many recipients',
    outlook(
      text(
        `It does.\n¶\nFrom: Bob <bob@example.org>\nSent: Monday, 16 November 2026 09:41\nTo: ${Array.from({ length: 9 }, (_, n) => `Person ${n} <person${n}@example.org>`).join(';\n ')}\nCc: Team <team@example.org>\nSubject: Numbers\n\nthe engine runs.\n`,
      ),
      html(
        word(
          `${p('It does.')}¶${emptyP}${line('#E1E1E1')}${p(`<b>From:</b> Bob &lt;bob@example.org&gt; <br><b>Sent:</b> Monday<br><b>To:</b> ${'Person &lt;person@example.org&gt;; '.repeat(30)}<br><b>Cc:</b> Team<br><b>Subject:</b> Numbers`)}</div></div>${original}`,
        ),
      ),
    ),
  ),
  reply(
    'Outlook 2003 with Word, reply',
    html(
      `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><meta name=Generator content="Microsoft Word 11 (filtered medium)"></head><body lang=EN-US link=blue vlink=purple><div class=Section1><p class=MsoNormal><font size=2 color=navy face=Arial><span style='font-size:10.0pt'>It does.<o:p></o:p></span></font></p>¶<p class=MsoNormal><font size=2><span><o:p>&nbsp;</o:p></span></font></p><div><div class=MsoNormal align=center style='text-align:center'><font size=3><span><hr size=2 width="100%" align=center tabindex=-1></span></font></div><p class=MsoNormal><b><font size=2 face=Tahoma><span style='font-weight:bold'>From:</span></font></b><font size=2 face=Tahoma><span> Bob Example [mailto:bob@example.org] <br><b><span>Sent:</span></b> Monday, November 16, 2009 9:41 AM<br><b><span>To:</span></b> Ada<br><b><span>Subject:</span></b> Numbers</span></font><o:p></o:p></p></div><p class=MsoNormal>the engine runs.</p></div></body></html>`,
      { charset: 'us-ascii' },
    ),
    { header: ['X-Mailer: Microsoft Office Outlook 11'] },
  ),
  reply(
    'Outlook 2003 without Word, reply',
    html(
      `<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.0 Transitional//EN">\n<HTML><HEAD><META http-equiv=Content-Type content="text/html; charset=us-ascii"></HEAD>\n<BODY>\n<DIV><SPAN class=123>It does.</SPAN></DIV>¶\n<BLOCKQUOTE dir=ltr style="MARGIN-RIGHT: 0px">\n  <DIV class=OutlookMessageHeader dir=ltr align=left><FONT face=Tahoma size=2>-----Original Message-----<BR><B>From:</B> Bob [mailto:bob@example.org] <BR><B>Sent:</B> Monday, November 16, 2009 9:41 AM<BR><B>To:</B> Ada<BR><B>Subject:</B> Numbers<BR><BR></FONT></DIV>\n  <DIV>the engine runs.</DIV></BLOCKQUOTE></BODY></HTML>\n`,
      { charset: 'us-ascii', encoding: '7bit' },
    ),
  ),
  reply(
    'Outlook 2003 in plain text, reply',
    text(
      `It does.\n¶\n-----Original Message-----\nFrom: Bob Example [mailto:bob@example.org] \nSent: Monday, November 16, 2009 9:41 AM\nTo: Ada\nSubject: Numbers\n\nthe engine runs.\n`,
      { charset: 'us-ascii', encoding: '7bit' },
    ),
  ),
  reply(
    'Outlook in plain text, reply in German',
    text(
      `Ja, läuft.\n¶\n-----Ursprüngliche Nachricht-----\nVon: Bob Example <bob@example.org> \nGesendet: Montag, 16. November 2026 09:41\nAn: Ada\nBetreff: Zahlen\n\nsie läuft.\n`,
      latin,
    ),
  ),
  reply(
    'Outlook in plain text, reply in French',
    text(
      `Oui.\n¶\n-----Message d'origine-----\nDe : Bob Example <bob@example.org> \nEnvoyé : lundi 16 novembre 2026 09:41\nÀ : Ada\nObjet : Nombres\n\nça marche.\n`,
      { charset: 'windows-1252', encoding: '8bit' },
    ),
  ),
  mail(
    'Outlook on the web, new',
    outlook(
      text('Hello Charles\n¶', latin),
      html(
        owa('<div class="elementToProof" style="font-size: 12pt;">Hello Charles</div>\n').replace(
          '</body>',
          '¶</body>',
        ),
        latin,
      ),
    ),
  ),
  mail(
    'Outlook on the web, new with the mark of replies',
    outlook(
      text('Hello Charles\n¶', latin),
      html(
        owa('<div class="elementToProof">Hello Charles</div><div id="appendonsend"></div>').replace(
          '</body>',
          '¶</body>',
        ),
        latin,
      ),
    ),
  ),
  reply(
    'Outlook on the web, reply',
    outlook(
      text(`It does.\n¶\n${owaText}`, latin),
      html(
        owa(
          `<div class="elementToProof">It does.</div>\n¶<div id="appendonsend"></div>\n${owaReference(english)}`,
        ),
        latin,
      ),
    ),
  ),
  forward(
    'Outlook on the web, forward',
    outlook(
      text(`For you.\n¶\n${owaText}`, latin),
      html(
        owa(
          `<div>For you.</div>\n¶<div><br>\n</div>\n<div id="appendonsend"></div>\n${owaReference(english)}`,
        ),
        latin,
      ),
    ),
  ),
  reply(
    'Outlook on the web, reply in an unknown language',
    outlook(
      text(
        `It does.\n\n________________________________\nFrm: Bob\nSnt: Monday\nT: Ada\nSbj: Numbers\n\nthe engine runs.\n¶`,
        latin,
      ),
      html(
        owa(
          `<div>It does.</div>\n¶<div id="appendonsend"></div>\n${owaReference(['', 'Frm:', 'Snt:', 'T:', 'Sbj:'])}`,
        ),
        latin,
      ),
    ),
  ),
  reply(
    'New Outlook, reply',
    outlook(
      text(`It does.\n¶\n${owaText}`),
      html(
        owa(
          `<div class="elementToProof">It does.</div>¶\n<div id="mail-editor-reference-message-container" class="elementToProof">\n<div class="ms-outlook-mobile-reference-message skipProofing"></div>${owaReference(english)}</div>`,
        ),
      ),
    ),
  ),
  reply(
    'Outlook for iOS, reply',
    outlook(
      text(`It does.\n\nGet Outlook for iOS<https://aka.ms/o0ukef>\n¶\n${owaText}`),
      html(
        owa(
          `<div dir="ltr">It does.</div>\n<div id="ms-outlook-mobile-body-separator-line" dir="ltr"><br></div><div id="ms-outlook-mobile-signature">Get <a href="https://aka.ms/o0ukef">Outlook for iOS</a></div>¶\n<div id="mail-editor-reference-message-container" class="ms-outlook-mobile-reference-message skipProofing">${owaReference(english)}</div>`,
        ),
      ),
    ),
  ),
  mail(
    'Outlook for Android, new',
    outlook(
      text('Hello\n\nGet Outlook for Android<https://aka.ms/AAb9ysg>\n¶', latin),
      html(
        owa(
          '<div dir="auto">Hello</div><div id="ms-outlook-mobile-signature"><div>Get <a href="https://aka.ms/AAb9ysg">Outlook for Android</a></div></div>',
        ).replace('</body>', '¶</body>'),
        latin,
      ),
    ),
  ),
  reply(
    'Outlook for Android, reply',
    outlook(
      text(`It does.\n¶\n${owaText}`),
      html(
        owa(
          `<div dir="auto">It does.</div>¶\n<hr style="display:inline-block;width:98%" tabindex="-1">\n<div id="divRplyFwdMsg" dir="ltr"><b>From:</b> Bob<br><b>Sent:</b> Monday<br><b>To:</b> Ada<br><b>Subject:</b> Numbers</div>the engine runs.`,
        ),
      ),
    ),
  ),
  reply(
    'Outlook 2011 for Mac, reply',
    outlook(
      text(
        `It does.\n¶\nFrom:  Bob <bob@example.org>\nDate:  Monday, 16 November 2015 09:41\nTo:  Ada <ada@example.com>\nSubject:  Numbers\n\nthe engine runs.\n`,
      ),
      html(
        `<html><head></head><body style="word-wrap: break-word; color: rgb(0, 0, 0);"><div>It does.</div>¶<div><br></div><span id="OLK_SRC_BODY_SECTION"><div style="font-family:Calibri; font-size:11pt; BORDER-TOP: #b5c4df 1pt solid; PADDING-TOP: 3pt"><span style="font-weight:bold">From: </span> Bob<br><span style="font-weight:bold">Date: </span> Monday<br><span style="font-weight:bold">To: </span> Ada<br><span style="font-weight:bold">Subject: </span> Numbers<br></div><div><br></div><div>the engine runs.</div></span></body></html>`,
      ),
    ),
  ),
  reply(
    'Outlook 365 for Mac, reply',
    outlook(
      text(
        `It does.\n¶\nFrom: Bob <bob@example.org>\nDate: Monday, 16 November 2026 at 09:41\nTo: Ada <ada@example.com>\nSubject: Numbers\nthe engine runs.\n`,
      ),
      html(
        word(
          `${p('It does.')}¶${emptyP}<div style="border-right:none;border-bottom:none;border-left:none;border-image:initial;border-top:1pt solid rgb(181, 196, 223);padding:3pt 0cm 0cm"><p class="MsoNormal"><b>From: </b>Bob<br><b>Date: </b>Monday<br><b>To: </b>Ada<br><b>Subject: </b>Numbers</p></div>${original}`,
        ),
      ),
    ),
  ),
  reply(
    'Hotmail, reply',
    outlook(
      text(
        `It does.\n¶\nDate: Mon, 16 Nov 2009 09:41:00 +0100\nFrom: bob@example.org\nTo: ada@example.com\nSubject: Numbers\n\nthe engine runs.\n`,
        latin,
      ),
      html(
        `<html>\n<head>\n<style>\n.hmmessage P\n{\nmargin:0px;\n}\n</style>\n</head>\n<body class='hmmessage'>\nIt does.¶<br>&nbsp;<br><hr id="stopSpelling">Date: Mon, 16 Nov 2009 09:41:00 +0100<br>From: bob@example.org<br>To: ada@example.com<br>Subject: Numbers<br><br>the engine runs.</body>\n</html>`,
        latin,
      ),
    ),
  ),
  reply(
    'Outlook Express, reply',
    outlook(
      text(
        `It does.\n¶\n  ----- Original Message ----- \n  From: Bob \n  To: Ada \n  Sent: Monday, November 16, 2009 9:41 AM\n  Subject: Numbers\n\n\n  the engine runs.\n`,
        latin,
      ),
      html(
        `<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.0 Transitional//EN">\n<HTML><HEAD></HEAD>\n<BODY bgColor=#ffffff>\n<DIV><FONT face=Arial size=2>It does.</FONT></DIV>¶\n<BLOCKQUOTE \nstyle="PADDING-RIGHT: 0px; PADDING-LEFT: 5px; MARGIN-LEFT: 5px; BORDER-LEFT: #000000 2px solid; MARGIN-RIGHT: 0px">\n  <DIV style="FONT: 10pt arial">----- Original Message ----- </DIV>\n  <DIV style="BACKGROUND: #e4e4e4; FONT: 10pt arial; font-color: black"><B>From:</B> Bob </DIV>\n  <DIV style="FONT: 10pt arial"><B>To:</B> Ada </DIV>\n  <DIV style="FONT: 10pt arial"><B>Subject:</B> Numbers</DIV>\n  <DIV>the engine runs.</DIV></BLOCKQUOTE></BODY></HTML>\n`,
        latin,
      ),
    ),
  ),
  reply(
    'Windows Live Mail, reply',
    outlook(
      text(
        `It does.\n¶\nFrom: Bob \nSent: Monday, November 16, 2015 9:41 AM\nTo: Ada \nSubject: Numbers\n\nthe engine runs.\n`,
      ),
      html(
        `<HTML><HEAD></HEAD>\n<BODY dir=ltr>\n<DIV dir=ltr>\n<DIV style="FONT-SIZE: 12pt; FONT-FAMILY: 'Calibri'; COLOR: #000000">\n<DIV>It does.</DIV>¶\n<DIV style='FONT-SIZE: small; TEXT-DECORATION: none; DISPLAY: inline'>\n<DIV style="FONT: 10pt tahoma">\n<DIV>&nbsp;</DIV>\n<DIV style="BACKGROUND: #f5f5f5">\n<DIV style="font-color: black"><B>From:</B> <A href="mailto:bob@example.org">Bob</A> </DIV>\n<DIV><B>Sent:</B> Monday, November 16, 2015 9:41 AM</DIV>\n<DIV><B>To:</B> Ada</DIV>\n<DIV><B>Subject:</B> Numbers</DIV></DIV></DIV>\n<DIV>&nbsp;</DIV></DIV>\n<DIV>the engine runs.</DIV></DIV></DIV></BODY></HTML>`,
      ),
    ),
  ),
  reply(
    'Windows Mail of Windows 8, reply',
    outlook(
      text(
        `It does.\n¶\nFrom: Bob\nSent: Monday, November 16, 2015 9:41 AM\nTo: Ada\nSubject: Numbers\n\nthe engine runs.\n`,
      ),
      html(
        `<html><head></head><body data-externalstyle="true"><div style="font-family: Calibri"><div>It does.</div>¶<div><br></div><div style="padding-top: 5px; border-top-color: rgb(229, 229, 229); border-top-width: 1px; border-top-style: solid;"><div><font face="Calibri"><b>From:</b>&nbsp;<a href="mailto:bob@example.org">Bob</a><br><b>Sent:</b>&nbsp;Monday<br><b>To:</b>&nbsp;Ada<br><b>Subject:</b>&nbsp;Numbers</font></div></div><div><br></div>the engine runs.</div></body></html>`,
      ),
    ),
  ),
  reply(
    'Mail of Windows 10, reply',
    outlook(
      text(
        `It does.\n\nSent from Mail for Windows 10\n¶\nFrom: Bob\nSent: Monday, November 16, 2020 9:41 AM\nTo: Ada\nSubject: Numbers\n\nthe engine runs.\n`,
      ),
      html(
        word(
          `${p('It does.')}${p('Sent from <a href="https://go.microsoft.com/fwlink/?LinkId=550986">Mail</a> for Windows 10')}¶${emptyP}<div style="mso-element:para-border-div;border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0in 0in 0in"><p class="MsoNormal" style="border:none;padding:0in"><b>From: </b><a href="mailto:bob@example.org">Bob</a><br><b>Sent: </b>Monday<br><b>To: </b>Ada<br><b>Subject: </b>Numbers</p></div>${original}`,
        ),
      ),
    ),
  ),
  mail(
    'Outlook on the web, HTML alone',
    html(owa('<p>Grüße aus Köln</p>\n').replace('</body>', '¶</body>'), latin),
  ),
  mail(
    'Exchange, converted from text',
    outlook(
      text('Hello Charles\n¶', latin),
      html(
        '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2//EN">\n<HTML>\n<HEAD>\n<TITLE>Numbers</TITLE>\n</HEAD>\n<BODY>\n<!-- Converted from text/plain format -->\n\n<P><FONT SIZE=2>Hello Charles</FONT></P>\n\n¶</BODY>\n</HTML>\n',
        latin,
      ),
    ),
  ),
]
