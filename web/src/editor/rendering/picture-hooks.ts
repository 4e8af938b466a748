// The hooks by which the renderer gets the addresses of pictures, on top of the cache. While an address is not known,
// a transparent picture of the same size keeps the place.
import type {
  IconBox,
  Person,
  PersonPictureBox,
  PictureBox,
  QrCodeRequest,
  RenderHooks,
  Surroundings,
} from '@signoff/render'
import type { PictureRequest, RenderedPerson } from '@signoff/sdk'
import { placeholderAsset } from '../blocks/placeholder.ts'
import type { FoundPicture, PictureOwner, ShownPicture, ShownPictures } from './picture-cache.ts'

export type PictureSurroundings = Required<Pick<Surroundings, 'assetUrl' | 'iconUrl' | 'personPicture'>>
export type CardHooks = Required<Pick<RenderHooks, 'vcard' | 'qrUrl'>>

interface PictureHooks {
  readonly surroundings: PictureSurroundings
  readonly card: CardHooks
}

/** The width of a person's picture for which the content gives no size, as on the service. */
const defaultWidth = 120

/** A link that leads nowhere keeps buttons and codes in their places until the contact card is known. */
const unknownCard = 'about:blank'

const grey = '#d0d5dd'

const plainPicture = (width: number, height: number, style = ''): string =>
  `data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${Math.max(1, Math.round(width))}" height="${Math.max(1, Math.round(height))}"${style}/>`,
  )}`

const transparentPicture = (width: number, height: number): string => plainPicture(width, height)

const radii: Readonly<Record<PictureBox['shape'], string>> = {
  square: '',
  rounded: ';border-radius:8px',
  circle: ';border-radius:50%',
}

/** For the canvas: knows the grey picture in the place of images that have none. */
export const withPlaceholderPicture = (surroundings: Surroundings): Surroundings => ({
  ...surroundings,
  assets: new Map([
    ...(surroundings.assets ?? []),
    [placeholderAsset, { width: defaultWidth, height: defaultWidth, bytes: 0, contentType: 'image/png' }],
  ]),
  assetUrl: (id, box) =>
    id === placeholderAsset
      ? plainPicture(box.width, box.height, ` style="background:${grey}${radii[box.shape]}"`)
      : surroundings.assetUrl(id, box),
})

const urlOr = (picture: FoundPicture | null | undefined, unknown: string): string | null =>
  picture === undefined ? unknown : (picture?.url ?? null)

/** A former file is scaled to the new size. */
function sizeOf({ width, height, isFormer }: ShownPicture, box: PersonPictureBox) {
  const ratio = width && height ? height / width : 1
  const scaledWidth = box.width ?? (box.height ? Math.round(box.height / ratio) : (width ?? defaultWidth))
  const scaled = { width: scaledWidth, height: box.height ?? Math.round(scaledWidth * ratio) }
  return isFormer ? scaled : { width: width ?? scaled.width, height: height ?? scaled.height }
}

export function pictureHooks(cache: Pick<ShownPictures, 'find'>, owner: PictureOwner): PictureHooks {
  /** Pictures that are the same for every person are fetched once. */
  const shared = (request: PictureRequest) => cache.find(null, request)
  return {
    surroundings: {
      assetUrl: (id: string, box: PictureBox) =>
        urlOr(shared({ kind: 'asset', asset_id: id, box }), transparentPicture(box.width, box.height)) ?? '',
      iconUrl: (icon: IconBox) =>
        urlOr(
          shared({ kind: 'icon', icon: icon as PictureRequest['icon'] }),
          transparentPicture(icon.size, icon.size),
        ) ?? '',
      personPicture(value: string, box: PersonPictureBox) {
        const fieldId = readDrawnPicture(value)
        if (fieldId === undefined) return null
        const picture = cache.find(owner, { kind: 'person', smart_field_id: fieldId, box })
        if (picture === null) return null
        if (picture) return { url: picture.url, ...sizeOf(picture, box) }
        const { width = box.height ?? defaultWidth, height = width } = box
        return { url: transparentPicture(width, height), width, height }
      },
    },
    card: {
      vcard: () => urlOr(cache.find(owner, { kind: 'contact_card' }), unknownCard),
      qrUrl(code: QrCodeRequest) {
        const request: PictureRequest = { kind: 'qr_code', code }
        const picture = code.content === 'href' ? shared(request) : cache.find(owner, request)
        return urlOr(picture, transparentPicture(code.size, code.size))
      },
    },
  }
}

// The person of the renderer, from the answer of the service.

/** The value of an image field whose picture the service draws. `readDrawnPicture` reads it; it is never shown. */
const drawnPicture = 'signoff-picture:'

/** The id of the image field; undefined for other values. */
const readDrawnPicture = (value: string): string | undefined =>
  value.startsWith(drawnPicture) ? value.slice(drawnPicture.length) : undefined

export const personOf = ({ values }: Pick<RenderedPerson, 'values'>): Person =>
  Object.fromEntries(
    values.map(({ smart_field_id: id, value, has_picture: hasPicture }) => [
      id,
      value ?? (hasPicture ? `${drawnPicture}${id}` : null),
    ]),
  )
