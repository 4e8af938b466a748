import { hash } from 'node:crypto'
import { Type } from 'typebox'
import { Png, publicRoute, type Route } from '#kernel/api/routes.ts'
import { type ContactCardDeps, openCards } from './rules.ts'

const Vcard = Type.Unsafe<never>({ type: 'string', contentMediaType: 'text/vcard' })

const etagOf = (body: string | Buffer): string => `"${hash('sha256', body, 'base64url').slice(0, 22)}"`

/** The name of the downloaded file, for clients that read UTF-8 and for those that do not (RFC 6266). */
function attachment(name: string): string {
  const clean =
    name
      .normalize('NFKC') // a full-width quotation mark becomes a plain one, so this comes first
      .replace(/[\p{C}\s"*/:<>?\\|%';]+/gu, ' ')
      .trim()
      .slice(0, 80)
      .toWellFormed() || 'contact'
  const ascii =
    clean
      .normalize('NFKD')
      .replace(/[^A-Za-z0-9 ._()-]/g, '')
      .trim() || 'contact'
  // RFC 8187 does not allow these two as they are.
  const encoded = encodeURIComponent(clean).replace(/[()]/g, bracket => (bracket === '(' ? '%28' : '%29'))
  return `attachment; filename="${ascii}.vcf"; filename*=UTF-8''${encoded}.vcf`
}

const sharedHeaders = { 'x-robots-tag': 'noindex', 'x-content-type-options': 'nosniff' }

/** Sent mails contain these addresses, so the routes must work as long as the mails exist. */
export function contactCardRoutes(deps: ContactCardDeps): readonly Route[] {
  const cards = openCards(deps)
  return [
    {
      ...publicRoute(
        '/v/{token}.vcf',
        "A person's contact card",
        { 200: Vcard, 304: null },
        async ({ db, params: { token = '' } }) => {
          const { text, name } = await cards.card(db, token)
          return {
            status: 200,
            body: text,
            headers: {
              ...sharedHeaders,
              'content-type': 'text/vcard; charset=utf-8',
              'content-disposition': attachment(name),
              // The card is always current: a client can keep it, but must ask whether it has changed.
              'cache-control': 'private, no-cache',
              etag: etagOf(text),
            },
          }
        },
      ),
      description:
        'Where links with `vcard: true` lead: the contact card of the person whose signature has the link, as vCard 3.0. The values are read at every request, so a card that was mailed long ago gives the current data. The address is made by the service and cannot be guessed; it answers 404 when the address or the teammate was deleted.',
    },
    {
      ...publicRoute(
        '/q/{token}.png',
        'A QR code of a signature',
        { 200: Png, 304: null },
        async ({ db, params: { token = '' } }) => {
          const { png, isCurrent } = await cards.qr(db, token)
          return {
            status: 200,
            body: png,
            headers: {
              ...sharedHeaders,
              'content-type': 'image/png',
              'cache-control': `public, max-age=${isCurrent ? 31_536_000 : 3_600}`,
              'content-security-policy': "default-src 'none'",
              // Webmail clients show the image in pages of another origin.
              'cross-origin-resource-policy': 'cross-origin',
              etag: etagOf(png),
            },
          }
        },
      ),
      description:
        'The picture of a `qrCode` block: a web address, or a short contact card of the person. The address contains what is encoded, the size and the colour, and only the service can make it. When the data of the person changes, rendered signatures get another address; the old address shows the current data.',
    },
  ]
}
