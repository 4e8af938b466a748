// The address of an icon contains everything that is needed to draw it, and a hash of that and of the glyph's outline.
// The file behind an address never changes, so clients can cache it for ever. Addresses are short, because a signature
// has several of them and a length limit.
import { hash } from 'node:crypto'
import { type Glyph, glyphOf } from './glyphs.ts'

const iconShapes = ['circle', 'rounded', 'square'] as const
export type IconShape = (typeof iconShapes)[number]

export interface IconDrawing {
  /** The icon's name in Font Awesome. */
  readonly name: string
  /** The displayed size, in CSS pixels. */
  readonly size: number
  /** `#rrggbb` */
  readonly color: string
  /** `#rrggbb`, or null for no background. */
  readonly backgroundColor: string | null
  /** The shape of the background. */
  readonly shape: IconShape
}

/** Content can ask for 2000 px. An icon drawn at 512 px (a file of 1024 px) still looks sharp enough when stretched. */
const maxSize = 512

/**
 * Increase it when drawing.ts draws differently. Mails that were already sent contain addresses with the old version,
 * so `parseIconFile` must then still accept the old version.
 */
const drawingVersion = 1

const sixDigits = /^#[0-9a-f]{6}$/i

function hex(color: string): string {
  if (!sixDigits.test(color)) throw new Error(`not a colour of six digits: ${color}`)
  return color.slice(1).toLowerCase()
}

function fileName(
  { name, size, color, backgroundColor, shape }: IconDrawing,
  { fingerprint }: Glyph,
): string {
  const drawnSize = Math.min(maxSize, Math.max(1, Math.round(size)))
  const background = backgroundColor === null ? [] : [hex(backgroundColor), shape.charAt(0)]
  const description = [name, drawnSize, hex(color), ...background].join('-')
  return `${description}-${hash('sha256', `${drawingVersion} ${fingerprint} ${description}`).slice(0, 8)}.png`
}

/** Throws for an unknown icon name or a colour without six digits; content is validated before it is rendered. */
export function iconUrl(publicUrl: string, icon: IconDrawing): string {
  const glyph = glyphOf(icon.name)
  if (!glyph) throw new Error(`not an icon: ${icon.name}`)
  return `${publicUrl}/icons/${fileName(icon, glyph)}`
}

const parts = /^([a-z0-9-]{1,64})-(\d{1,3})-([0-9a-f]{6})(?:-([0-9a-f]{6})-([crs]))?-[0-9a-f]{8}\.png$/

/** The icon that a file name made by `iconUrl` stands for; undefined for any other text. */
export function parseIconFile(
  file: string,
): { readonly icon: IconDrawing; readonly glyph: Glyph } | undefined {
  const [, name = '', size, color, background, shapeLetter] = parts.exec(file) ?? []
  const glyph = glyphOf(name)
  if (!glyph) return undefined
  const icon = {
    name,
    size: Number(size),
    color: `#${color}`,
    backgroundColor: background === undefined ? null : `#${background}`,
    shape: iconShapes.find(shape => shape.charAt(0) === shapeLetter) ?? 'circle',
  }
  return fileName(icon, glyph) === file ? { icon, glyph } : undefined
}
