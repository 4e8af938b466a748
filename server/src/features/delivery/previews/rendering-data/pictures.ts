// The addresses that the renderer's hooks give on the service, for clients that run the renderer themselves.
import { type PersonPicture, type QrCodeRequest, safeUrl } from '@signoff/render'
import { peopleAt, placeholderPerson, surroundingsOf } from '#features/content/content/index.ts'
import type { RenderContext } from '#features/signatures/live-signatures/index.ts'
import { smartFieldsOf } from '#features/workspace/smart-fields/index.ts'
import { yieldToEventLoop } from '#kernel/base/time-slice.ts'
import type { Db } from '#kernel/db/db.ts'
import type { PictureRequest, PicturesInput } from './schemas.ts'

type Address = Partial<PersonPicture> & Pick<PersonPicture, 'url'>
type AddressOf = (picture: PictureRequest) => Address | null

const withUrl = (url: string | null | undefined): Address | null => (url ? { url } : null)

/** In the order of the request; null where a hook gives nothing, and for what is not of this workspace. */
export async function pictureAddresses(
  db: Db,
  { workspaceId, publicUrl, cards }: Omit<RenderContext, 'tracking'>,
  { email_id: emailId, pictures }: PicturesInput,
): Promise<readonly (Address | null)[]> {
  const fields = await smartFieldsOf(db, workspaceId)
  const recipient =
    emailId == null
      ? { person: placeholderPerson(fields, publicUrl), number: null }
      : (await peopleAt(db, workspaceId, [emailId], fields)).get(emailId.toLowerCase())
  const references = pictures.flatMap(({ asset_id: id }) =>
    id === undefined ? [] : [{ kind: 'asset' as const, id, field: '' }],
  )
  const { assetUrl, iconUrl, personPicture } = await surroundingsOf(
    db,
    workspaceId,
    publicUrl,
    fields,
    references,
  )
  const card =
    recipient && (await cards.of(db, workspaceId, fields)).hooksFor(recipient.number, recipient.person)
  const imageFields = new Set(fields.filter(({ kind }) => kind === 'image').map(({ id }) => id))
  const byKind: Readonly<Record<PictureRequest['kind'], AddressOf>> = {
    asset: ({ asset_id: id = '', box }) => withUrl(box && assetUrl(id.toLowerCase(), sizedBox(box))),
    icon: ({ icon }) => withUrl(icon && iconUrl(icon)),
    person({ smart_field_id: id = '', box }) {
      const value = imageFields.has(id.toLowerCase()) && recipient?.person[id.toLowerCase()]
      return (value && box && personPicture?.(value, box)) || null
    },
    qr_code: ({ code }) => withUrl(code && card?.qrUrl(code as QrCodeRequest)),
    contact_card: () => withUrl(card?.vcard()),
  }
  await yieldToEventLoop()
  return pictures.map(picture => (isSafe(picture) ? byKind[picture.kind](picture) : null))
}

const sizedBox = ({ width = 1, height = 1, ...finish }: NonNullable<PictureRequest['box']>) => ({
  width,
  height,
  ...finish,
})

/** The renderer asks for codes of safe addresses alone. Any other text would become a code that this service signs. */
const isSafe = ({ code }: PictureRequest): boolean =>
  code?.content !== 'href' || safeUrl(code.url ?? '') !== null
