// Icons as PNG: mail clients show no SVG. Twice the pixels of the size shown, for sharp screens.
import { LRUCache } from 'lru-cache'
import type { Sharp } from 'sharp'
import { createBoundedQueue } from '#kernel/bounded-queue.ts'
import { type IconDrawing, type IconShape, iconAt } from './address.ts'
import type { Glyph } from './glyphs.ts'

const backgrounds: Readonly<Record<IconShape, string>> = {
  circle: '<circle cx="50" cy="50" r="50"',
  rounded: '<rect width="100" height="100" rx="20"',
  square: '<rect width="100" height="100"',
}

/** Of the box, what the longer side of the glyph takes. On a disc, its corners then stay well inside. */
const share = { alone: 100, onBackground: 60 }

interface Outline {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** Loaded with the first icon: 10 MB that a process without any need not take. */
async function picture(svg: string): Promise<Sharp> {
  const { default: sharp } = await import('sharp')
  return sharp(Buffer.from(svg))
}

const svg = (size: { width: number; height: number }, viewBox: string, inner: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}" viewBox="${viewBox}">${inner}</svg>`

/**
 * Where the ink is. Font Awesome's boxes have room around it, more for some icons than for others, and in a row the
 * icons would look of different sizes.
 */
async function measure(glyph: Glyph): Promise<Outline> {
  const margin = 32 // some outlines leave their box
  const width = glyph.width + 2 * margin
  const height = glyph.height + 2 * margin
  const viewBox = `${-margin} ${-margin} ${width} ${height}`
  const drawn = await picture(svg({ width, height }, viewBox, `<path d="${glyph.path}"/>`))
  // Not `trim`, which takes twenty times as long.
  const ink = await drawn.extractChannel('alpha').raw().toBuffer()
  const columns: number[] = []
  const rows: number[] = []
  for (let y = 0; y < height; y++) {
    const row = ink.subarray(y * width, (y + 1) * width)
    const first = row.findIndex(isInk)
    if (first < 0) continue
    rows.push(y)
    columns.push(first, row.findLastIndex(isInk))
  }
  const [left, top] = [Math.min(...columns), Math.min(...rows)]
  return {
    left: left - margin,
    top: top - margin,
    width: Math.max(...columns) + 1 - left,
    height: Math.max(...rows) + 1 - top,
  }
}
const isInk = (alpha: number): boolean => alpha > 127

const measured = new WeakMap<Glyph, Outline>()

async function outlineOf(glyph: Glyph): Promise<Outline> {
  const outline = measured.get(glyph) ?? (await measure(glyph))
  measured.set(glyph, outline)
  return outline
}

async function draw(icon: IconDrawing, glyph: Glyph): Promise<Buffer> {
  const { left, top, width, height } = await outlineOf(glyph)
  const room = icon.backgroundColor === null ? share.alone : share.onBackground
  const scale = room / Math.max(width, height)
  const x = 50 - scale * (left + width / 2)
  const y = 50 - scale * (top + height / 2)
  const behind =
    icon.backgroundColor === null ? '' : `${backgrounds[icon.shape]} fill="${icon.backgroundColor}"/>`
  const front = `<path fill="${icon.color}" transform="translate(${x} ${y}) scale(${scale})" d="${glyph.path}"/>`
  const pixels = 2 * icon.size
  const drawn = await picture(svg({ width: pixels, height: pixels }, '0 0 100 100', behind + front))
  // 96 dots per inch: Word scales pictures by it, whatever their width says.
  return drawn.withDensity(96).png().toBuffer()
}

// Anybody may ask for any size and colour; what cannot be drawn soon is not promised.
const inLine = createBoundedQueue({ atOnce: 2, waiting: 200 })

// Asked for at once by many readers of one mail, an icon is drawn once.
const drawn = new LRUCache<string, Buffer>({
  maxSize: 8 * 1024 * 1024,
  sizeCalculation: file => file.length,
  async fetchMethod(file) {
    const found = iconAt(file)
    return found && inLine(() => draw(found.icon, found.glyph))
  },
})

/** The PNG behind a file name of `iconUrl`; undefined for any other text. */
export const iconFile = async (file: string): Promise<Buffer | undefined> => iconAt(file) && drawn.fetch(file)
