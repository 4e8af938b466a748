// The addresses of contact cards and QR codes in signatures. Every part that renders a signature for a person gets them
// here.
import { hash } from 'node:crypto'
import type { Person, RenderHooks } from '@signoff/render'
import type { SmartField } from '#features/workspace/smart-fields/index.ts'
import type { KeyDeriver } from '#kernel/base/public-address.ts'
import type { Db } from '#kernel/db/db.ts'
import { contactOf } from './contact.ts'
import { maxQrBytes, maxQrSize } from './qr.ts'
import { findCardWorkspace } from './queries.ts'
import { type CardTokens, loadCardTokens, type QrSource } from './tokens.ts'
import { compactVcardOf, vcardOf } from './vcard.ts'

export type CardHooks = Required<Pick<RenderHooks, 'vcard' | 'qrUrl'>>

/** Makes the addresses of one workspace. */
export interface WorkspaceCards {
  /** `email` is the number of the person's address. Null is for placeholders: their data is in the addresses. */
  hooksFor(email: number | null, person: Person): CardHooks
  /** Changes with everything that the addresses depend on, except the person. */
  readonly inputsKey: string
}

export interface ContactCards {
  of(db: Db, workspaceId: string, fields: readonly SmartField[]): Promise<WorkspaceCards>
}

interface ContactCardsDeps {
  readonly publicUrl: string
  readonly keys: KeyDeriver
}

type LoadCardTokens = () => Promise<CardTokens>

/** Derives the keys on first use, so that building the route table needs no key. */
export function cardTokensFrom(keys: KeyDeriver): LoadCardTokens {
  let tokens: Promise<CardTokens> | undefined
  return () => {
    tokens ??= loadCardTokens(keys)
    return tokens
  }
}

/** 32 bits: a person's data changes some times a year. */
export const cardVersionOf = (text: string): number => hash('sha256', text, 'buffer').readUInt32BE()

export function createContactCards({ publicUrl, keys }: ContactCardsDeps): ContactCards {
  const tokensReady = cardTokensFrom(keys)
  return {
    async of(db, workspaceId, fields) {
      const [tokens, { number: workspace, website }] = await Promise.all([
        tokensReady(),
        findCardWorkspace(db, workspaceId),
      ])
      const cardUrl = (token: string) => `${publicUrl}/v/${token}.vcf`
      return {
        hooksFor(email, person) {
          const holder = email === null ? null : { workspace, email }
          const contact = () => contactOf(person, fields, website)
          const sourceOf = (text: string): QrSource['source'] =>
            holder ? { holder, version: cardVersionOf(text) } : { text }
          return {
            vcard: () => cardUrl(tokens.card.make(holder ? { holder } : { text: vcardOf(contact()) })),
            qrUrl(code) {
              const source =
                code.content === 'href' ? { text: code.url } : sourceOf(compactVcardOf(contact()))
              if ('text' in source && Buffer.byteLength(source.text) > maxQrBytes) return null
              const size = Math.min(Math.max(1, Math.round(code.size)), maxQrSize)
              return `${publicUrl}/q/${tokens.qr.make({ source, size, color: code.color })}.png`
            },
          }
        },
        // No address has the number 0, so this token depends on the key alone.
        inputsKey: `${cardUrl(tokens.card.make({ holder: { workspace, email: 0 } }))} ${website ?? ''}`,
      }
    },
  }
}
