// Renditions are the pictures in mails: cropped and shaped for their place, with two pixels per display pixel. Word
// does not support object-fit and border-radius, so both are applied to the file. Addresses of renditions are signed,
// so a client cannot request sizes that this service did not create.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { extensionOf } from '#kernel/public-address.ts'
import type { ContentType } from '../schemas.ts'

export const imageShapes = ['square', 'rounded', 'circle'] as const
export type ImageShape = (typeof imageShapes)[number]

/** The display size of a picture. A missing side, or both, follows from the picture. */
export interface ImageBox {
  readonly width?: number | null
  readonly height?: number | null
  readonly shape?: ImageShape
  /** File pixels per display pixel. */
  readonly scale?: number
}

/** The fields of an asset that `renditionOf` needs. */
export interface RenditionSource {
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
  /** File pixels. */
  readonly width: number
  readonly height: number
  /** Display pixels. */
  readonly shown_width: number
  readonly shown_height: number
}

/** An ImageBox with all values resolved. */
interface RenditionSpec {
  readonly width: number
  readonly height: number
  readonly shape: ImageShape
  readonly scale: number
}

/** How a rendition is made from its picture. */
export interface RenditionPlan {
  readonly width: number
  readonly height: number
  /** True when the aspect ratio differs by more than a rounded pixel, so parts of the picture are cut off. */
  readonly crop: boolean
  readonly shape: ImageShape
  /** Corner radius in file pixels. */
  readonly radius: readonly [x: number, y: number]
  readonly contentType: ContentType
  /** False for a shape other than `square`: it is a PNG of the first frame, because it needs transparency. */
  readonly animated: boolean
}

type Picture = Pick<RenditionSource, 'width' | 'height' | 'content_type' | 'animated'>

const maxSide = 2_000
const roundedRadius = 8
const clampRound = (number: number, max: number): number => Math.min(Math.max(Math.round(number), 1), max)

function specOf(picture: Picture, { width, height, shape = 'square', scale = 2 }: ImageBox): RenditionSpec {
  // A circle with a missing side is as high as it is wide.
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

export function planOf(picture: Picture, { width, height, shape, scale }: RenditionSpec): RenditionPlan {
  const fits =
    Math.round((width * picture.height) / picture.width) === height ||
    Math.round((height * picture.width) / picture.height) === width
  // The part of the picture that is used, and the factor by which it shrinks. It is never enlarged.
  const part = fits
    ? { width: picture.width, height: picture.height }
    : {
        width: Math.min(picture.width, (picture.height * width) / height),
        height: Math.min(picture.height, (picture.width * height) / width),
      }
  const factor = Math.min(1, (width * scale) / part.width, (height * scale) / part.height)
  // A side that was rounded up can be longer than the picture's side, so both are clamped below.
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

/** 72 bits: enough against guessing, because each guess needs a request to the server. */
const signatureOf = (secret: Buffer, name: string): string =>
  createHmac('sha256', secret).update(name).digest('base64url').slice(0, 12)

/** The address and size of a rendition; the original address when the picture needs no change. */
export function renditionOf(original: RenditionSource, box: ImageBox): Rendition {
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

/** Reads the plan from the last part of an address; undefined when the signature is invalid. */
export function planFromFileName(
  file: string,
  picture: Picture & Pick<RenditionSource, 'rendition_secret'>,
): { readonly name: string; readonly plan: RenditionPlan } | undefined {
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
