// A small alphabet for the pictures of the demo, drawn as strokes of one thickness: SVG text would need a font on the
// machine. The height of an x is 100 units, and the baseline is at 0.

/** By letter: its width and its strokes. */
const letters: Readonly<Record<string, readonly [width: number, path: string]>> = {
  ' ': [30, ''],
  ',': [8, 'M6-4L0 24'],
  '.': [4, 'M2-3V-2'],
  a: [96, 'M96-50A48 50 0 1 0 0-50A48 50 0 1 0 96-50M96-98V0'],
  b: [96, 'M0-50A48 50 0 1 0 96-50A48 50 0 1 0 0-50M0-152V0'],
  c: [82, 'M82-84C74-94 62-100 49-100C22-100 0-78 0-50S22 0 49 0C62 0 74-6 82-16'],
  d: [96, 'M96-50A48 50 0 1 0 0-50A48 50 0 1 0 96-50M96-152V0'],
  e: [94, 'M1-48H94C94-78 74-100 48-100C21-100 0-78 0-50S21 0 49 0C65 0 78-7 87-19'],
  f: [42, 'M52-149C30-156 18-146 18-122V0M0-96H48'],
  g: [96, 'M96-50A48 50 0 1 0 0-50A48 50 0 1 0 96-50M96-98V2C96 30 76 48 48 48C31 48 17 41 8 30'],
  h: [82, 'M0-152V0M0-56C0-82 17-100 41-100S82-82 82-56V0'],
  i: [2, 'M1-98V0M1-142V-141'],
  k: [66, 'M0-152V0M66-98L0-38M24-59L72 0'],
  l: [2, 'M1-152V0'],
  m: [134, 'M0-98V0M0-60C0-84 14-100 34-100S67-84 67-60V0M67-60C67-84 81-100 101-100S134-84 134-60V0'],
  n: [82, 'M0-98V0M0-56C0-82 17-100 41-100S82-82 82-56V0'],
  o: [98, 'M49-100A49 50 0 1 0 49 0A49 50 0 1 0 49-100Z'],
  p: [96, 'M0-50A48 50 0 1 0 96-50A48 50 0 1 0 0-50M0-98V48'],
  r: [36, 'M0-98V0M0-52C0-82 18-101 46-98'],
  s: [68, 'M64-80C58-93 48-100 34-100C16-100 4-90 4-75C4-41 68-59 68-26C68-10 54 0 36 0C20 0 6-8 0-22'],
  t: [42, 'M18-136V-32C18-8 30 2 50-2M0-98H46'],
  u: [82, 'M0-98V-44C0-18 17 0 41 0S82-18 82-44M82-98V0'],
  v: [72, 'M-6-98L36 0L78-98'],
  w: [118, 'M-5-98L27 0L59-98L91 0L123-98'],
  x: [76, 'M0-98L76 0M76-98L0 0'],
  y: [72, 'M-6-98L36 0M78-98L30 14C22 34 10 44-10 42'],
  A: [112, 'M0 0L56-140L112 0M20-48H92'],
  F: [64, 'M0 0V-140H76M0-72H66'],
  H: [100, 'M0-140V0M100-140V0M0-72H100'],
  M: [132, 'M0 0V-140L66-40L132-140V0'],
  N: [104, 'M0 0V-140L104 0V-140'],
  O: [140, 'M70-142A70 71 0 1 0 70 0A70 71 0 1 0 70-142Z'],
  R: [88, 'M0 0V-140H42C68-140 84-124 84-101S68-62 42-62H0M44-62L88 0'],
  S: [84, 'M78-114C70-131 58-142 40-142C18-142 4-128 4-108C4-62 84-84 84-36C84-14 68 0 44 0C22 0 6-12 0-32'],
  T: [88, 'M-4-140H96M46-140V0'],
  W: [172, 'M0-140L43 0L86-136L129 0L172-140'],
}

export interface Lettering {
  /** The height of an x, in pixels. */
  readonly size: number
  readonly colour: string
  /** The thickness of the strokes, in hundredths of the size. */
  readonly weight?: number
  /** The space between letters, in hundredths of the size. */
  readonly spacing?: number
}

/** The width of the words, in pixels. */
export function widthOfWords(
  words: string,
  { size, spacing = 44 }: Pick<Lettering, 'size' | 'spacing'>,
): number {
  const widths = [...words].map(letter => (letters[letter]?.[0] ?? 0) + spacing)
  return Math.round(((widths.reduce((sum, width) => sum + width, 0) - spacing) * size) / 100)
}

/** Draws the words from a point on the baseline. Letters that the alphabet lacks are left out. */
export function drawWords(
  words: string,
  x: number,
  y: number,
  { size, colour, weight = 20, spacing = 44 }: Lettering,
): string {
  let at = 0
  const strokes = [...words].map(letter => {
    const [width, path] = letters[letter] ?? [0, '']
    const drawn = path && `<path d="${path}" transform="translate(${at} 0)"/>`
    at += width + spacing
    return drawn
  })
  return `<g transform="translate(${x} ${y}) scale(${size / 100})" fill="none" stroke="${colour}" stroke-width="${weight}" stroke-linecap="round" stroke-linejoin="round">${strokes.join('')}</g>`
}
