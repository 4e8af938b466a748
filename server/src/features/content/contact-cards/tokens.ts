// What the addresses of contact cards and QR codes contain.
import type { KeyDeriver } from '#kernel/base/public-address.ts'
import {
  createSealedTokens,
  hmacSha256,
  type SealedTokens,
  tokenKeyBytes,
} from '#kernel/base/sealed-tokens.ts'

/** An address of a teammate, by the numbers that are in addresses. */
export interface CardHolder {
  readonly workspace: number
  readonly email: number
}

/** The card of a teammate, read when it is requested, or a text that is in the token itself. */
type CardSource = { readonly holder: CardHolder } | { readonly text: string }

export interface QrSource {
  /** `version` changes with the encoded data, so that mail clients do not show an outdated picture. */
  readonly source: { readonly holder: CardHolder; readonly version: number } | { readonly text: string }
  /** The displayed size, in CSS pixels. */
  readonly size: number
  /** `#rrggbb` */
  readonly color: string
}

export interface CardTokens {
  readonly card: { make(source: CardSource): string; open(token: string): CardSource | undefined }
  readonly qr: { make(source: QrSource): string; open(token: string): QrSource | undefined }
}

const cardContext = 'signoff contact card 1'
const qrContext = 'signoff qr code 1'
const form = { macOf: hmacSha256, macBytes: 12, hasKeyId: false }

const [holderKind, textKind] = [1, 2]
const headBytes = 6

export async function loadCardTokens(keys: KeyDeriver): Promise<CardTokens> {
  const [cards, codes] = await Promise.all(
    [cardContext, qrContext].map(async context =>
      createSealedTokens(await keys.derive(context, tokenKeyBytes), form),
    ),
  )
  return { card: cardTokens(cards as SealedTokens), qr: qrTokens(codes as SealedTokens) }
}

function numbers(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length)
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, 4 * index)
  return bytes
}

const holderIn = (bytes: Buffer): CardHolder => ({
  workspace: bytes.readUInt32BE(0),
  email: bytes.readUInt32BE(4),
})

const cardTokens = (sealed: SealedTokens): CardTokens['card'] => ({
  make: source =>
    sealed.seal(
      'text' in source
        ? Buffer.concat([Buffer.from([textKind]), Buffer.from(source.text)])
        : Buffer.concat([Buffer.from([holderKind]), numbers(source.holder.workspace, source.holder.email)]),
    ),
  open(token) {
    const message = sealed.open(token)
    if (!message) return undefined
    const rest = message.subarray(1)
    return message[0] === textKind ? { text: rest.toString() } : { holder: holderIn(rest) }
  },
})

const qrTokens = (sealed: SealedTokens): CardTokens['qr'] => ({
  make({ source, size, color }) {
    const head = Buffer.alloc(headBytes)
    head[0] = 'text' in source ? textKind : holderKind
    head.writeUInt16BE(size, 1)
    head.write(color.slice(1), 3, 'hex')
    const { workspace, email } = 'text' in source ? { workspace: 0, email: 0 } : source.holder
    const rest = 'text' in source ? Buffer.from(source.text) : numbers(workspace, email, source.version)
    return sealed.seal(Buffer.concat([head, rest]))
  },
  open(token) {
    const message = sealed.open(token)
    if (!message) return undefined
    const rest = message.subarray(headBytes)
    return {
      source:
        message[0] === textKind
          ? { text: rest.toString() }
          : { holder: holderIn(rest), version: rest.readUInt32BE(8) },
      size: message.readUInt16BE(1),
      color: `#${message.toString('hex', 3, headBytes)}`,
    }
  },
})
