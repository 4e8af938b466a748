// Webmail and apps beyond Gmail and Outlook.
import { alternative, type CorpusMessage, forward, html, mail, reply, text } from './builder.ts'

const line = 'On Monday, November 16, 2026 at 09:41:00 AM GMT+1, Bob Example <bob@example.org> wrote:'
const htmlLine = line.replace('<', '&lt;').replace('>', '&gt;')
const marked = '> Dear Ada,\n> the engine runs.\n'
const labels =
  'From: Bob <bob@example.org>\nSent: Monday, November 16, 2026 9:41 AM\nTo: Ada <ada@example.com>\nSubject: Numbers\n'
const both = (plain: string, rich: string) => alternative(text(plain), html(rich))

export const webmail: readonly CorpusMessage[] = [
  mail(
    'Yahoo, new',
    both(
      'Hello\n¶',
      '<html><head></head><body><div class="ydp1yahoo-style-wrap" style="font-size:16px;"><div dir="ltr">Hello</div></div>¶</body></html>',
    ),
  ),
  reply(
    'Yahoo, reply',
    both(
      ` It does.\n¶\n    ${line}  \n \n Dear Ada, the engine runs.`,
      `<html><head></head><body><div class="ydp99yahoo-style-wrap"><div dir="ltr">It does.</div></div>¶<div><br></div><div id="ydp99yahoo_quoted_123" class="ydp99yahoo_quoted"><div style="font-size:13px;"><div>${htmlLine}</div><div><br></div><div><br></div><div>Dear Ada,<blockquote>inner</blockquote>the engine runs.</div></div></div></body></html>`,
    ),
  ),
  reply(
    'Yahoo classic, reply',
    both(
      `It does.\n¶\n\n${line}\n\nthe engine runs.\n`,
      `<html><body><div style="color:#000; background-color:#fff;">It does.<br></div>¶<div class="yahoo_quoted" style="display: block;"> <div style="font-family: HelveticaNeue;"> <div dir="ltr"> <font size="2" face="Arial"> ${htmlLine}<br clear="none"> </font> </div> <blockquote style="border-left: 2px solid rgb(16, 16, 255);"> <div>the engine runs.</div> </blockquote> </div> </div></body></html>`,
    ),
  ),
  forward(
    'Yahoo, forward',
    both(
      `For you.\n¶\n----- Forwarded Message -----\n${labels}\nthe engine runs.\n`,
      `<div>For you.</div>¶<div><br></div><div id="yahoo_quoted_5" class="yahoo_quoted"><div>----- Forwarded Message -----</div><div><b>From:</b> Bob</div><div><b>To:</b> Ada</div><div><b>Subject:</b> Numbers</div><div>the engine runs.</div></div>`,
    ),
  ),
  reply(
    'AOL, reply',
    both(
      `It does.\n¶\n\n-----Original Message-----\nFrom: Bob <bob@example.org>\nTo: Ada <ada@example.com>\nSent: Mon, Nov 16, 2015 9:41 am\nSubject: Numbers\n\nthe engine runs.\n`,
      `<font color='black' size='2' face='arial'>It does.¶<br>\n<br>\n<div style="font-family:arial,helvetica;font-size:10pt;color:black">-----Original Message-----<br>\nFrom: Bob &lt;bob@example.org&gt;<br>\nTo: Ada &lt;ada@example.com&gt;<br>\nSent: Mon, Nov 16, 2015 9:41 am<br>\nSubject: Numbers<br>\n<br>\n<div class="aolReplacedBody">the engine runs.</div></div></font>`,
    ),
  ),
  reply(
    'Zimbra, reply',
    both(
      `It does.\n¶\nFrom: "Bob" <bob@example.org>\nTo: "Ada" <ada@example.com>\nSent: Monday, November 16, 2026 9:41:00 AM\nSubject: Numbers\n\nthe engine runs.\n`,
      `<html><body><div style="font-family: arial; font-size: 12pt"><div>It does.</div>¶<div><br></div><hr id="zwchr" data-marker="__DIVIDER__"><div data-marker="__HEADERS__"><b>From: </b>"Bob"<br><b>To: </b>"Ada"<br><b>Sent: </b>Monday<br><b>Subject: </b>Numbers<br></div><br><div data-marker="__QUOTED_TEXT__">the engine runs.</div></div></body></html>`,
    ),
  ),
  reply(
    'Zimbra, quote with prefix',
    both(
      `It does.\n¶\n----- On Nov 16, 2026, at 9:41 AM, Bob bob@example.org wrote:\n\n${marked}`,
      `<div>It does.</div>¶<br><hr id="zwchr" data-marker="__DIVIDER__"><div>On Nov 16, Bob wrote:</div><blockquote data-marker="__QUOTED_TEXT__">the engine runs.</blockquote>`,
    ),
  ),
  mail('Proton, new', html('<div style="font-family: Arial, sans-serif; font-size: 14px;">Hello</div>¶')),
  reply(
    'Proton, reply',
    both(
      `It does.\n¶\n\nOn Monday, November 16th, 2026 at 9:41 AM, Bob <bob@example.org> wrote:\n\n${marked}`,
      `<div style="font-family: Arial; font-size: 14px;">It does.</div>¶<div style="font-size: 14px;"><br></div><div class="protonmail_quote">\n        On Monday, November 16th, 2026 at 9:41 AM, Bob &lt;bob@example.org&gt; wrote:<br>\n        <blockquote class="protonmail_quote" type="cite">\n            the engine runs.\n        </blockquote><br>\n    </div>`,
    ),
  ),
  forward(
    'Proton, forward',
    both(
      `For you.\n¶\n------- Forwarded Message -------\nFrom: Bob <bob@example.org>\nDate: On Monday, November 16th, 2026 at 9:41 AM\nSubject: Numbers\nTo: Ada\n\nthe engine runs.\n`,
      `<div>For you.</div>¶<br><div class="protonmail_quote">------- Forwarded Message -------<br>From: Bob<br>Date: Monday<br>Subject: Numbers<br>To: Ada<br><br><blockquote class="protonmail_quote" type="cite">the engine runs.</blockquote><br></div>`,
    ),
  ),
  reply(
    'mail.ru, reply',
    both(
      `Да.\n¶\n>Понедельник, 16 ноября 2026, 9:41 +03:00 от Bob <bob@example.org>:\n> \n>Машина работает.\n`,
      `\n<HTML><BODY><div>Да.</div>¶<div>&nbsp;</div><div data-signature-widget="container"></div><blockquote style="border-left:1px solid #0857A6;margin:10px;padding:0 0 0 10px;">Понедельник, 16 ноября 2026, 9:41 +03:00 от Bob &lt;bob@example.org&gt;:<br>&nbsp;<div id="">Машина работает.</div></blockquote></BODY></HTML>\n`,
    ),
  ),
  forward(
    'mail.ru, forward',
    both(
      `Вот.\n¶\n-------- Пересылаемое сообщение --------\nОт кого: Bob <bob@example.org>\nКому: Ada\nДата: Понедельник, 16 ноября 2026, 9:41 +03:00\nТема: Числа\n\nМашина работает.\n`,
      `<HTML><BODY><div>Вот.</div>¶<blockquote style="border-left:1px solid #0857A6;">-------- Пересылаемое сообщение --------<br>От кого: Bob &lt;bob@example.org&gt;<br>Кому: Ada<br>Дата: Понедельник<br>Тема: Числа<br><br>Машина работает.</blockquote></BODY></HTML>`,
    ),
  ),
  reply(
    'Yandex, reply',
    both(
      `Да.\n¶\n16.11.2026, 09:41, "Bob" <bob@example.org>:\n\n> Машина работает.\n`,
      `<div>Да.</div>¶<div> </div><div>16.11.2026, 09:41, "Bob" &lt;bob@example.org&gt;:</div><blockquote><div>Машина работает.</div></blockquote>`,
    ),
  ),
  forward(
    'Yandex, forward',
    both(
      `Вот.\n¶\n-------- Пересылаемое сообщение --------\nОт: Bob <bob@example.org>\nКому: Ada\nТема: Числа\n\nМашина работает.\n`,
      `<div>Вот.</div>¶<div> </div><div>-------- Пересылаемое сообщение --------</div><div>От: Bob</div><div>Кому: Ada</div><div>Тема: Числа</div><div>Машина работает.</div>`,
    ),
  ),
  reply(
    'GMX, reply',
    html(
      `<html><head></head><body><div style="font-family: Verdana;font-size: 12.0px;"><div>Ja.</div>¶\n\n<div>&nbsp;\n<div name="quote" style="margin:10px 5px 5px 10px; padding: 10px 0 10px 10px; border-left:2px solid #C3D9E5; word-wrap: break-word;">\n<div style="margin:0 0 10px 0;"><b>Gesendet:</b>&nbsp;Montag, 16. November 2026 um 09:41 Uhr<br/>\n<b>Von:</b>&nbsp;&quot;Bob&quot; &lt;bob@example.org&gt;<br/>\n<b>An:</b>&nbsp;Ada<br/>\n<b>Betreff:</b>&nbsp;Zahlen</div>\n<div name="quoted-content">sie läuft.</div>\n</div>\n</div></div></body></html>`,
    ),
  ),
  reply(
    'Web.de, reply in text',
    text(
      `Ja.\n¶\n> Gesendet: Montag, 16. November 2026 um 09:41 Uhr\n> Von: "Bob" <bob@example.org>\n> An: Ada\n> Betreff: Zahlen\n>\n> sie läuft.\n`,
    ),
  ),
  reply(
    'Zoho, reply',
    both(
      `It does.\n¶\n---- On Mon, 16 Nov 2026 09:41:00 +0100 Bob <bob@example.org> wrote ----\n\nthe engine runs.\n`,
      `<html><head></head><body><div style="font-family: Verdana;"><div>It does.</div>¶<div><br></div><div class="zmail_extra_hr" style="border-top: 1px solid rgb(204, 204, 204);"><br></div><div class="zmail_extra" data-zbluepencil-ignore="true"><div id="Zm-_Id_-Sgn1">---- On Mon, 16 Nov 2026 09:41:00 +0100 <b>Bob &lt;bob@example.org&gt;</b> wrote ----<br></div><div><br></div><blockquote id="blockquote_zmail" style="margin: 0px;"><div>the engine runs.</div></blockquote></div></div><br></body></html>`,
    ),
  ),
  reply(
    'Front, reply',
    html(
      `<html><head></head><body><div>It does.</div>¶<br /><blockquote type="cite" class="front-blockquote" data-front-quote="1">On November 16, 2026, 9:41 AM GMT+1 <a href="mailto:bob@example.org">bob@example.org</a> wrote:<br /><br />the engine runs.</blockquote></body></html>`,
    ),
  ),
  reply(
    'Samsung, reply',
    both(
      `It does.\n\n\nSent from my Galaxy\n¶\n-------- Original message --------\nFrom: Bob <bob@example.org>\nDate: 16/11/2026 09:41 (GMT+01:00)\nTo: Ada\nSubject: Numbers\n\nthe engine runs.\n`,
      `<html><head></head><body dir="auto"><div dir="auto">It does.</div><div dir="auto"><br></div><div id="composer_signature" dir="auto"><div style="font-size:12px">Sent from my Galaxy</div></div>¶<div dir="auto"><br></div><div><br></div><div align="left" dir="auto" style="font-size:100%;color:#000000"><div><!-- originalMessage -->-------- Original message --------</div><div>From: Bob &lt;bob@example.org&gt; </div><div>Date: 16/11/2026  09:41  (GMT+01:00) </div><div>To: Ada </div><div>Subject: Numbers </div><div><br></div></div>the engine runs.</body></html>`,
    ),
  ),
  reply(
    'Spark, reply',
    html(
      `<html><head></head><body><div name="messageBodySection"><div dir="auto">It does.</div></div><div name="messageSignatureSection"><br><div>Ada</div></div>¶<div name="messageReplySection">On 16 Nov 2026 at 09:41 +0100, Bob &lt;bob@example.org&gt;, wrote:<br><blockquote type="cite" style="border-left: thin solid"><div>the engine runs.</div></blockquote></div></body></html>`,
    ),
  ),
  reply(
    'Fastmail, reply',
    both(
      `It does.\n¶\nOn Mon, 16 Nov 2026, at 9:41 AM, Bob wrote:\n> the engine runs.\n`,
      `<!DOCTYPE html><html><head></head><body><div>It does.</div>¶<div><br></div><div>On Mon, 16 Nov 2026, at 9:41 AM, Bob wrote:</div><blockquote type="cite" id="qt" style=""><div>the engine runs.</div></blockquote><div><br></div></body></html>`,
    ),
  ),
  reply(
    'Roundcube, reply',
    both(
      `It does.\n¶\nOn 2026-11-16 09:41, Bob wrote:\n> the engine runs.\n`,
      `<html><head></head><body><p>It does.</p>¶\n<p><br /></p>\n<p id="reply-intro">On 2026-11-16 09:41, Bob wrote:</p>\n<blockquote type="cite" style="padding: 0 0.4em"><div id="replybody1">the engine runs.</div></blockquote></body></html>`,
    ),
  ),
  reply(
    'Tuta, reply',
    html(
      `<div>It does.</div>¶<div><br></div><div>16 Nov 2026, 09:41 by bob@example.org:<br></div><blockquote class="tutanota_quote" style="border-left: 1px solid #93A3B8;">the engine runs.</blockquote>`,
    ),
  ),
  reply(
    'QQ Mail, reply',
    html(
      `<div>可以。</div>¶<div><br></div><div><div style="font-size: 12px;font-family: Arial;padding:2px 0;">------------------&nbsp;原始邮件&nbsp;------------------</div><div style="font-size: 12px;background:#efefef;padding:8px;"><div><b>发件人:</b> "Bob" &lt;bob@example.org&gt;;</div><div><b>发送时间:</b> 2026年11月16日(星期一) 上午9:41</div><div><b>收件人:</b> "Ada"</div><div><b>主题:</b> 数字</div></div><div>运行了。</div></div>`,
      { charset: 'gb18030', encoding: 'base64' },
    ),
  ),
  reply(
    'NetEase, reply',
    both(
      `可以。\n¶\n\nAt 2026-11-16 09:41:00, "Bob" <bob@example.org> wrote:\n>运行了。\n`,
      `<div style="line-height:1.7;color:#000000;font-size:14px"><div>可以。</div>¶<br><p>At 2026-11-16 09:41:00, "Bob" &lt;bob@example.org&gt; wrote:</p> <blockquote id="isReplyContent" style="PADDING-LEFT: 1ex; MARGIN: 0px 0px 0px 0.8ex; BORDER-LEFT: #ccc 1px solid">运行了。</blockquote></div>`,
    ),
  ),
  reply(
    'BlackBerry 10, reply',
    html(
      `<html><head></head><body data-blackberry-caret-color="#00a8df"><div style="width: 100%;">It does.</div>¶<div style="width: 100%;"><br></div><div id="_originalContent" style=""><table width="100%" style="background-color:white;border-spacing:0px;" id="_pHCWrapper"><tbody><tr><td><div><b>From: </b>Bob</div><div><b>Sent: </b>Monday</div><div><b>To: </b>Ada</div><div><b>Subject: </b>Numbers</div></td></tr></tbody></table>the engine runs.</div></body></html>`,
    ),
  ),
  reply(
    'Lotus Notes, reply',
    both(
      `It does.\n¶\n\n\nFrom:   Bob/Org\nTo:     Ada/Org@ORG\nDate:   16.11.2009 09:41\nSubject:        Numbers\n\n\n\nthe engine runs.\n`,
      `<font size=2 face="sans-serif">It does.</font>¶\n<br>\n<br>\n<table width=100%>\n<tr valign=top>\n<td width=8%><font size=1 color=#5f5f5f face="sans-serif">From:</font>\n<td><font size=1 face="sans-serif">Bob/Org</font>\n<tr valign=top>\n<td><font size=1 color=#5f5f5f face="sans-serif">To:</font>\n<td><font size=1 face="sans-serif">Ada/Org@ORG</font>\n<tr valign=top>\n<td><font size=1 color=#5f5f5f face="sans-serif">Date:</font>\n<td><font size=1 face="sans-serif">16.11.2009 09:41</font>\n<tr valign=top>\n<td><font size=1 color=#5f5f5f face="sans-serif">Subject:</font>\n<td><font size=1 face="sans-serif">Numbers</font></table>\n<br><font size=2>the engine runs.</font>`,
    ),
  ),
]
