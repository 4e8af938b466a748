// Messages that break the rules, written byte by byte: left alone, or stamped where all readers agree.
import type { LeaveReason } from '#relay/message/index.ts'
import type { CorpusMessage } from './builder.ts'

const raw = (name: string, message: string, expected: LeaveReason | 'stamp', above = ''): CorpusMessage => ({
  name,
  bytes: Buffer.from(message.replace(/\r?\n/g, '\r\n'), 'latin1'),
  expected,
  isReply: false,
  html: null,
  text: expected === 'stamp' ? { above, below: '' } : null,
})

const head = 'From: ada@example.com\nTo: bob@example.org\nSubject: x\nMIME-Version: 1.0\n'
const multi = `${head}Content-Type: multipart/mixed; boundary=b\n\n`

export const malformed: readonly CorpusMessage[] = [
  raw('nothing at all', '', 'malformed'),
  raw('headers alone', head, 'no_text'),
  raw('headers and an empty body', `${head}\n`, 'stamp'),
  raw('a line that is no header', `${head}what is this\n\nHello\n`, 'malformed'),
  raw('folded first line', ` folded\n${head}\nHello\n`, 'malformed'),
  raw('mailbox line first', `From ada Mon Nov 16\n${head}\nHello\n`, 'malformed'),
  raw('never closed', `${multi}--b\n\nHello\n`, 'malformed'),
  raw('no boundary named', `${head}Content-Type: multipart/mixed\n\n--b\n\nHello\n--b--\n`, 'malformed'),
  raw('boundary that never comes', `${multi}Hello\n`, 'malformed'),
  raw('no parts', `${multi}--b--\n`, 'malformed'),
  raw(
    'inner part never closed',
    `${multi}--b\nContent-Type: multipart/alternative; boundary=c\n\n--c\n\nHello\n--b--\n`,
    'malformed',
  ),
  raw(
    'one boundary twice',
    `${multi}--b\nContent-Type: multipart/alternative; boundary=b\n\n--b\n\nHello\n--b--\n--b--\n`,
    'malformed',
  ),
  raw(
    'encoded multipart',
    `${head}Content-Type: multipart/mixed; boundary=b\nContent-Transfer-Encoding: base64\n\n--b\n\nHello\n--b--\n`,
    'stamp',
    'Hello',
  ),
  raw(
    'two content types',
    `${head}Content-Type: text/plain\nContent-Type: text/html\n\nHello\n`,
    'malformed',
  ),
  raw('two charsets', `${head}Content-Type: text/plain; charset=utf-8; charset=big5\n\nHello\n`, 'malformed'),
  raw(
    'one charset twice',
    `${head}Content-Type: text/plain; charset=utf-8; charset=utf-8\n\nHello\n`,
    'stamp',
    'Hello',
  ),
  raw(
    'one boundary named twice',
    `${head}Content-Type: multipart/mixed; boundary=b; boundary="b"\n\n--b\n\nHello\n--b--\n`,
    'stamp',
    'Hello',
  ),
  raw('part that ends in its header', `${multi}--b\nContent-Type: text/plain\n--b--\n`, 'malformed'),
  raw('part without header', `${multi}--b\n\nHello\n--b--\n`, 'stamp', 'Hello'),
  raw('boundary with spaces behind it', `${multi}--b  \n\nHello\n--b-- \t\n`, 'stamp', 'Hello'),
  raw(
    'preamble and epilogue',
    `${multi}This is MIME.\n--bx\n--b\n\nHello\n--b--\nbye\n--b\nnot a part\n`,
    'stamp',
    'Hello',
  ),
  raw('type without subtype', `${head}Content-Type: text\n\nHello\n`, 'no_text'),
  raw('type that is none', `${head}Content-Type: html\n\nHello\n`, 'no_text'),
  raw('no sender', `To: bob@example.org\n\nHello\n`, 'no_sender'),
  raw('sender without domain', `From: ada\n\nHello\n`, 'no_sender'),
  raw('two From headers', `From: a@example.com\nFrom: b@example.com\n\nHello\n`, 'several_senders'),
  raw('partial message', `${head}Content-Type: message/partial; id=1; number=1\n\nHello\n`, 'malformed'),
  raw('space before the colon', `From : ada@example.com\nSubject : x\n\nHello\n`, 'stamp', 'Hello'),
  raw(
    'quoted name with brackets',
    `From: "Ada <x@y.z>, Countess (1)" (c, d) <ada@example.com>\n\nHello\n`,
    'stamp',
    'Hello',
  ),
]

/** HTML that is not whole. `¶` is where the signature must stand. */
export const brokenHtml: readonly (readonly [string, string])[] = [
  ['tag never ended', '<p>Hello</p>¶<a href="https://example.com'],
  ['comment never ended', '<p>Hello</p>¶<!-- rest </p>'],
  ['style never ended', '<p>Hello</p>¶<style>p { color: red }'],
  ['closing tag never ended', '<p>Hello¶</p'],
  ['text alone', 'Hello¶'],
  ['nothing', '¶'],
  ['two ends of the body', '<body><p>Hello</p></body><p>Disclaimer</p>¶</body></html>'],
  ['plaintext never ended', '<p>Hello</p>¶<plaintext><p>rest'],
  ['frame never ended', '<p>Hello</p>¶<iframe src="https://example.com"><p>rest</p>'],
  ['noscript never ended', '<p>Hello</p>¶<noscript><p>rest</p>'],
  ['template never ended', '<p>Hello</p>¶<template><template></template><p>rest</p>'],
  ['choice never ended', '<p>Hello</p>¶<select><option>rest'],
  ['hidden element never ended', '<p>Hello</p>¶<div style="color: red; display: none"><div>rest</div>'],
  ['hidden by its attribute', '<p>Hello</p>¶<div hidden><p>rest</p>'],
  [
    'hidden element inside another one',
    '<p>Hello</p>¶<div style="display:none"><div style="display:none">x</div>',
  ],
  ['frame and template that end', '<iframe></iframe><template><p>x</p></template><p>Hello</p>¶'],
  ['hidden preview', '<div style="display:none;font-size:1px">Preview<div>x</div></div><p>Hello</p>¶'],
  ['hidden picture', '<p>Hello</p><img src="cid:x" style="display:none"><p>Bye</p>¶'],
  ['hidden paragraph that the next one ends', '<p style="display:none">Preview<div>Hello</div>¶'],
  ['body inside a comment', '<body><!-- </body> --><p>Hello</p>¶</body>'],
  [
    'quote inside a table',
    '<table><tr><td>Hello¶<br><blockquote type="cite">On 16 Nov 2026, 9:41 Bob wrote: runs</blockquote></td></tr></table>',
  ],
]
