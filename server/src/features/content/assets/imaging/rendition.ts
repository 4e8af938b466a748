// Renditions are the pictures in mails: cropped and shaped for their place, with two pixels per display pixel. Word
// does not support object-fit and border-radius, so both are applied to the file, and so is the halo, an outline that
// makes a transparent logo visible on dark backgrounds. Addresses of renditions are signed, so a client cannot request
// sizes that this service did not create.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { extensionOf } from '#kernel/base/public-address.ts'
import type { ContentType } from '../schemas.ts'

const imageShapes = ['square', 'rounded', 'circle'] as const
type ImageShape = (typeof imageShapes)[number]

/** A part of a picture, in fractions of its sides. */
interface CropFractions {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** The display size of a picture. A missing side, or both, follows from the picture. */
export interface ImageBox {
  readonly width?: number | null
  readonly height?: number | null
  readonly shape?: ImageShape
  /** File pixels per display pixel. */
  readonly scale?: number
  /** Cut out before the picture is fitted into the box. */
  readonly crop?: CropFractions | undefined
  /** A thin white outline around the opaque parts. Pictures without transparency stay unchanged. */
  readonly halo?: boolean
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

interface Rendition {
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
  /** In ten-thousandths of the picture's sides. */
  readonly crop: CropFractions | null
  readonly halo: boolean
}

interface PixelSize {
  readonly width: number
  readonly height: number
}

/** Steps from the picture to its rendition. */
export interface RenditionPlan extends PixelSize {
  /** The part of the picture that is used, in pixels of the picture; null uses all of it. */
  readonly region: (PixelSize & { readonly left: number; readonly top: number }) | null
  /**
   * `cover` when the aspect ratio differs by more than a rounded pixel: parts of the region are cut off. `contain`: all of
   * it is shown, and the rest of the rendition is transparent.
   */
  readonly fit: 'cover' | 'fill' | 'contain'
  readonly shape: ImageShape
  /** Corner radius in file pixels. */
  readonly radius: readonly [x: number, y: number]
  /** Width of the outline in file pixels; 0 is none. */
  readonly haloWidth: number
  readonly contentType: ContentType
  /** False for a shape other than `square`: it is a PNG of the first frame, because it needs transparency. */
  readonly animated: boolean
}

type Picture = Pick<RenditionSource, 'width' | 'height' | 'content_type' | 'animated'>

const maxSide = 2_000
const roundedRadius = 8
/** In display pixels. */
const haloWidth = 1.5
/** Larger renditions are not logos, and get no halo. */
const maxHaloPixels = 4_000_000
const cropUnits = 10_000
const clampRound = (number: number, max: number): number => Math.min(Math.max(Math.round(number), 1), max)

/** Null when the crop is the whole picture. */
function cropOf({ x, y, width, height }: CropFractions): CropFractions | null {
  const start = (fraction: number) => Math.min(Math.max(Math.round(fraction * cropUnits), 0), cropUnits - 1)
  const [left, top] = [start(x), start(y)]
  const crop = {
    x: left,
    y: top,
    width: clampRound(width * cropUnits, cropUnits - left),
    height: clampRound(height * cropUnits, cropUnits - top),
  }
  return crop.width === cropUnits && crop.height === cropUnits ? null : crop
}

function regionOf(picture: PixelSize, { x, y, width, height }: CropFractions) {
  const start = (units: number, side: number) => Math.min(Math.round((units * side) / cropUnits), side - 1)
  const [left, top] = [start(x, picture.width), start(y, picture.height)]
  return {
    left,
    top,
    width: clampRound((width * picture.width) / cropUnits, picture.width - left),
    height: clampRound((height * picture.height) / cropUnits, picture.height - top),
  }
}

function specOf(picture: Picture, box: ImageBox): RenditionSpec {
  const { width, height, shape = 'square', scale = 2 } = box
  const crop = box.crop ? cropOf(box.crop) : null
  const part = crop ? regionOf(picture, crop) : picture
  // A circle with a missing side is as high as it is wide.
  const ratio = shape === 'circle' ? 1 : part.width / part.height
  const naturalWidth = shape === 'circle' ? Math.min(part.width, part.height) : part.width
  const resolvedWidth = clampRound(width ?? (height ? height * ratio : naturalWidth), maxSide)
  return {
    width: resolvedWidth,
    height: clampRound(height ?? resolvedWidth / ratio, maxSide),
    shape,
    scale: clampRound(scale, 3),
    crop,
    halo: box.halo ?? false,
  }
}

/** The size of the file: that of the box in file pixels, unless the source has fewer pixels. It is never enlarged. */
function fileSizeOf(source: PixelSize, { width, height, scale }: RenditionSpec, fits: boolean): PixelSize {
  const part = fits
    ? source
    : {
        width: Math.min(source.width, (source.height * width) / height),
        height: Math.min(source.height, (source.width * height) / width),
      }
  const factor = Math.min(1, (width * scale) / part.width, (height * scale) / part.height)
  // A side that was rounded up can be longer than the source's side, so both are clamped below.
  const target = factor < 1 ? { width: width * scale, height: height * scale } : part
  return {
    width: clampRound(target.width, source.width),
    height: clampRound(target.height, source.height),
  }
}

function planOf(picture: Picture, spec: RenditionSpec): RenditionPlan {
  const { width, height, shape } = spec
  const region = spec.crop && regionOf(picture, spec.crop)
  const source = region ?? picture
  const fits =
    Math.round((width * source.height) / source.width) === height ||
    Math.round((height * source.width) / source.height) === width
  const size = fileSizeOf(source, spec, fits)
  const corner = (side: number, displaySide: number) =>
    shape === 'circle' ? side / 2 : Math.min((roundedRadius * side) / displaySide, side / 2)
  // A JPEG has no transparency; an animation would lose its other frames.
  const hasHalo =
    spec.halo &&
    !picture.animated &&
    picture.content_type !== 'image/jpeg' &&
    size.width * size.height <= maxHaloPixels
  const keepsFormat = shape === 'square' && !hasHalo
  return {
    ...size,
    region,
    fit: fits ? 'fill' : 'cover',
    shape,
    radius: shape === 'square' ? [0, 0] : [corner(size.width, width), corner(size.height, height)],
    haloWidth: hasHalo ? (haloWidth * size.width) / width : 0,
    contentType: keepsFormat ? picture.content_type : 'image/png',
    animated: keepsFormat && picture.animated,
  }
}

/** Display pixels of a photo in a contact card. Some programs refuse cards of more than some kilobytes. */
const photoSide = 96

/** A square JPEG of a part of the picture, or of its middle. */
export const photoPlanOf = (picture: Picture, crop?: CropFractions): RenditionPlan => ({
  ...planOf(picture, specOf(picture, { width: photoSide, height: photoSide, scale: 1, crop })),
  contentType: 'image/jpeg',
  animated: false,
})

/** A square PNG with the whole picture. Small pictures are enlarged. */
export const iconPlanOf = (side: number): RenditionPlan => ({
  width: side,
  height: side,
  region: null,
  fit: 'contain',
  shape: 'square',
  radius: [0, 0],
  haloWidth: 0,
  contentType: 'image/png',
  animated: false,
})

/** Addresses are in sent mails: the name of a rendition without crop and halo must stay as it is. */
function nameOf({ width, height, shape, scale, crop, halo }: RenditionSpec): string {
  const cut = crop ? `-crop${crop.x}_${crop.y}_${crop.width}_${crop.height}` : ''
  return `${width}x${height}-${shape}-${scale}x${cut}${halo ? '-halo' : ''}`
}

/** 72 bits: enough against guessing, because each guess needs a request to the server. */
const signatureOf = (secret: Buffer, name: string): string =>
  createHmac('sha256', secret).update(name).digest('base64url').slice(0, 12)

/** The address and size of a rendition; the original address when the picture needs no change. */
export function renditionOf(original: RenditionSource, box: ImageBox): Rendition {
  const spec = specOf(original, box)
  const { width, height, region, fit, shape, haloWidth, contentType } = planOf(original, spec)
  const isFinished = shape === 'square' && haloWidth === 0 && !region && fit === 'fill'
  const isOriginal = isFinished && width === original.width && height === original.height
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

const filePattern =
  /^(([1-9]\d{0,3})x([1-9]\d{0,3})-(square|rounded|circle)-([123])x(?:-crop(\d{1,5}_\d{1,5}_\d{1,5}_\d{1,5}))?(-halo)?)-([\w-]{12})\.(\w+)$/

/** Reads the plan from the last part of an address; undefined when the signature is invalid. */
export function planFromFileName(
  file: string,
  picture: Picture & Pick<RenditionSource, 'rendition_secret'>,
): { readonly name: string; readonly plan: RenditionPlan } | undefined {
  const [, name, width, height, shape, scale, cut, halo, signature, extension] = filePattern.exec(file) ?? []
  if (name === undefined || signature === undefined) return undefined
  const expected = signatureOf(picture.rendition_secret, name)
  if (!timingSafeEqual(Buffer.from(signature), Buffer.from(expected))) return undefined
  const [x = 0, y = 0, cutWidth = 0, cutHeight = 0] = cut?.split('_').map(Number) ?? []
  const plan = planOf(picture, {
    width: Number(width),
    height: Number(height),
    shape: shape as ImageShape,
    scale: Number(scale),
    crop: cut === undefined ? null : { x, y, width: cutWidth, height: cutHeight },
    halo: halo !== undefined,
  })
  return extension === extensionOf(plan.contentType) ? { name, plan } : undefined
}
