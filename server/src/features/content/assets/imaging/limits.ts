export const imageLimits = {
  bytes: 15 * 1024 * 1024,
  /** Per picture or frame. */
  pixels: 25_000_000,
  frames: 100,
  /** All frames together: each is decoded, at four bytes per pixel. */
  animationPixels: 40_000_000,
  /** Size after the conversion: a photograph is several times as large as PNG. */
  storedBytes: 30 * 1024 * 1024,
  /** Time limit for reading a file; a process that takes longer is killed. */
  milliseconds: 30_000,
  /** Time limit for drawing an SVG: CPU time, and time in which a busy machine must have drawn it. */
  svgCpuMilliseconds: 3_000,
  svgMilliseconds: 8_000,
  depth: 32,
  /** Elements of an SVG, with those that `<use>` repeats. */
  elements: 300_000,
  /** Number of pictures embedded in an SVG. */
  embedded: 100,
  /** Memory of one process. Photographs need up to 400 MB; an SVG with a few lines can request any amount. */
  memoryBytes: 640 * 1024 * 1024,
  /** Memory that a process can keep after a picture; a process that keeps more is not used again. */
  keptBytes: 150 * 1024 * 1024,
  /** Address space of a process. V8 reserves most of it without using it, so about 2 GB remain. */
  kilobytes: 8_000_000,
} as const

/** `malformed_json` is reported for the whole body, the other codes for the field. */
export type BadImageCode = 'blank' | 'invalid' | 'out_of_range' | 'malformed_json'

/** A problem with a picture. The API error message is the field name followed by this message. */
export class BadImage extends Error {
  readonly code: BadImageCode
  constructor(message: string, code: BadImageCode = 'invalid') {
    super(message)
    this.code = code
  }
}

export const tooManyPixels = (width: number, height: number): BadImage =>
  new BadImage(
    `has ${width} × ${height} pixels; at most ${imageLimits.pixels / 1_000_000} megapixels are taken`,
    'out_of_range',
  )
