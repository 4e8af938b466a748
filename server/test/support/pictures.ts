// Pictures for tests, and helpers to upload and fetch them through the API.
import sharp, { type Sharp } from 'sharp'
import type { Answer, RequestOptions, TestApp } from './app.ts'

export const solidPicture = (width: number, height: number, colour = '#cc3344'): Sharp =>
  sharp({ create: { width, height, channels: 3, background: colour } })

/** Random pixels, which compress badly. */
export function noise(width: number, height: number): Sharp {
  const bytes = Buffer.alloc(width * height * 3)
  let state = 12_345
  for (let i = 0; i < bytes.length; i++) {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    bytes[i] = state >> 16
  }
  return sharp(bytes, { raw: { width, height, channels: 3 } })
}

/** An animation with one frame per colour. */
export async function frames(width: number, height: number, colours: readonly string[]): Promise<Sharp> {
  const pages = await Promise.all(colours.map(colour => solidPicture(width, height, colour).png().toBuffer()))
  return sharp(pages, { join: { animated: true } })
}

export const svg = (
  attributes: string,
  drawing = '<rect width="100%" height="100%" fill="#cc3344"/>',
): Buffer => Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${drawing}</svg>`)

/** Keeps librsvg busy for minutes. */
export const endlessSvg = svg(
  'width="2000" height="2000"',
  `<filter id="f">${'<feTurbulence baseFrequency="0.5" numOctaves="100"/><feGaussianBlur stdDeviation="200"/>'.repeat(100)}</filter><rect width="2000" height="2000" filter="url(#f)"/>`,
)

export const upload = (
  app: TestApp,
  bytes: Buffer,
  more: object = {},
  sent?: RequestOptions,
): Promise<Answer> =>
  app.post(
    '/v1/assets',
    { asset: { file_base64: bytes.toString('base64'), filename: 'picture.png', ...more } },
    sent,
  )

/** Fetches a file like a mail client: without a key, by its address alone. */
export const fetchFile = (app: TestApp, url: string, headers: Record<string, string> = {}): Promise<Answer> =>
  app.get(new URL(url).pathname, { key: null, headers })

export interface Pixels {
  readonly width: number
  readonly height: number
  at(x: number, y: number): readonly [red: number, green: number, blue: number, alpha: number]
}

export async function pixels(bytes: Buffer): Promise<Pixels> {
  const { data, info } = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  return {
    width: info.width,
    height: info.height,
    at(x, y) {
      const start = (y * info.width + x) * 4
      return [data[start]!, data[start + 1]!, data[start + 2]!, data[start + 3]!]
    },
  }
}
