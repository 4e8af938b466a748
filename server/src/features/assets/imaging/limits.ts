export const limits = {
  bytes: 15 * 1024 * 1024,
  /** Of one picture, or one frame. */
  pixels: 25_000_000,
  frames: 100,
  /** Of all frames together: each is unpacked, at four bytes a pixel. */
  animationPixels: 40_000_000,
  /** What a picture may become: a photograph takes several times the space as PNG. */
  storedBytes: 30 * 1024 * 1024,
  /** For drawing an SVG. */
  milliseconds: 8_000,
  depth: 32,
  /** Pictures inside of it. */
  embedded: 100,
  /** Of address space, most of which V8 reserves without using it: some 2 GB are left. */
  kilobytes: 8_000_000,
} as const

/** What is wrong with a picture, in words that go after the name of the field it came in. */
export class BadImage extends Error {
  readonly tooBig: boolean
  constructor(message: string, tooBig = false) {
    super(message)
    this.tooBig = tooBig
  }
}

export const tooManyPixels = (width: number, height: number): BadImage =>
  new BadImage(
    `has ${width} × ${height} pixels; at most ${limits.pixels / 1_000_000} megapixels are taken`,
    true,
  )

/** How the process that draws an SVG says that it has too many pixels. */
export const exitTooBig = 2
