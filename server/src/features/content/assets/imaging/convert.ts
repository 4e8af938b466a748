// Converts an uploaded file to a format that mail clients show: PNG, JPEG or GIF, upright, without metadata, at 96 DPI.
// Runs only in the image process.
import type { Metadata, Sharp } from 'sharp'
import type { ContentType } from '../schemas.ts'
import { BadImage, imageLimits, tooManyPixels } from './limits.ts'
import { loadSharp } from './sharp.ts'
import { drawSvg, isSvg } from './svg.ts'

// The square that keeps what people look at: faces, colours, contrast.
/** The picture is measured at this size: more pixels take longer and give the same place. */
const measuredSide = 256

/**
 * Pixels from the left of a wide picture, or from the top of a high one; null for a square picture. Of an animation the
 * first frame is measured.
 */
async function squareOffsetOf(
  bytes: Buffer,
  { width, height }: { readonly width: number; readonly height: number },
): Promise<number | null> {
  if (width === height) return null
  const side = Math.min(width, height)
  const sharp = await loadSharp()
  const target = Math.min(side, measuredSide)
  const { info } = await sharp(bytes, { limitInputPixels: false })
    .resize(target, target, { fit: 'cover', position: sharp.strategy.attention })
    .raw()
    .toBuffer({ resolveWithObject: true })
  const measured = Math.abs((width > height ? info.cropOffsetLeft : info.cropOffsetTop) ?? 0)
  return Math.min(Math.round((measured * side) / target), Math.max(width, height) - side)
}

export interface ImageInfo {
  readonly contentType: ContentType
  readonly width: number
  readonly height: number
  readonly animated: boolean
  /** Offset of the square around what people look at: see `squareOffsetOf`. */
  readonly squareOffset: number | null
}

interface ConvertedImage extends ImageInfo {
  readonly bytes: Buffer
}

type RasterFormat = 'png' | 'jpeg' | 'gif' | 'webp'

const formats: Readonly<Record<string, RasterFormat>> = {
  'image/png': 'png',
  'image/apng': 'png', // only the first frame: not all mail clients show the others
  'image/jpeg': 'jpeg',
  'image/gif': 'gif',
  'image/webp': 'webp',
}

const outputTypes: Readonly<Record<RasterFormat, ContentType>> = {
  png: 'image/png',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/png', // of an animation only the first frame
}

/** Detects the format from the bytes only: file names and declared types cannot be trusted. */
async function formatOf(bytes: Buffer): Promise<RasterFormat | 'svg'> {
  if (isSvg(bytes)) return 'svg'
  const { fileTypeFromBuffer } = await import('file-type')
  // The first bytes are enough, and this limits the work of the detection.
  const detected = await fileTypeFromBuffer(bytes.subarray(0, 65_536)).catch(() => undefined)
  const format = formats[detected?.mime ?? '']
  if (!format) throw new BadImage('is not a PNG, JPEG, GIF, WebP or SVG image')
  return format
}

/** Called when only the header has been read, so an image that is too large is never decoded. */
function checkSize({ width, height, pages = 1 }: Metadata, format: RasterFormat): void {
  if (width * height > imageLimits.pixels) throw tooManyPixels(width, height)
  if (format !== 'gif') return
  if (pages > imageLimits.frames)
    throw new BadImage(`has ${pages} frames; at most ${imageLimits.frames} are taken`, 'out_of_range')
  if (width * height * pages > imageLimits.animationPixels)
    throw new BadImage(
      `has ${pages} frames of ${width} × ${height} pixels; at most ${imageLimits.animationPixels / 1_000_000} megapixels together are taken`,
      'out_of_range',
    )
}

/** Replaces all EXIF data by the resolution: Word draws a picture with another resolution at another size. */
export const withCleanMetadata = (image: Sharp): Sharp => image.withDensity(96).withExif({ IFD0: {} })

/** Above this number of pixels, slower compression is skipped. */
const largeImagePixels = 2_000_000

export const writers: Readonly<Record<ContentType, (image: Sharp, pixels: number) => Sharp>> = {
  // Maximum compression is slow, so only small images get it.
  'image/png': (image, pixels) => image.png({ compressionLevel: pixels > largeImagePixels ? 6 : 9 }),
  // Optimised coding makes a JPEG 10 % smaller, but needs 11 bytes of memory per pixel: 280 MB for the largest image.
  'image/jpeg': (image, pixels) =>
    image.jpeg({ quality: 90, chromaSubsampling: '4:4:4', optimiseCoding: pixels <= largeImagePixels }),
  'image/gif': image => image.gif({ effort: 5 }),
}

const throwDamaged = (error: unknown): never => {
  throw error instanceof BadImage ? error : new BadImage('is damaged: it cannot be read as an image')
}

async function convertRaster(bytes: Buffer, format: RasterFormat): Promise<ConvertedImage> {
  const sharp = await loadSharp()
  const metadata = await sharp(bytes, { failOn: 'none', limitInputPixels: false })
    .metadata()
    .catch(throwDamaged)
  if (metadata.format !== format) throw new BadImage('is not what its first bytes say')
  checkSize(metadata, format)
  const contentType = outputTypes[format]
  const animated = format === 'gif' && (metadata.pages ?? 1) > 1
  const image = sharp(bytes, {
    animated,
    limitInputPixels: animated ? imageLimits.animationPixels : imageLimits.pixels,
    failOn: 'error', // refuses truncated or damaged files, accepts small defects that all viewers accept
  }).autoOrient()
  const { data, info } = await writers[contentType](
    withCleanMetadata(image),
    metadata.width * metadata.height,
  )
    .toBuffer({ resolveWithObject: true })
    .catch(throwDamaged)
  if (data.length > imageLimits.storedBytes)
    throw new BadImage(
      `takes more than ${imageLimits.storedBytes / 1024 / 1024} MB as ${contentType}`,
      'out_of_range',
    )
  const size = { width: info.width, height: info.pageHeight ?? info.height } // sharp puts all frames below each other
  return {
    bytes: data,
    contentType,
    ...size,
    squareOffset: await squareOffsetOf(data, size),
    animated: (info.pages ?? 1) > 1,
  }
}

/** Calls `onSvg` before it draws an SVG, because drawing has a separate time limit. */
export async function convert(bytes: Buffer, onSvg: () => void): Promise<ConvertedImage> {
  if (bytes.length > imageLimits.bytes)
    throw new BadImage(`has more than ${imageLimits.bytes / 1024 / 1024} MB`, 'out_of_range')
  const format = await formatOf(bytes)
  if (format !== 'svg') return convertRaster(bytes, format)
  onSvg()
  return convertRaster(await drawSvg(bytes), 'png')
}
