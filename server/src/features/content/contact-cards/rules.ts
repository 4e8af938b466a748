import { type SmartField, smartFieldsOf } from '#features/workspace/smart-fields/index.ts'
import { apiError, orNotFound } from '#kernel/base/errors.ts'
import type { KeyDeriver } from '#kernel/base/public-address.ts'
import type { Db } from '#kernel/db/db.ts'
import { cardTokensFrom, cardVersionOf } from './cards.ts'
import { type Contact, contactOf, fullNameOf } from './contact.ts'
import { drawQr, maxQrBytes } from './qr.ts'
import { findCard } from './queries.ts'
import type { CardHolder } from './tokens.ts'
import { compactVcardOf, vcardOf } from './vcard.ts'

export interface ContactCardDeps {
  readonly keys: KeyDeriver
  /** A small JPEG of the picture that is the value of an image field; null when there is none. */
  readonly photoOf: (db: Db, workspaceId: string, value: string) => Promise<Buffer | null>
}

interface CardFile {
  readonly text: string
  /** The name of the person. */
  readonly name: string
}

interface QrFile {
  readonly png: Buffer
  /** False for the address of an earlier version of the person's data. */
  readonly isCurrent: boolean
}

interface PublicCards {
  card(db: Db, token: string): Promise<CardFile>
  qr(db: Db, token: string): Promise<QrFile>
}

interface FoundContact {
  readonly workspaceId: string
  readonly contact: Contact
  /** The value of the profile picture. */
  readonly picture: string | null
}

async function contactAt(db: Db, holder: CardHolder): Promise<FoundContact> {
  const { workspaceId, address, values, website } = orNotFound(await findCard(db, holder))
  const fields = await smartFieldsOf(db, workspaceId)
  const person = {
    ...values,
    ...Object.fromEntries(fields.filter(isComputed).map(({ id }) => [id, address])),
  }
  const picture = fields.find(field => field.default && field.key === 'profile_picture')
  return {
    workspaceId,
    contact: contactOf(person, fields, website),
    picture: (picture && values[picture.id]) ?? null,
  }
}
const isComputed = (field: SmartField): boolean => field.computed

/** Every invalid address gives `not_found`, without a more specific error. */
export function openCards({ keys, photoOf }: ContactCardDeps): PublicCards {
  const tokensReady = cardTokensFrom(keys)
  return {
    async card(db, token) {
      const source = orNotFound((await tokensReady()).card.open(token))
      if ('text' in source) return { text: source.text, name: '' }
      const { workspaceId, contact, picture } = await contactAt(db, source.holder)
      const photo = picture === null ? null : await photoOf(db, workspaceId, picture)
      return { text: vcardOf(contact, photo), name: fullNameOf(contact) }
    },
    async qr(db, token) {
      const { source, size, color } = orNotFound((await tokensReady()).qr.open(token))
      if ('text' in source && Buffer.byteLength(source.text) > maxQrBytes) throw apiError('not_found')
      if ('text' in source) return { png: await drawQr({ text: source.text, size, color }), isCurrent: true }
      const text = compactVcardOf((await contactAt(db, source.holder)).contact)
      return { png: await drawQr({ text, size, color }), isCurrent: cardVersionOf(text) === source.version }
    },
  }
}
