// Draws icons as PNG, because mail clients do not show SVG. Files have twice the displayed size, for high-resolution
// screens.
import { LRUCache } from 'lru-cache'
import type { Sharp } from 'sharp'
import { createBoundedQueue } from '#kernel/base/queues.ts'
import { type IconDrawing, type IconShape, parseIconFile } from './address.ts'
import type { Glyph } from './glyphs.ts'

const backgrounds: Readonly<Record<IconShape, string>> = {
  circle: '<circle cx="50" cy="50" r="50"',
  rounded: '<rect width="100" height="100" rx="20"',
  square: '<rect width="100" height="100"',
}

/**
 * The percentage of the box that the longer side of the glyph takes. On a disc, the corners of the glyph stay inside.
 */
const glyphShare = { alone: 100, onBackground: 60 }

interface Outline {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** sharp is loaded with the first icon, because it takes 10 MB of memory. */
async function sharpOf(svg: string): Promise<Sharp> {
  const { default: sharp } = await import('sharp')
  sharp.cache(false) // every icon is drawn once
  return sharp(Buffer.from(svg))
}

const svg = (size: { width: number; height: number }, viewBox: string, inner: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}" viewBox="${viewBox}">${inner}</svg>`

/**
 * Finds the visible part of a glyph. Font Awesome leaves different amounts of empty space around its glyphs, so icons
 * in a row would seem to have different sizes.
 */
async function measure(glyph: Glyph): Promise<Outline> {
  const margin = 32 // some outlines extend beyond their box
  const width = glyph.width + 2 * margin
  const height = glyph.height + 2 * margin
  const viewBox = `${-margin} ${-margin} ${width} ${height}`
  const image = await sharpOf(svg({ width, height }, viewBox, `<path d="${glyph.path}"/>`))
  // sharp's `trim` would take twenty times as long.
  const alpha = await image.extractChannel('alpha').raw().toBuffer()
  const columns: number[] = []
  const rows: number[] = []
  for (let y = 0; y < height; y++) {
    const row = alpha.subarray(y * width, (y + 1) * width)
    const first = row.findIndex(isOpaque)
    if (first < 0) continue
    rows.push(y)
    columns.push(first, row.findLastIndex(isOpaque))
  }
  const [left, top] = [Math.min(...columns), Math.min(...rows)]
  return {
    left: left - margin,
    top: top - margin,
    width: Math.max(...columns) + 1 - left,
    height: Math.max(...rows) + 1 - top,
  }
}
const isOpaque = (alpha: number): boolean => alpha > 127

const outlines = new WeakMap<Glyph, Outline>()

async function outlineOf(glyph: Glyph): Promise<Outline> {
  const outline = outlines.get(glyph) ?? (await measure(glyph))
  outlines.set(glyph, outline)
  return outline
}

async function draw(icon: IconDrawing, glyph: Glyph): Promise<Buffer> {
  const { left, top, width, height } = await outlineOf(glyph)
  const percent = icon.backgroundColor === null ? glyphShare.alone : glyphShare.onBackground
  const scale = percent / Math.max(width, height)
  const x = 50 - scale * (left + width / 2)
  const y = 50 - scale * (top + height / 2)
  const background =
    icon.backgroundColor === null ? '' : `${backgrounds[icon.shape]} fill="${icon.backgroundColor}"/>`
  const front = `<path fill="${icon.color}" transform="translate(${x} ${y}) scale(${scale})" d="${glyph.path}"/>`
  const pixels = 2 * icon.size
  const image = await sharpOf(svg({ width: pixels, height: pixels }, '0 0 100 100', background + front))
  // 96 dots per inch: Word scales pictures by their density and ignores the `width` attribute.
  return image.withDensity(96).png().toBuffer()
}

// The route is public and accepts any size and colour. Requests beyond the queue are refused.
const enqueue = createBoundedQueue({
  atOnce: 2,
  waiting: 200,
  message: 'Too many pictures are being drawn; try again shortly.',
})

// When many readers of a mail request an icon at the same time, it is drawn once.
const files = new LRUCache<string, Buffer>({
  maxSize: 8 * 1024 * 1024,
  sizeCalculation: file => file.length,
  async fetchMethod(file) {
    const request = parseIconFile(file)
    return request && enqueue(() => draw(request.icon, request.glyph))
  },
})

/** The PNG for a file name made by `iconUrl`; undefined for any other text. */
export const iconFile = async (file: string): Promise<Buffer | undefined> =>
  parseIconFile(file) && files.fetch(file)
