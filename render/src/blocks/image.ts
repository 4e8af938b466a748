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

/** Phones and reading panes cut off wider images. */
const maxWidth = 600
/** The size of an external image for which the content gives no size. */
const defaultSize = 120

export function compileImage(image: Image, scope: PieceScope): Piece {
  const { id, alt = '', shape = 'square' } = image
  const target = image.href ? compileHref(image.href, scope, id) : null
  if ((image.width ?? 0) > maxWidth) scope.warn('image_too_wide', id)
  if (image.alt === undefined || (image.href && alt.trim() === '')) scope.warn('missing_alt', id)
  const { url, attributes, css } = sourceOf(image, scope)
  // The file of an asset already has the shape.
  const hasShape = image.assetUuid !== undefined
  const attributesEnd = `"${attributes} alt="${escapeAttribute(alt)}" border="0" style="display:block${hasShape ? '' : radii[shape]}${css}">`
  const tag = (src: string | null) =>
    src === null ? '' : `<img src="${escapeAttribute(src)}${attributesEnd}`
  const html = typeof url === 'function' ? (pass: Pass) => tag(url(pass)) : tag(url)
  return {
    box: boxOf(image.blockStyle, { align: image.blockStyle?.align ?? scope.align, width: undefined }),
    bind: linkedPicture({ id, html, label: alt }, target),
  }
}

interface ImageSource {
  /** A function when it depends on the person. */
  readonly url: string | null | ((pass: Pass) => string | null)
  readonly attributes: string
  readonly css: string
}

function sourceOf(image: Image, scope: PieceScope): ImageSource {
  const { assetUuid, src, smartFieldUuid } = image
  if (assetUuid !== undefined) return assetSource(image, assetUuid, scope)
  const { id, width = null, height = null } = image
  if (width === null || height === null) scope.warn('image_size_unknown', id)
  const attributes = sizes({ width: width ?? height ?? defaultSize, height: height ?? width ?? defaultSize })
  // A missing side is only guessed in the attributes. Clients that support CSS keep the aspect ratio of the file.
  const css = `${width === null && height !== null ? ';width:auto' : ''}${height === null ? ';height:auto' : ''}`
  if (smartFieldUuid === undefined) return { url: src === undefined ? null : safeUrl(src), attributes, css }
  const value = fieldValue(smartFieldUuid, scope, id)
  return { url: pass => pictureOf(value(pass), scope), attributes, css }
}

function assetSource(image: Image, assetUuid: string, scope: PieceScope): ImageSource {
  const { id, shape = 'square' } = image
  const asset = scope.assets?.get(assetUuid.toLowerCase())
  if (!asset) {
    scope.warn('unknown_reference', id, 'This refers to an asset that no longer exists.')
    return { url: null, attributes: '', css: '' }
  }
  const box = sizeOf(image, asset.width, asset.height)
  if (asset.contentType === 'image/gif' && asset.bytes > 1_000_000) scope.warn('gif_too_large', id)
  return { url: scope.assetUrl(assetUuid.toLowerCase(), { ...box, shape }), attributes: sizes(box), css: '' }
}

/** An https address, or an address of this service, which can run without https (for example on localhost). */
function pictureOf(value: string, { ownAddress }: PieceScope): string | null {
  const url = value === '' ? null : safeUrl(value)
  if (url === null) return null
  return url.startsWith('https:') || (ownAddress && url.startsWith(`${ownAddress}/`)) ? url : null
}

/** The displayed size. A side that the content does not give follows from the aspect ratio of the asset. */
function sizeOf(image: Image, assetWidth: number, height: number): { width: number; height: number } {
  const width = image.shape === 'circle' ? height : assetWidth // a circle is cut from a square
  const shownWidth =
    image.width ?? (image.height === undefined ? Math.min(width, maxWidth) : (image.height * width) / height)
  return {
    width: Math.max(1, Math.round(shownWidth)),
    height: Math.max(1, Math.round(image.height ?? (shownWidth * height) / width)),
  }
}

const sizes = ({ width, height }: { width: number; height: number }): string =>
  ` width="${Math.max(1, Math.round(width))}" height="${Math.max(1, Math.round(height))}"`

/** For external images, whose files do not have the shape. Word ignores `border-radius`. */
const radii: Readonly<Record<Shape, string>> = {
  square: '',
  rounded: ';border-radius:8px',
  circle: ';border-radius:50%',
}
