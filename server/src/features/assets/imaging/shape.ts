import { withCleanMetadata, writers } from './convert.ts'
import { imageLimits } from './limits.ts'
import type { RenditionPlan } from './rendition.ts'
import { loadSharp } from './sharp.ts'

/** A mask that is opaque where the picture stays visible. */
const maskOf = ({ width, height, radius: [x, y] }: RenditionPlan): Buffer =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="${width}" height="${height}" rx="${x}" ry="${y}" fill="#fff"/></svg>`,
  )

/** Makes a rendition of an asset's bytes. Runs only in the image process. */
export async function drawRendition(original: Buffer, plan: RenditionPlan): Promise<Buffer> {
  const sharp = await loadSharp()
  const { width, height, crop, animated } = plan
  const source = sharp(original, {
    animated,
    limitInputPixels: animated ? imageLimits.animationPixels : imageLimits.pixels,
  })
  const resized = source.resize(width, height, { fit: crop ? 'cover' : 'fill' })
  const image =
    plan.shape === 'square'
      ? resized
      : resized.ensureAlpha().composite([{ input: maskOf(plan), blend: 'dest-in' }])
  return writers[plan.contentType](withCleanMetadata(image), width * height).toBuffer()
}
