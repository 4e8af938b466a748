import { type ImageBox, type RenditionSource, renditionOf } from './imaging/rendition.ts'

/** A picture that is shown as it is, such as a logo. The sides are those on the screen, in pixels. */
export interface FittedPicture {
  readonly url: string
  readonly width: number
  readonly height: number
}

/** As large as the box allows, in its own proportions; a small picture keeps its size. */
export function fittedPicture(
  asset: RenditionSource,
  box: { readonly width: number; readonly height: number },
): FittedPicture {
  const scale = Math.min(box.width / asset.width, box.height / asset.height, 1)
  const size: ImageBox = { width: Math.max(1, Math.round(asset.width * scale)) }
  const { url, shown_width: width, shown_height: height } = renditionOf(asset, size)
  return { url, width, height }
}
