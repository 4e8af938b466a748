// The address of an icon says all that it takes to draw it, and a hash of that and of the outline: what is behind an
// address never changes, so it may be kept for ever. Short, because a signature holds several and has a limit.
import { hash } from 'node:crypto'
import { type Glyph, glyphOf } from './glyphs.ts'

export const shapes = ['circle', 'rounded', 'square'] as const
export type IconShape = (typeof shapes)[number]

export interface IconDrawing {
  /** Font Awesome's. */
  readonly name: string
  /** As shown, in CSS pixels. */
  readonly size: number
  /** `#rrggbb` */
  readonly color: string
  /** `#rrggbb`, or null for nothing behind the glyph. */
  readonly backgroundColor: string | null
  /** Of the background. */
  readonly shape: IconShape
}

/** Content may ask for 2000 px; an outline drawn at 512 (a file of 1024) and stretched still looks like one. */
const largest = 512

/**
 * Raise it when drawing.ts draws differently. Signatures in mails sent before hold the addresses of the old drawing, so
 * its number must then still be accepted by `iconAt`.
 */
const drawing = 1

const digits = /^#[0-9a-f]{6}$/i

function hex(color: string): string {
  if (!digits.test(color)) throw new Error(`not a colour of six digits: ${color}`)
  return color.slice(1).toLowerCase()
}

function fileName(
  { name, size, color, backgroundColor, shape }: IconDrawing,
  { fingerprint }: Glyph,
): string {
  const shown = Math.min(largest, Math.max(1, Math.round(size)))
  const behind = backgroundColor === null ? [] : [hex(backgroundColor), shape.charAt(0)]
  const described = [name, shown, hex(color), ...behind].join('-')
  return `${described}-${hash('sha256', `${drawing} ${fingerprint} ${described}`).slice(0, 8)}.png`
}

/** The name must be one of Font Awesome's, the colours of six digits: content is checked before it is rendered. */
export function iconUrl(publicUrl: string, icon: IconDrawing): string {
  const glyph = glyphOf(icon.name)
  if (!glyph) throw new Error(`not an icon: ${icon.name}`)
  return `${publicUrl}/icons/${fileName(icon, glyph)}`
}

const parts = /^([a-z0-9-]{1,64})-(\d{1,3})-([0-9a-f]{6})(?:-([0-9a-f]{6})-([crs]))?-[0-9a-f]{8}\.png$/

/** What a file name of `iconUrl` asks for; undefined for any other text. */
export function iconAt(file: string): { readonly icon: IconDrawing; readonly glyph: Glyph } | undefined {
  const [, name = '', size, color, background, letter] = parts.exec(file) ?? []
  const glyph = glyphOf(name)
  if (!glyph) return undefined
  const icon = {
    name,
    size: Number(size),
    color: `#${color}`,
    backgroundColor: background === undefined ? null : `#${background}`,
    shape: shapes.find(shape => shape.charAt(0) === letter) ?? 'circle',
  }
  return fileName(icon, glyph) === file ? { icon, glyph } : undefined
}
