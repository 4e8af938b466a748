// The `img` element of pictures, icons and QR codes.
import { escapeAttribute } from './html.ts'

export interface PictureSize {
  /** In CSS pixels. A side that is left out follows from the proportions of the file. */
  readonly width?: number | undefined
  readonly height?: number | undefined
}

/** The width that a phone shows beside the margins of a mail. Wider pictures become smaller there. */
const phoneWidth = 320

const rounded = (size: number | undefined): number | undefined =>
  size === undefined ? undefined : Math.max(1, Math.round(size))

/** The attributes are for Word, the CSS is for clients that drop attributes. */
export function pictureTag(src: string, size: PictureSize, alt: string, css = ''): string {
  const [width, height] = [rounded(size.width), rounded(size.height)]
  const attributes = `${width === undefined ? '' : ` width="${width}"`}${height === undefined ? '' : ` height="${height}"`}`
  return `<img src="${escapeAttribute(src)}"${attributes} alt="${escapeAttribute(alt)}" border="0" style="display:block;${css}${sizeCss(width, height)}">`
}

/**
 * A wide picture shrinks with the mail and keeps its proportions. A small one has a least width: a table would squeeze a
 * picture of `max-width:100%` in favour of a long text beside it.
 */
function sizeCss(width: number | undefined, height: number | undefined): string {
  if (width === undefined) return `width:auto;height:${height}px;max-width:100%`
  if (width > phoneWidth || height === undefined)
    return `width:${width}px;height:auto;${width > phoneWidth ? '' : `min-width:${width}px;`}max-width:100%`
  return `width:${width}px;height:${height}px;min-width:${width}px;max-width:100%`
}

/** The `img` of an icon, which never shrinks. */
export const iconTag = (src: string, size: number, alt: string): string =>
  `<img src="${escapeAttribute(src)}" width="${size}" height="${size}" alt="${escapeAttribute(alt)}" border="0" style="display:block;width:${size}px;height:${size}px">`
