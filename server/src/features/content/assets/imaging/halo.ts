// Draws a thin white outline around the opaque parts of a dark picture: it stays visible on a dark background, and on
// white the outline cannot be seen. A picture that is clear on dark by itself stays as it is, because there the outline
// would only look like the border of a sticker. Runs only in the image process.
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

const darkMail = [31, 31, 31] as const
/** Below it, shapes are hard to see (WCAG 1.4.11). */
const minContrast = 3
/** The part of the picture that may be too dark: less is a shadow or a detail. */
const maxDarkShare = 0.1

const linear = Array.from({ length: 256 }, (_, value) => {
  const part = value / 255
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
})
const luminance = (red: number, green: number, blue: number): number =>
  0.2126 * (linear[red] ?? 0) + 0.7152 * (linear[green] ?? 0) + 0.0722 * (linear[blue] ?? 0)
const minLuminance = minContrast * (luminance(...darkMail) + 0.05) - 0.05

/** True if a part of the picture that matters would be lost on a dark mail. */
function isDark({ data }: Pixels): boolean {
  let opaque = 0
  let dark = 0
  for (let at = 0; at < data.length; at += 4) {
    if ((data[at + 3] ?? 0) < 128) continue
    opaque++
    if (luminance(data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0) < minLuminance) dark++
  }
  return dark > maxDarkShare * opaque
}

/** True if anything is visible in the outermost `margin` columns, and rows. */
function touchedEdges(
  { data, info: { width, height } }: Pixels,
  margin: number,
): { readonly sides: boolean; readonly ends: boolean } {
  let [sides, ends] = [false, false]
  for (let at = 3, index = 0; at < data.length && !(sides && ends); at += 4, index++) {
    if ((data[at] ?? 0) < visibleAlpha) continue
    const [x, y] = [index % width, Math.floor(index / width)]
    if (Math.min(x, width - 1 - x) < margin) sides = true
    if (Math.min(y, height - 1 - y) < margin) ends = true
  }
  return { sides, ends }
}

/**
 * Change of the proportions that cannot be seen: kept exactly, a wide logo would become much narrower to
 * make room for the outline above and below it, and would stand indented.
 */
const maxDistortion = 1.06

/** The same plan with smaller sides, so that a margin stays free at the edges that the picture touches. */
function shrink(
  plan: RenditionPlan,
  margin: number,
  touched: { sides: boolean; ends: boolean },
): RenditionPlan {
  const { width, height, radius } = plan
  const factorOf = (side: number, isTouched: boolean) =>
    isTouched ? Math.max(0.5, (side - 2 * margin) / side) : 1
  const [across, down] = [factorOf(width, touched.sides), factorOf(height, touched.ends)]
  const [x, y] = [Math.min(across, down * maxDistortion), Math.min(down, across * maxDistortion)]
  return {
    ...plan,
    width: Math.max(1, Math.floor(width * x)),
    height: Math.max(1, Math.floor(height * y)),
    radius: [radius[0] * x, radius[1] * y],
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
 * Factor that amplifies the blurred alpha. At an edge the blur leaves half of the alpha: there the outline is opaque,
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
  if (!hasTransparency(plain) || !isDark(plain)) return draw(plan)
  const margin = Math.ceil(plan.haloWidth)
  const shaped = plan.shape === 'square' ? plain : await pixelsOf(await draw(plan))
  const touched = touchedEdges(shaped, margin)
  const inset =
    touched.sides || touched.ends
      ? await center(await pixelsOf(await draw(shrink(plan, margin, touched))), plan)
      : shaped
  const outline = await outlineOf(inset, plan.haloWidth)
  return sharp(outline, { raw }).composite([{ input: inset.data, raw }])
}
