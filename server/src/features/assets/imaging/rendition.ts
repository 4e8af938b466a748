// Renditions are what mails show: a picture cut and shaped for its place, at twice the pixels. Word knows neither
// object-fit nor border-radius, so both are done to the file. Their addresses are signed, so that nobody can order
// sizes that we did not name.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { extensionOf } from '#kernel/public-address.ts'
import type { ContentType } from '../schemas.ts'

export const shapes = ['square', 'rounded', 'circle'] as const
export type ImageShape = (typeof shapes)[number]

/** The size in which a picture is shown. Of the two sides one, or both, may be left to the picture. */
export interface ImageBox {
  readonly width?: number | null
  readonly height?: number | null
  readonly shape?: ImageShape
  /** Pixels of the file for one that is shown. */
  readonly scale?: number
}

/** What `renditionOf` has to know of an asset. */
export interface Original {
  readonly url: string
  readonly rendition_secret: Buffer
  readonly content_type: ContentType
  readonly width: number
  readonly height: number
  readonly animated: boolean
}

export interface Rendition {
  readonly url: string
  readonly content_type: ContentType
  /** Pixels of the file. */
  readonly width: number
  readonly height: number
  /** Pixels on the page. */
  readonly shown_width: number
  readonly shown_height: number
}

/** A place with nothing left open. */
interface Order {
  readonly width: number
  readonly height: number
  readonly shape: ImageShape
  readonly scale: number
}

/** How an order is carried out on a picture. */
export interface Plan {
  readonly width: number
  readonly height: number
  /** Cut off what does not fit; else it fits, but for the rounding of a pixel. */
  readonly crop: boolean
  readonly shape: ImageShape
  /** Of the corners, in pixels of the file. */
  readonly radius: readonly [x: number, y: number]
  readonly contentType: ContentType
  /** Shapes need transparency, and moving ones their first frame alone. */
  readonly animated: boolean
}

type Picture = Pick<Original, 'width' | 'height' | 'content_type' | 'animated'>

const largest = 2_000
const roundedRadius = 8
const within = (number: number, most: number): number => Math.min(Math.max(Math.round(number), 1), most)

function order(picture: Picture, { width, height, shape = 'square', scale = 2 }: ImageBox): Order {
  // A circle that leaves a side open is as high as it is wide.
  const ratio = shape === 'circle' ? 1 : picture.width / picture.height
  const natural = shape === 'circle' ? Math.min(picture.width, picture.height) : picture.width
  const wide = within(width ?? (height ? height * ratio : natural), largest)
  return { width: wide, height: within(height ?? wide / ratio, largest), shape, scale: within(scale, 3) }
}

export function planOf(picture: Picture, { width, height, shape, scale }: Order): Plan {
  const fits =
    Math.round((width * picture.height) / picture.width) === height ||
    Math.round((height * picture.width) / picture.height) === width
  // The part of the picture that is used, and how far it is made smaller: never larger.
  const part = fits
    ? { width: picture.width, height: picture.height }
    : {
        width: Math.min(picture.width, (picture.height * width) / height),
        height: Math.min(picture.height, (picture.width * height) / width),
      }
  const factor = Math.min(1, (width * scale) / part.width, (height * scale) / part.height)
  // A side that was rounded up may still be longer than the picture's, though the other is shorter.
  const full = factor < 1 ? { width: width * scale, height: height * scale } : part
  const size = { width: within(full.width, picture.width), height: within(full.height, picture.height) }
  const plain = shape === 'square'
  const corner = (side: number, shown: number) =>
    shape === 'circle' ? side / 2 : Math.min((roundedRadius * side) / shown, side / 2)
  return {
    ...size,
    crop: !fits,
    shape,
    radius: plain ? [0, 0] : [corner(size.width, width), corner(size.height, height)],
    contentType: plain ? picture.content_type : 'image/png',
    animated: plain && picture.animated,
  }
}

const nameOf = ({ width, height, shape, scale }: Order): string => `${width}x${height}-${shape}-${scale}x`

/** 72 bits: enough against guessing at a server that answers each guess. */
const signatureOf = (secret: Buffer, name: string): string =>
  createHmac('sha256', secret).update(name).digest('base64url').slice(0, 12)

/** The address of a rendition and its size; of a picture that is right as it is, its own address. */
export function renditionOf(original: Original, place: ImageBox): Rendition {
  const wanted = order(original, place)
  const { width, height, crop, shape, contentType } = planOf(original, wanted)
  const asItIs = shape === 'square' && !crop && width === original.width && height === original.height
  const name = nameOf(wanted)
  const file = `${name}-${signatureOf(original.rendition_secret, name)}.${extensionOf(contentType)}`
  return {
    url: asItIs ? original.url : `${original.url.replace(/\.\w+$/, '')}/${file}`,
    content_type: contentType,
    width,
    height,
    shown_width: wanted.width,
    shown_height: wanted.height,
  }
}

const filePattern = /^(([1-9]\d{0,3})x([1-9]\d{0,3})-(square|rounded|circle)-([123])x)-([\w-]{12})\.(\w+)$/

/** The plan behind the last part of an address; undefined unless we have signed it. */
export function planBehind(
  file: string,
  picture: Picture & Pick<Original, 'rendition_secret'>,
): { readonly name: string; readonly plan: Plan } | undefined {
  const [, name, width, height, shape, scale, signature, extension] = filePattern.exec(file) ?? []
  if (name === undefined || signature === undefined) return undefined
  const expected = signatureOf(picture.rendition_secret, name)
  if (!timingSafeEqual(Buffer.from(signature), Buffer.from(expected))) return undefined
  const plan = planOf(picture, {
    width: Number(width),
    height: Number(height),
    shape: shape as ImageShape,
    scale: Number(scale),
  })
  return extension === extensionOf(plan.contentType) ? { name, plan } : undefined
}
