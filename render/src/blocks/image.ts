import { type Static, Type } from 'typebox'
import { blockSchema, OneOf, Pixels, Reference, type Shape, shapes, Words } from '../fields.ts'
import { fieldValue } from '../fill.ts'
import { compileHref, Href, linkedPicture } from '../href.ts'
import { escapeAttribute } from '../html.ts'
import { safeUrl } from '../links.ts'
import { boxOf } from '../style.ts'
import type { Pass, Piece, PieceScope } from '../types.ts'

export const imageSources = ['assetUuid', 'src', 'smartFieldUuid'] as const

export const ImageSchema = blockSchema(
  'image',
  {
    assetUuid: Type.Optional(Reference('asset')),
    src: Type.Optional(Type.String({ maxLength: 2_048, format: 'https' })),
    smartFieldUuid: Type.Optional(Reference('smart_field', { fieldKind: 'image' })),
    alt: Type.Optional(Words(500)),
    width: Type.Optional(Pixels()),
    height: Type.Optional(Pixels()),
    shape: Type.Optional(OneOf(shapes)),
    href: Type.Optional(Href),
  },
  { oneOf: imageSources.map(source => ({ required: [source] })) },
)
export type Image = Static<typeof ImageSchema>

/** Beyond it, phones and reading panes cut off. */
const widest = 600
/** Of a picture from elsewhere that says nothing of its size. */
const usual = 120

export function compileImage(image: Image, scope: PieceScope): Piece {
  const { id, alt = '', shape = 'square' } = image
  const target = image.href ? compileHref(image.href, scope, id) : null
  if ((image.width ?? 0) > widest) scope.warn('image_too_wide', id)
  if (image.alt === undefined || (image.href && alt.trim() === '')) scope.warn('missing_alt', id)
  const { url, attributes, css } = sourceOf(image, scope)
  const isBaked = image.assetUuid !== undefined
  const after = `"${attributes} alt="${escapeAttribute(alt)}" border="0" style="display:block${isBaked ? '' : radii[shape]}${css}">`
  const tag = (src: string | null) => (src === null ? '' : `<img src="${escapeAttribute(src)}${after}`)
  const html = typeof url === 'function' ? (pass: Pass) => tag(url(pass)) : tag(url)
  return {
    box: boxOf(image.blockStyle, { align: image.blockStyle?.align ?? scope.align, width: undefined }),
    bind: linkedPicture({ id, html, label: alt }, target),
  }
}

interface Source {
  /** A function where it depends on the person. */
  readonly url: string | null | ((pass: Pass) => string | null)
  readonly attributes: string
  readonly css: string
}

function sourceOf(image: Image, scope: PieceScope): Source {
  const { assetUuid, src, smartFieldUuid } = image
  if (assetUuid !== undefined) return assetSource(image, assetUuid, scope)
  const { id, width = null, height = null } = image
  if (width === null || height === null) scope.warn('image_size_unknown', id)
  const attributes = sizes({ width: width ?? height ?? usual, height: height ?? width ?? usual })
  // The attribute is a guess then; where CSS is understood, the picture's own shape decides.
  const css = `${width === null && height !== null ? ';width:auto' : ''}${height === null ? ';height:auto' : ''}`
  if (smartFieldUuid === undefined) return { url: src === undefined ? null : safeUrl(src), attributes, css }
  const value = fieldValue(smartFieldUuid, scope, id)
  return { url: pass => pictureOf(value(pass), scope), attributes, css }
}

function assetSource(image: Image, assetUuid: string, scope: PieceScope): Source {
  const { id, shape = 'square' } = image
  const asset = scope.assets?.get(assetUuid.toLowerCase())
  if (!asset) {
    scope.warn('unknown_reference', id, 'This refers to an asset that no longer exists.')
    return { url: null, attributes: '', css: '' }
  }
  const box = sizeOf(image, asset.width, asset.height)
  if (asset.width > box.width * 4 && asset.width > 400) scope.warn('image_oversized', id)
  if (asset.contentType === 'image/gif' && asset.bytes > 1_000_000) scope.warn('gif_too_large', id)
  return { url: scope.assetUrl(assetUuid.toLowerCase(), { ...box, shape }), attributes: sizes(box), css: '' }
}

/** https, or from the service itself, which may be tried out without. */
function pictureOf(value: string, { ownAddress }: PieceScope): string | null {
  const url = value === '' ? null : safeUrl(value)
  if (url === null) return null
  return url.startsWith('https:') || (ownAddress && url.startsWith(`${ownAddress}/`)) ? url : null
}

/** What is not said follows from the picture's own sides. */
function sizeOf(image: Image, natural: number, height: number): { width: number; height: number } {
  const width = image.shape === 'circle' ? height : natural // as wide as it is high
  const shown =
    image.width ?? (image.height === undefined ? Math.min(width, widest) : (image.height * width) / height)
  return {
    width: Math.max(1, Math.round(shown)),
    height: Math.max(1, Math.round(image.height ?? (shown * height) / width)),
  }
}

const sizes = ({ width, height }: { width: number; height: number }): string =>
  ` width="${Math.max(1, Math.round(width))}" height="${Math.max(1, Math.round(height))}"`

/** For files that do not have the shape themselves; Word ignores it. */
const radii: Readonly<Record<Shape, string>> = {
  square: '',
  rounded: ';border-radius:8px',
  circle: ';border-radius:50%',
}
