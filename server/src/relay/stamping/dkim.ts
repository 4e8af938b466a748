// Optional: signs what leaves the relay, for mail servers that send to the internet themselves. Exchange Online and Google
// sign by themselves. RFC 6376, with header and body `relaxed`, in slices of time: mailauth takes up to half a
// minute of CPU time, in one piece, for a message of single line feeds.
import { createHash, createPrivateKey, type KeyObject, sign } from 'node:crypto'
import { domainToASCII } from 'node:url'
import { promisify } from 'node:util'
import { TimeSlice } from '#kernel/base/time-slice.ts'
import { MessageHeader } from '../receiving/message-header.ts'
import type { DkimKey } from '../settings/settings.ts'

/** Fields that RFC 6376 recommends. Those that the message has are signed. */
const signedFields = (
  'From Sender Reply-To Subject Date Message-ID To Cc MIME-Version Content-Type Content-Transfer-Encoding Content-ID ' +
  'Content-Description In-Reply-To References List-Id List-Help List-Unsubscribe List-Unsubscribe-Post List-Subscribe ' +
  'List-Post List-Owner List-Archive'
).split(' ')

const largestHeader = 256 * 1024
/** Limit for all names together. Honest mail has each once. */
const mostFields = 100
const pieceBytes = 64 * 1024

const space = 32
const tab = 9
const carriageReturn = 13
const lineFeed = 10

const lineBreaks = Buffer.from('\r\n'.repeat(pieceBytes / 2))

function hasText(piece: Buffer): boolean {
  for (let at = 0; at < piece.length; at++) {
    const byte = piece[at]
    if (byte !== lineFeed && byte !== carriageReturn && byte !== space && byte !== tab) return true
  }
  return false
}

/** The hash of a body: white space becomes one space, and counts for nothing at the end of lines and of the body. */
class BodyHash {
  readonly #hash = createHash('sha256')
  /** They count when something follows. */
  #breaks = 0
  #isSpace = false
  /** CR is a part of a line break, or a letter. */
  #isCr = false
  #isEmpty = true

  /** Takes pieces of at most 64 kB. */
  async update(piece: Buffer, slice: TimeSlice): Promise<void> {
    if (this.#breaks > pieceBytes && hasText(piece)) await this.#writeBreaks(slice)
    const bytes = this.#relaxed(piece)
    if (bytes.length > 0) this.#isEmpty = false
    this.#hash.update(bytes)
    await slice.pause()
  }

  #relaxed(piece: Buffer): Buffer {
    const relaxed = Buffer.allocUnsafe(Math.min(this.#breaks, pieceBytes) * 2 + piece.length * 2 + 2)
    let length = 0
    let breaks = this.#breaks
    let isSpace = this.#isSpace
    let isCr = this.#isCr
    for (let at = 0; at < piece.length; at++) {
      const byte = piece[at] as number
      if (byte > space && breaks === 0 && !isSpace && !isCr) {
        relaxed[length++] = byte
        continue
      }
      if (byte === lineFeed) {
        // Mail servers make CRLF of a single LF.
        breaks++
        isSpace = false
        isCr = false
        continue
      }
      const isWhite = byte === space || byte === tab
      if (isCr || !(isWhite || byte === carriageReturn)) {
        for (; breaks > 0; breaks--) {
          relaxed[length++] = carriageReturn
          relaxed[length++] = lineFeed
        }
        if (isSpace) relaxed[length++] = space
        isSpace = false
        if (isCr) relaxed[length++] = carriageReturn
      }
      isCr = byte === carriageReturn
      if (isWhite) isSpace = true
      else if (!isCr) relaxed[length++] = byte
    }
    this.#breaks = breaks
    this.#isSpace = isSpace
    this.#isCr = isCr
    return relaxed.subarray(0, length)
  }

  digest(): string {
    if (this.#isCr) this.#hash.update(`${'\r\n'.repeat(this.#breaks)}${this.#isSpace ? ' ' : ''}\r`)
    return this.#hash.update(this.#isEmpty && !this.#isCr ? '' : '\r\n').digest('base64')
  }

  async #writeBreaks(slice: TimeSlice): Promise<void> {
    for (; this.#breaks > 0; await slice.pause()) {
      const count = Math.min(this.#breaks, lineBreaks.length / 2)
      this.#hash.update(lineBreaks.subarray(0, count * 2))
      this.#breaks -= count
    }
  }
}

async function bodyHashOf(chunks: readonly Buffer[], bodyAt: number): Promise<string> {
  const slice = new TimeSlice()
  const hash = new BodyHash()
  let skipped = bodyAt
  for (const chunk of chunks) {
    for (let at = Math.min(skipped, chunk.length); at < chunk.length; at += pieceBytes)
      await hash.update(chunk.subarray(at, at + pieceBytes), slice)
    skipped = Math.max(0, skipped - chunk.length)
  }
  return hash.digest()
}

/** The beginning of a message, as much as its header can be long. */
function beginningOf(chunks: readonly Buffer[]): Buffer {
  const pieces: Buffer[] = []
  let left = largestHeader + 4
  for (const chunk of chunks) {
    if (left <= 0) break
    pieces.push(chunk.subarray(0, left))
    left -= chunk.length
  }
  return Buffer.concat(pieces)
}

const relaxed = (name: string, value: string): string =>
  `${name.toLowerCase()}:${value.replace(/[ \t]+/g, ' ').trim()}`

const folded = (text: string, end: string): string => text.replace(/.{60}/g, `$&${end}`)

const signAsync = promisify(sign)

async function signatureOf(text: string, key: KeyObject): Promise<string> {
  const data = Buffer.from(text, 'latin1')
  const isRsa = key.asymmetricKeyType === 'rsa'
  // Ed25519 signs the hash (RFC 8463).
  const bytes = await (isRsa
    ? signAsync('sha256', data, key)
    : signAsync(null, createHash('sha256').update(data).digest(), key))
  return bytes.toString('base64')
}

/** The header lines with the signature; they go on top of the message. Throws when it cannot be signed. */
export async function dkimHeader(
  chunks: readonly Buffer[],
  { domain, selector, private_key }: DkimKey,
): Promise<Buffer> {
  const key = createPrivateKey(private_key)
  const header = new MessageHeader(beginningOf(chunks))
  if (header.bodyAt > largestHeader) throw new Error('the header is too large to be signed')
  // Of several fields with one name, the last is signed first.
  const fields = signedFields.flatMap(name =>
    header
      .values(name)
      .toReversed()
      .map(value => ({ name, line: relaxed(name, value) })),
  )
  if (fields.length > mostFields) throw new Error('the header has too many lines to be signed')
  const algorithm = key.asymmetricKeyType === 'rsa' ? 'rsa-sha256' : 'ed25519-sha256'
  const lines = [
    `v=1; a=${algorithm}; c=relaxed/relaxed;`,
    `d=${domainToASCII(domain)}; s=${selector}; t=${Math.floor(Date.now() / 1_000)};`,
    `h=${fields.map(({ name }) => name).join(':\r\n ')};`,
    `bh=${await bodyHashOf(chunks, header.bodyAt)};`,
    'b=',
  ]
  const unsigned = lines.join('\r\n ')
  const own = relaxed('DKIM-Signature', unsigned.replaceAll('\r\n', ''))
  const signature = await signatureOf([...fields.map(({ line }) => line), own].join('\r\n'), key)
  return Buffer.from(`DKIM-Signature: ${unsigned}${folded(signature, '\r\n ')}\r\n`)
}
