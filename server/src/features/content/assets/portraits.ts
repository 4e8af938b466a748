// Pictures of people: the value of an image field is an asset with the part of it that is shown.
import type { Crop, PersonPicture, PersonPictureBox } from '@signoff/render'
import { extensionOf, filesAddress } from '#kernel/base/public-address.ts'
import { type RenditionSource, renditionOf } from './imaging/rendition.ts'
import type { PictureAsset } from './queries.ts'
import type { ContentType } from './schemas.ts'

export interface Portrait extends RenditionSource {
  readonly assetId: string
  /** Null shows the whole asset. */
  readonly crop: Crop | null
}

/** Rendition of a person's picture when the client names none: a square around what people look at. */
export function squareCropOf({ width, height, square_offset }: Omit<PictureAsset, 'id'>): Crop | null {
  if (width === height) return null
  const side = Math.min(width, height)
  const offset = square_offset ?? (Math.max(width, height) - side) / 2
  return width > height
    ? { x: offset / width, y: 0, width: side / width, height: 1 }
    : { x: 0, y: offset / height, width: 1, height: side / height }
}

/** Reads the text that `valueOrPortrait` makes; undefined for other texts. `files` is the `filesAddress`. */
export function parsePortrait(value: string, files: string): Portrait | undefined {
  if (!value.startsWith('portrait ')) return undefined
  const [, assetId = '', token = '', secret = '', type = '', width, height, animated, ...crop] =
    value.split(' ')
  const [x = 0, y = 0, cropWidth = 1, cropHeight = 1] = crop.map(Number)
  const contentType = type as ContentType
  return {
    assetId,
    url: `${files}${token}.${extensionOf(contentType)}`,
    rendition_secret: Buffer.from(secret, 'hex'),
    content_type: contentType,
    width: Number(width),
    height: Number(height),
    animated: animated === 't',
    crop: crop.length === 0 ? null : { x, y, width: cropWidth, height: cropHeight },
  }
}

/** The part of a part. */
const within = (outer: Crop | null, inner: Crop | undefined): Crop | null =>
  outer === null || inner === undefined
    ? (inner ?? outer)
    : {
        x: outer.x + inner.x * outer.width,
        y: outer.y + inner.y * outer.height,
        width: inner.width * outer.width,
        height: inner.height * outer.height,
      }

/** The width of a picture for which the content gives no size. */
const defaultWidth = 120

/** For the renderer: the picture of a person for a place in a signature. */
export function portraitDrawer(
  publicUrl: string,
  workspaceId: string,
): (value: string, box: PersonPictureBox) => PersonPicture | null {
  const files = filesAddress(publicUrl, workspaceId)
  return (value, { crop: cropOfBox, ...box }) => {
    const portrait = parsePortrait(value, files)
    if (!portrait) return null
    const crop = within(portrait.crop, cropOfBox)
    const size = box.width === undefined && box.height === undefined ? { width: defaultWidth } : {}
    const {
      url,
      shown_width: width,
      shown_height: height,
    } = renditionOf(portrait, {
      ...box,
      ...size,
      ...(crop && { crop }),
    })
    return { url, width, height }
  }
}

/** The width of a picture in answers of the API, in pixels. */
const answeredWidth = 256

/** The address of a picture in answers: the part that is shown, in a size for lists. */
export const portraitUrl = ({ crop, ...asset }: Portrait): string =>
  renditionOf(asset, { width: answeredWidth, scale: 1, ...(crop && { crop }) }).url

/** The value in comparisons with conditions: the id of the asset, as in `value_key`. */
export const comparedValue = (value: string): string =>
  value.startsWith('portrait ') ? (value.split(' ', 2)[1] ?? '') : value
