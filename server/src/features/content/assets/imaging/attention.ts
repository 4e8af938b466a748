// Where the square begins that keeps what people look at: faces, colours, contrast. Runs only in the image process.
import { loadSharp } from './sharp.ts'

/** The picture is measured at this size: more pixels take longer and give the same place. */
const measuredSide = 256

/**
 * Pixels from the left of a wide picture, or from the top of a high one; null for a square picture. Of an animation the
 * first frame is measured.
 */
export async function squareOffsetOf(
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
