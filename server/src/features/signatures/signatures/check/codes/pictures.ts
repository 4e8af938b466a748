import { type CheckInputs, type CheckRule, findingFor, isBlank } from '../problems.ts'
import type { CheckedBlock } from '../tree.ts'

/** Icons have a text of their own, unless the content replaces it by an empty one. */
const lacksAlt = ({ type, alt, href }: CheckedBlock): boolean => {
  if (type === 'image') return alt === undefined || (href !== undefined && isBlank(alt))
  return (type === 'icon' || type === 'socialListItem') && href !== undefined && alt?.trim() === ''
}

export const missingAlt: CheckRule = ({ blocks }) =>
  findingFor(
    {
      code: 'missing_alt',
      message:
        'Readers who do not see the picture get no text: describe it in `alt`. An empty `alt` is right only for decoration without a link.',
    },
    blocks.filter(({ block }) => lacksAlt(block)),
  )

const unsupported = /^(svgz?|webp)$/
/** Parameters by which image services are asked for a format. */
const formatParameters = ['format', 'fm', 'fmt', 'f', 'ext', 'output']

/** The format that the address asks for, else the one its path ends with: `logo.svg?fm=png` is a PNG. */
function formatOf(src: string): string | undefined {
  if (!URL.canParse(src)) return undefined
  const { pathname, searchParams } = new URL(src.toLowerCase())
  const asked = formatParameters.map(name => searchParams.get(name)).find(value => value)
  const format = asked?.replace(/^image\//, '').replace(/\+xml$/, '')
  return format && /^(svgz?|webp|png|jpe?g|gif)$/.test(format) ? format : pathname.split('.').at(-1)
}

export const unsupportedImage: CheckRule = ({ blocks }) =>
  findingFor(
    {
      code: 'unsupported_image',
      message:
        'Outlook shows no WebP, and most mail clients no SVG. Upload the picture as an asset: it becomes a PNG.',
    },
    blocks.filter(({ block: { src } }) => src !== undefined && unsupported.test(formatOf(src) ?? '')),
  )

const defaultWidth = 120

/** The displayed width of a picture that is shown by its address. */
const shownWidth = ({ width, height }: CheckedBlock, ratio: number): number =>
  width ?? (height === undefined ? defaultWidth : height * ratio)

/**
 * An asset is served in a file made for its place, so it is never too large. The address of an asset in `src` serves the
 * original file. The size of a picture elsewhere is not known.
 */
function isOversized(block: CheckedBlock, { assetsByUrl }: CheckInputs): boolean {
  const original = block.src === undefined ? undefined : assetsByUrl.get(block.src)
  return original !== undefined && original.width > 2 * shownWidth(block, original.width / original.height)
}

export const imageOversized: CheckRule = inputs =>
  findingFor(
    {
      code: 'image_oversized',
      message:
        'The file has more than twice the pixels that are shown. Refer to the asset by `assetUuid`: then a file of the right size is sent.',
    },
    inputs.blocks.filter(({ block }) => isOversized(block, inputs)),
  )
