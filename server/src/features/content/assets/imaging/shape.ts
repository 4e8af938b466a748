import type { Sharp } from 'sharp'
import { withCleanMetadata, writers } from './convert.ts'
import { withHalo } from './halo.ts'
import { imageLimits } from './limits.ts'
import type { RenditionPlan } from './rendition.ts'
import { loadSharp } from './sharp.ts'

/** A mask that is opaque where the picture stays visible. */
const maskOf = ({ width, height, radius: [x, y] }: RenditionPlan): Buffer =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="${width}" height="${height}" rx="${x}" ry="${y}" fill="#fff"/></svg>`,
  )

async function drawShape(original: Buffer, plan: RenditionPlan): Promise<Sharp> {
  const sharp = await loadSharp()
  const { width, height, region, fit, animated } = plan
  const source = sharp(original, {
    animated,
    limitInputPixels: animated ? imageLimits.animationPixels : imageLimits.pixels,
  })
  const resized = (region ? source.extract(region) : source).resize(width, height, {
    fit,
    background: '#00000000',
  })
  if (plan.contentType === 'image/jpeg') return resized.flatten({ background: '#ffffff' })
  return plan.shape === 'square'
    ? resized
    : resized.ensureAlpha().composite([{ input: maskOf(plan), blend: 'dest-in' }])
}

/** Makes a rendition of an asset's bytes. Runs only in the image process. */
export async function drawRendition(original: Buffer, plan: RenditionPlan): Promise<Buffer> {
  const image =
    plan.haloWidth === 0
      ? await drawShape(original, plan)
      : await withHalo(plan, smaller => drawShape(original, smaller))
  return writers[plan.contentType](withCleanMetadata(image), plan.width * plan.height).toBuffer()
}
