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
interface RenditionSpec {
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

const maxSide = 2_000
const roundedRadius = 8
const clampRound = (number: number, max: number): number => Math.min(Math.max(Math.round(number), 1), max)

function specOf(picture: Picture, { width, height, shape = 'square', scale = 2 }: ImageBox): RenditionSpec {
  // A circle that leaves a side open is as high as it is wide.
  const ratio = shape === 'circle' ? 1 : picture.width / picture.height
  const naturalWidth = shape === 'circle' ? Math.min(picture.width, picture.height) : picture.width
  const resolvedWidth = clampRound(width ?? (height ? height * ratio : naturalWidth), maxSide)
  return {
    width: resolvedWidth,
    height: clampRound(height ?? resolvedWidth / ratio, maxSide),
    shape,
    scale: clampRound(scale, 3),
  }
}

export function planOf(picture: Picture, { width, height, shape, scale }: RenditionSpec): Plan {
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
  const target = factor < 1 ? { width: width * scale, height: height * scale } : part
  const size = {
    width: clampRound(target.width, picture.width),
    height: clampRound(target.height, picture.height),
  }
  const isPlain = shape === 'square'
  const corner = (side: number, displaySide: number) =>
    shape === 'circle' ? side / 2 : Math.min((roundedRadius * side) / displaySide, side / 2)
  return {
    ...size,
    crop: !fits,
    shape,
    radius: isPlain ? [0, 0] : [corner(size.width, width), corner(size.height, height)],
    contentType: isPlain ? picture.content_type : 'image/png',
    animated: isPlain && picture.animated,
  }
}

const nameOf = ({ width, height, shape, scale }: RenditionSpec): string =>
  `${width}x${height}-${shape}-${scale}x`

/** 72 bits: enough against guessing at a server that answers each guess. */
const signatureOf = (secret: Buffer, name: string): string =>
  createHmac('sha256', secret).update(name).digest('base64url').slice(0, 12)

/** The address of a rendition and its size; of a picture that is right as it is, its own address. */
export function renditionOf(original: Original, box: ImageBox): Rendition {
  const spec = specOf(original, box)
  const { width, height, crop, shape, contentType } = planOf(original, spec)
  const isOriginal = shape === 'square' && !crop && width === original.width && height === original.height
  const name = nameOf(spec)
  const file = `${name}-${signatureOf(original.rendition_secret, name)}.${extensionOf(contentType)}`
  return {
    url: isOriginal ? original.url : `${original.url.replace(/\.\w+$/, '')}/${file}`,
    content_type: contentType,
    width,
    height,
    shown_width: spec.width,
    shown_height: spec.height,
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
