// Builds messages as mail clients write them. `¶` in a body is where the signature must stand; it is not in the message.

import type { LeaveReason } from '#relay/message/index.ts'
import { encodeCharset } from '#relay/message/writing/encoders.ts'

/** Texts that must stand above and below the signature in one body. */
export interface ExpectedPlace {
  readonly above: string
  readonly below: string
}

export interface CorpusMessage {
  readonly name: string
  readonly bytes: Buffer
  readonly expected: 'stamp' | LeaveReason
  readonly isReply: boolean
  readonly html: ExpectedPlace | null
  readonly text: ExpectedPlace | null
}

export interface CorpusPart {
  readonly header: readonly string[]
  readonly body: Buffer
  readonly html?: ExpectedPlace | null
  readonly text?: ExpectedPlace | null
  /** The sources of all bodies of a kind in the part, in order. */
  readonly sources?: { readonly html: string; readonly text: string }
}

export interface TextOptions {
  readonly charset?: string
  readonly encoding?: '7bit' | '8bit' | 'quoted-printable' | 'base64' | 'binary'
  /** Further parameters of the content type, such as `format=flowed`. */
  readonly more?: string
  readonly type?: string
  readonly header?: readonly string[]
}

const crlf = (text: string): string => text.replace(/\r?\n/g, '\r\n')

const wrapped = (text: string): string => text.replace(/.{1,76}/g, '$&\r\n').trimEnd()

/** Written for the tests alone, so that the code under test is not its own witness. */
export function quoted(bytes: Buffer): string {
  return bytes
    .toString('latin1')
    .split('\r\n')
    .map(line => {
      const escaped = line
        .replace(
          /[^\x20-\x3c\x3e-\x7e\t]/g,
          char => `=${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
        )
        .replace(/[ \t]$/, char => (char === ' ' ? '=20' : '=09'))
      const lines: string[] = []
      let rest = escaped
      while (rest.length > 76) {
        let cut = 75
        if (rest[cut - 1] === '=') cut--
        else if (rest[cut - 2] === '=') cut -= 2
        lines.push(`${rest.slice(0, cut)}=`)
        rest = rest.slice(cut)
      }
      return [...lines, rest].join('\r\n')
    })
    .join('\r\n')
}

function encode(bytes: Buffer, encoding: string): Buffer {
  if (encoding === 'quoted-printable') return Buffer.from(quoted(bytes), 'latin1')
  if (encoding === 'base64') return Buffer.from(wrapped(bytes.toString('base64')))
  return bytes
}

function placeOf(source: string): ExpectedPlace | null {
  const [above, below] = source.split('¶')
  return below === undefined ? null : { above: above as string, below }
}

function textPart(type: string, source: string, options: TextOptions): CorpusPart {
  const { charset = 'utf-8', encoding = 'quoted-printable', more } = options
  const written = crlf(source.replace('¶', ''))
  const bytes = encodeCharset(written, charset)
  if (!bytes) throw new Error(`${charset} has no letters for ${written.slice(0, 80)}`)
  return {
    header: [
      `Content-Type: ${options.type ?? type}; charset=${charset}${more ? `; ${more}` : ''}`,
      `Content-Transfer-Encoding: ${encoding}`,
      ...(options.header ?? []),
    ],
    body: encode(bytes, encoding),
  }
}

export const html = (source: string, options: TextOptions = {}): CorpusPart => ({
  ...textPart('text/html', source, options),
  html: placeOf(source),
  sources: { html: source, text: '' },
})

export const text = (source: string, options: TextOptions = {}): CorpusPart => ({
  ...textPart('text/plain', source, options),
  text: placeOf(source),
  sources: { html: '', text: source },
})

export const part = (type: string, body: string | Buffer, ...header: string[]): CorpusPart => ({
  header: [`Content-Type: ${type}`, ...header],
  body: Buffer.isBuffer(body) ? body : Buffer.from(crlf(body), 'latin1'),
})

/** Bytes that look like a file, the same in every run. */
export const fileBytes = (size: number, seed = 7): Buffer => {
  const bytes = Buffer.alloc(size)
  let state = seed
  for (let at = 0; at < size; at++) {
    state = (state * 1103515245 + 12345) % 2147483648
    bytes[at] = state >> 16
  }
  return bytes
}

export const file = (name: string, type = 'application/pdf', size = 900): CorpusPart =>
  part(
    `${type}; name="${name}"`,
    wrapped(fileBytes(size).toString('base64')),
    'Content-Transfer-Encoding: base64',
    `Content-Disposition: attachment; filename="${name}"`,
  )

export const picture = (id: string, name = 'image001.png', disposition = 'inline'): CorpusPart =>
  part(
    `image/png; name="${name}"`,
    wrapped(fileBytes(300, 3).toString('base64')),
    'Content-Transfer-Encoding: base64',
    `Content-ID: <${id}>`,
    `Content-Disposition: ${disposition}; filename="${name}"`,
  )

/** Styles of boundaries, as clients make them. */
const boundaries: Readonly<Record<string, (n: number) => string>> = {
  gmail: n => `0000000000009d4c2f0611${String(n).padStart(6, '0')}`,
  outlook: n => `_00${n}_AM9PR0802MB${n}eurprd_`,
  apple: n => `Apple-Mail=_8B2C6D41-52F7-4A0E-9C3A-00000000${String(n).padStart(4, '0')}`,
  thunderbird: n => `------------0a7Xk${n}qPz5tY2Lr`,
  plain: n => `=_part.${n}.of(this)?message`,
}

let boundaryCount = 0

export function multipart(
  subtype: string,
  parts: readonly CorpusPart[],
  style = 'gmail',
  more = '',
): CorpusPart {
  const boundary = (boundaries[style] as (n: number) => string)(++boundaryCount)
  const sourcesOf = (kind: 'html' | 'text') => parts.map(({ sources }) => sources?.[kind] ?? '').join('\n')
  const sources = { html: sourcesOf('html'), text: sourcesOf('text') }
  const chunks = parts.flatMap(({ header, body }) => [
    Buffer.from(`--${boundary}\r\n${header.map(line => `${line}\r\n`).join('')}\r\n`, 'latin1'),
    body,
    Buffer.from('\r\n'),
  ])
  return {
    header: [`Content-Type: multipart/${subtype};\r\n\tboundary="${boundary}"${more}`],
    body: Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)]),
    html: placeOf(sources.html),
    text: placeOf(sources.text),
    sources,
  }
}

export const alternative = (...parts: CorpusPart[]): CorpusPart => multipart('alternative', parts)
export const mixed = (...parts: CorpusPart[]): CorpusPart => multipart('mixed', parts)
export const related = (...parts: CorpusPart[]): CorpusPart => multipart('related', parts)

export interface MailOptions {
  readonly header?: readonly string[]
  readonly from?: string
  readonly to?: string
  readonly subject?: string
  readonly isReply?: boolean
  readonly leave?: LeaveReason
  /** Without MIME-Version and the headers of the part. */
  readonly isBare?: boolean
}

const answers = ['In-Reply-To: <1@example.org>', 'References: <0@example.org>\r\n <1@example.org>']

/** One message of the corpus. Without `leave`, it must be stamped where the parts have their `¶`. */
export function mail(name: string, body: CorpusPart, options: MailOptions = {}): CorpusMessage {
  const { isReply = false } = options
  const header = [
    'Received: from client.example.com by mx.example.com; Tue, 17 Nov 2026 10:00:00 +0000',
    `From: ${options.from ?? 'Ada Lovelace <ada@example.com>'}`,
    `To: ${options.to ?? '"Babbage, Charles" <charles@example.org>, bob@example.com'}`,
    `Subject: ${options.subject ?? `${isReply ? 'Re: ' : ''}Numbers`}`,
    'Date: Tue, 17 Nov 2026 10:00:00 +0000',
    `Message-ID: <${name.replace(/[^a-z0-9]+/gi, '.')}@example.com>`,
    ...(options.header ?? []),
    ...(options.isBare ? [] : ['MIME-Version: 1.0', ...body.header]),
  ]
  return {
    name,
    bytes: Buffer.concat([Buffer.from(`${header.join('\r\n')}\r\n\r\n`), body.body]),
    expected: options.leave ?? 'stamp',
    isReply,
    html: body.html ?? null,
    text: body.text ?? null,
  }
}

/** With the headers of an answer. */
export const reply = (name: string, body: CorpusPart, options: MailOptions = {}): CorpusMessage =>
  mail(name, body, { ...options, isReply: true, header: [...answers, ...(options.header ?? [])] })

/** A quote in the body, and no header that says so. */
export const forward = (name: string, body: CorpusPart, options: MailOptions = {}): CorpusMessage =>
  mail(name, body, { subject: 'Fwd: Numbers', ...options, isReply: true })
