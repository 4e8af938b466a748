import { type Static, Type } from 'typebox'
import { blockSchema, CropSchema, OneOf, Pixels, Reference, type Shape, shapes, Words } from '../fields.ts'
import { storedValue } from '../fill.ts'
import { compileHref, Href, linkedPicture } from '../links/href.ts'
import { safeUrl } from '../links/links.ts'
import { pictureTag } from '../picture.ts'
import { boxOf } from '../style/style.ts'
import type { AssetSource, BlockType, Pass, PersonPictureBox, Piece, PieceScope } from '../types.ts'

export const imageSources = ['assetUuid', 'src', 'smartFieldUuid'] as const

const ImageSchema = blockSchema(
  'image',
  {
    assetUuid: Type.Optional(Reference('asset')),
    src: Type.Optional(Type.String({ maxLength: 2_048, format: 'https' })),
    smartFieldUuid: Type.Optional(Reference('smart_field', { fieldKind: 'image' })),
    alt: Type.Optional(Words(500)),
    width: Type.Optional(Pixels()),
    height: Type.Optional(Pixels()),
    shape: Type.Optional(OneOf(shapes)),
    halo: Type.Optional(Type.Boolean()),
    crop: Type.Optional(CropSchema),
    href: Type.Optional(Href),
  },
  {
    oneOf: imageSources.map(source => ({ required: [source] })),
    // The files of other servers are not drawn again.
    if: { required: ['src'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { properties: { halo: { const: false } }, not: { required: ['crop'] } },
  },
)
type Image = Static<typeof ImageSchema>

/** Phones and reading panes cut off wider images. */
const maxWidth = 600
/** The width of an external image for which the content gives no size. */
const defaultWidth = 120

function compileImage(image: Image, scope: PieceScope): Piece {
  const { id, alt = '' } = image
  const target = image.href ? compileHref(image.href, scope, id) : null
  if ((image.width ?? 0) > maxWidth) scope.warn('image_too_wide', id)
  if (image.alt === undefined || (image.href && alt.trim() === '')) scope.warn('missing_alt', id)
  return {
    box: boxOf(image.blockStyle, { align: image.blockStyle?.align ?? scope.align, width: undefined }),
    bind: linkedPicture({ id, html: compileSource(image, scope), label: alt }, target),
  }
}

/** The `img`; a function when it depends on the person; empty when there is no picture. */
function compileSource(image: Image, scope: PieceScope): string | ((pass: Pass) => string) {
  const { id, assetUuid, src, smartFieldUuid, alt = '', shape = 'square', width, height } = image
  if (assetUuid !== undefined) return assetTag(image, assetUuid, scope)
  if (width === undefined && height === undefined) scope.warn('image_size_unknown', id)
  const size = width === undefined && height === undefined ? { width: defaultWidth } : { width, height }
  const tag = (url: string | null) => (url === null ? '' : pictureTag(url, size, alt, radii[shape]))
  if (smartFieldUuid === undefined) return tag(src === undefined ? null : safeUrl(src))
  const value = storedValue(smartFieldUuid, scope, id)
  const box: PersonPictureBox = { ...finishOf(image), ...definedSides(image) }
  return pass => {
    const text = value(pass)
    const picture = text === '' ? null : (scope.personPicture?.(text, box) ?? null)
    return picture === null ? tag(pictureOf(text, scope)) : pictureTag(picture.url, picture, alt)
  }
}

const definedSides = ({ width, height }: Image) => ({
  ...(width !== undefined && { width }),
  ...(height !== undefined && { height }),
})

const finishOf = ({ shape = 'square', halo, crop }: Image) => ({
  shape,
  ...(halo && { halo }),
  ...(crop && { crop }),
})

function assetTag(image: Image, assetUuid: string, scope: PieceScope): string {
  const { id, alt = '' } = image
  const asset = scope.assets?.get(assetUuid.toLowerCase())
  if (!asset) {
    scope.warn('unknown_reference', id, 'This refers to an asset that no longer exists.')
    return ''
  }
  const size = sizeOf(image, asset)
  if (asset.contentType === 'image/gif' && asset.bytes > 1_000_000) scope.warn('gif_too_large', id)
  // The file already has the shape.
  return pictureTag(scope.assetUrl(assetUuid.toLowerCase(), { ...size, ...finishOf(image) }), size, alt)
}

/** An https address, or an address of this service, which can run without https (for example on localhost). */
function pictureOf(value: string, { ownAddress }: PieceScope): string | null {
  const url = value === '' ? null : safeUrl(value)
  if (url === null) return null
  return url.startsWith('https:') || (ownAddress && url.startsWith(`${ownAddress}/`)) ? url : null
}

/** The displayed size. A side that the content does not give follows from the proportions of what is shown. */
function sizeOf(image: Image, asset: AssetSource): { width: number; height: number } {
  const height = asset.height * (image.crop?.height ?? 1)
  // A circle is cut from a square.
  const width = image.shape === 'circle' ? height : asset.width * (image.crop?.width ?? 1)
  const shownWidth =
    image.width ?? (image.height === undefined ? Math.min(width, maxWidth) : (image.height * width) / height)
  return {
    width: Math.max(1, Math.round(shownWidth)),
    height: Math.max(1, Math.round(image.height ?? (shownWidth * height) / width)),
  }
}

/** For external images, whose files do not have the shape. Word ignores `border-radius`. */
const radii: Readonly<Record<Shape, string>> = {
  square: '',
  rounded: 'border-radius:8px;',
  circle: 'border-radius:50%;',
}

export const imageBlock: BlockType<Image> = { schema: ImageSchema, compile: compileImage, styles: ['align'] }
