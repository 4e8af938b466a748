// Draws a thin white outline around the opaque parts of a picture: a dark logo stays visible on a dark background, and
// on white the outline cannot be seen. Runs only in the image process.
import type { Sharp } from 'sharp'
import type { RenditionPlan } from './rendition.ts'
import { loadSharp } from './sharp.ts'

/** Four bytes per pixel; the last is the alpha. */
interface Pixels {
  readonly data: Buffer
  readonly info: { readonly width: number; readonly height: number }
}

const pixelsOf = (image: Sharp): Promise<Pixels> =>
  image.toColourspace('srgb').ensureAlpha().raw().toBuffer({ resolveWithObject: true })

/** Alpha values that differ by less cannot be seen. */
const visibleAlpha = 16

function hasTransparency({ data }: Pixels): boolean {
  for (let at = 3; at < data.length; at += 4) if ((data[at] ?? 255) < 255 - visibleAlpha) return true
  return false
}

/** Whether anything is visible in the outermost `margin` rows and columns. */
function touchesEdge({ data, info: { width, height } }: Pixels, margin: number): boolean {
  for (let at = 3, index = 0; at < data.length; at += 4, index++) {
    if ((data[at] ?? 0) < visibleAlpha) continue
    const [x, y] = [index % width, Math.floor(index / width)]
    if (Math.min(x, y, width - 1 - x, height - 1 - y) < margin) return true
  }
  return false
}

/** The same plan with smaller sides, so that a margin stays free on every side of the larger one. */
function shrink(plan: RenditionPlan, margin: number): RenditionPlan {
  const { width, height, radius } = plan
  const factor = Math.max(0.5, Math.min((width - 2 * margin) / width, (height - 2 * margin) / height))
  return {
    ...plan,
    width: Math.max(1, Math.floor(width * factor)),
    height: Math.max(1, Math.floor(height * factor)),
    radius: [radius[0] * factor, radius[1] * factor],
  }
}

const transparent = { r: 255, g: 255, b: 255, alpha: 0 }

/** Places the pixels in the middle of a transparent canvas. */
async function center({ data, info }: Pixels, { width, height }: RenditionPlan): Promise<Pixels> {
  const sharp = await loadSharp()
  const [left, top] = [Math.floor((width - info.width) / 2), Math.floor((height - info.height) / 2)]
  const canvas = sharp(data, { raw: { width: info.width, height: info.height, channels: 4 } }).extend({
    left,
    top,
    right: width - info.width - left,
    bottom: height - info.height - top,
    background: transparent,
  })
  return pixelsOf(canvas)
}

/**
 * How much the blurred alpha is amplified. At an edge the blur leaves half of the alpha: there the outline is opaque,
 * and it fades out within its width.
 */
const haloGain = 3

/** White, with the blurred alpha of the picture. */
async function outlineOf({ data, info: { width, height } }: Pixels, haloWidth: number): Promise<Buffer> {
  const sharp = await loadSharp()
  const alpha = await sharp(data, { raw: { width, height, channels: 4 } })
    .extractChannel(3)
    .blur(Math.max(0.3, haloWidth * 0.6))
    .raw()
    .toBuffer()
  const outline = Buffer.alloc(data.length, 255)
  for (let at = 3, index = 0; at < outline.length; at += 4, index++)
    outline[at] = Math.min(255, haloGain * (alpha[index] ?? 0))
  return outline
}

/** `draw` makes the picture for a plan of this or a smaller size. */
export async function withHalo(
  plan: RenditionPlan,
  draw: (plan: RenditionPlan) => Promise<Sharp>,
): Promise<Sharp> {
  const sharp = await loadSharp()
  const raw = { width: plan.width, height: plan.height, channels: 4 } as const
  const plain = await pixelsOf(await draw({ ...plan, shape: 'square' }))
  if (!hasTransparency(plain)) return draw(plan)
  const margin = Math.ceil(plan.haloWidth)
  const shaped = plan.shape === 'square' ? plain : await pixelsOf(await draw(plan))
  const inset = touchesEdge(shaped, margin)
    ? await center(await pixelsOf(await draw(shrink(plan, margin))), plan)
    : shaped
  const outline = await outlineOf(inset, plan.haloWidth)
  return sharp(outline, { raw }).composite([{ input: inset.data, raw }])
}
