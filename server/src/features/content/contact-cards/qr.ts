// Draws QR codes as PNG.

import { LRUCache } from 'lru-cache'
import encodeQR from 'qr'
import { createBoundedQueue } from '#kernel/base/queues.ts'
import { yieldToEventLoop } from '#kernel/base/time-slice.ts'

interface QrDrawing {
  readonly text: string
  /** The displayed size, in CSS pixels. */
  readonly size: number
  /** `#rrggbb` */
  readonly color: string
}

/** Phones can hardly scan longer codes from a screen, and drawing them blocks the event loop for too long. */
export const maxQrBytes = 500
export const maxQrSize = 600

/** File pixels per display pixel, at least: each module has a whole number of file pixels. */
const scale = 2
/** Modules on each side that scanners need to be white. */
const quietZone = 4
/** A short text gets stronger error correction, because its code stays coarse. */
const maxStrongBytes = 60

function modulesOf(text: string): readonly (readonly boolean[])[] {
  const ecc = Buffer.byteLength(text) <= maxStrongBytes ? 'quartile' : 'medium'
  return encodeQR(text, 'raw', { ecc, border: quietZone })
}

const channelsOf = (color: string): readonly number[] => [...Buffer.from(color.slice(1), 'hex')]

/** The background is white, not transparent: in dark mode a scanner would not find the code. */
async function draw({ text, size, color }: QrDrawing): Promise<Buffer> {
  await yieldToEventLoop()
  const modules = modulesOf(text)
  const { default: sharp } = await import('sharp')
  const [red = 0, green = 0, blue = 0] = channelsOf(color)
  const pixels = Buffer.alloc(3 * modules.length ** 2, 255)
  for (const [y, row] of modules.entries())
    for (const [x, isDark] of row.entries())
      if (isDark) pixels.set([red, green, blue], 3 * (y * modules.length + x))
  const side = modules.length * Math.max(1, Math.ceil((scale * size) / modules.length))
  return (
    sharp(pixels, { raw: { width: modules.length, height: modules.length, channels: 3 } })
      .resize(side, side, { kernel: 'nearest' })
      // 96 dots per inch: Word scales pictures by their density and ignores the `width` attribute.
      .withDensity(96)
      .png({ palette: true, colours: 2, dither: 0, compressionLevel: 9 })
      .toBuffer()
  )
}

const enqueue = createBoundedQueue({
  atOnce: 2,
  waiting: 200,
  message: 'Too many pictures are being drawn; try again shortly.',
})

// When many readers of a mail request a code at the same time, it is drawn once.
const drawings = new LRUCache<string, Buffer>({
  maxSize: 8 * 1024 * 1024,
  sizeCalculation: (file, key) => file.length + key.length,
  fetchMethod: key => enqueue(() => draw(JSON.parse(key) as QrDrawing)),
})

export async function drawQr({ text, size, color }: QrDrawing): Promise<Buffer> {
  const drawing = await drawings.fetch(JSON.stringify({ text, size, color }))
  if (!drawing) throw new Error('the QR code was not drawn')
  return drawing
}

/** For a code that holds a secret: it is not cached. */
export const drawSecretQr = (drawing: QrDrawing): Promise<Buffer> => enqueue(() => draw(drawing))
