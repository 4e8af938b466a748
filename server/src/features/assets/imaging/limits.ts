export const limits = {
  bytes: 15 * 1024 * 1024,
  /** Of one picture, or one frame. */
  pixels: 25_000_000,
  frames: 100,
  /** Of all frames together: each is unpacked, at four bytes a pixel. */
  animationPixels: 40_000_000,
  /** What a picture may become: a photograph takes several times the space as PNG. */
  storedBytes: 30 * 1024 * 1024,
  /** For reading a file; the process that takes longer is ended. */
  milliseconds: 30_000,
  /** For drawing an SVG. */
  svgMilliseconds: 8_000,
  depth: 32,
  /** Pictures inside an SVG. */
  embedded: 100,
  /** Of memory, for one process. Photographs take up to 400 MB; an SVG of a few lines can ask for any amount. */
  memoryBytes: 640 * 1024 * 1024,
  /** What a process may keep of it after a picture; one that keeps more is not used again. */
  keptBytes: 150 * 1024 * 1024,
  /** Of address space, most of which V8 reserves without using it: some 2 GB are left. */
  kilobytes: 8_000_000,
} as const

/** `malformed_json` is said of the whole body, the others of the field. */
export type BadImageCode = 'blank' | 'invalid' | 'out_of_range' | 'malformed_json'

/** What is wrong with a picture, in words that go after the name of the field it came in. */
export class BadImage extends Error {
  readonly code: BadImageCode
  constructor(message: string, code: BadImageCode = 'invalid') {
    super(message)
    this.code = code
  }
}

export const tooManyPixels = (width: number, height: number): BadImage =>
  new BadImage(
    `has ${width} × ${height} pixels; at most ${limits.pixels / 1_000_000} megapixels are taken`,
    'out_of_range',
  )
