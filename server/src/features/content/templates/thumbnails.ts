// Thumbnails of templates. A thumbnail is drawn at its first request and kept in memory: a committed file would be stale
// after every change of the renderer. The file name has a hash of the HTML, so clients can cache a thumbnail for ever.
import { hash } from 'node:crypto'
import { compile, render } from '@signoff/render'
import { compactVcardOf, drawQr } from '#features/content/contact-cards/index.ts'
import type { DrawPicture } from '#features/content/content/index.ts'
import type { Design } from './design.ts'
import { designs } from './designs/index.ts'
import { codeColor, codeSize } from './designs/sales.ts'
import { kitOf } from './rules.ts'
import { bannerSize, samplePictures } from './sample-pictures.ts'
import { sampleBrand, sampleFields, sampleLogo, samplePerson, sampleSurroundings } from './samples.ts'

/** A real QR code: its modules are as fine as in a mail. */
const drawCode = (): Promise<Buffer> =>
  drawQr({
    text: compactVcardOf({ ...samplePerson('', 'sales'), website: '' }),
    size: codeSize,
    color: codeColor,
  })

/** sharp is loaded with the first picture, because it takes 10 MB of memory. */
async function toPng(svg: string): Promise<Buffer> {
  const { default: sharp } = await import('sharp')
  return sharp(Buffer.from(svg)).png().toBuffer()
}

/** Returns the function that draws the picture with this file name; undefined for another name. */
export function samplePictureOf(file: string): (() => Promise<Buffer>) | undefined {
  if (file === 'code.png') return drawCode
  const drawing = Object.hasOwn(samplePictures, file) ? samplePictures[file] : undefined
  return drawing === undefined ? undefined : () => toPng(drawing)
}

export const thumbnailFolder = '/templates/'

/** The route is public: on a machine without a browser, requests must not start one again and again. */
const retryAfter = 10_000

interface Thumbnail {
  readonly file: string
  readonly html: string
}

function thumbnailOf(design: Design, publicUrl: string): Thumbnail {
  const html = sampleHtml(design, publicUrl, `${publicUrl}${thumbnailFolder}`)
  return { file: `${design.id}-${hash('sha256', html).slice(0, 12)}.png`, html }
}

/** The address of the thumbnail of each template. */
export function thumbnailUrls(publicUrl: string): (templateId: string) => string {
  // Computed with the first request: most processes show no gallery.
  let urls: ReadonlyMap<string, string> | undefined
  return templateId => {
    urls ??= new Map(
      designs.map(design => [
        design.id,
        `${publicUrl}${thumbnailFolder}${thumbnailOf(design, publicUrl).file}`,
      ]),
    )
    return urls.get(templateId) ?? ''
  }
}

/** Reads a thumbnail or a sample picture by its file name; undefined for another name. */
export function createThumbnails(publicUrl: string, draw: DrawPicture) {
  const drawn = new Map<string, Promise<Buffer>>()
  /** Requests that arrive together wait for one drawing. */
  function once(file: string, create: () => Promise<Buffer>): Promise<Buffer> {
    const existing = drawn.get(file)
    if (existing) return existing
    const promise = create()
    drawn.set(file, promise)
    promise.catch(() => setTimeout(() => drawn.delete(file), retryAfter).unref())
    return promise
  }
  return async (file: string): Promise<Buffer | undefined> => {
    const drawSample = samplePictureOf(file)
    if (drawSample) return once(file, drawSample)
    const design = designs.find(({ id }) => file.startsWith(`${id}-`) && file.length === id.length + 17)
    if (!design) return undefined
    const thumbnail = thumbnailOf(design, publicUrl)
    if (thumbnail.file !== file) return undefined
    return once(file, async () =>
      onCanvas((await draw(thumbnail.html, { theme: 'light', width: 'desktop' })).png),
    )
  }
}

function sampleHtml(
  { build, category, isDrawnWithBanner }: Design,
  publicUrl: string,
  pictureAddress: string,
): string {
  const surroundings = sampleSurroundings(publicUrl, pictureAddress)
  const content = build(kitOf(sampleBrand, sampleFields, sampleLogo))
  const banner = compile(
    {
      type: 'stack',
      children: [{ type: 'image', assetUuid: 'banner', alt: 'Spring fair', ...bannerSize }],
    },
    {
      ...surroundings,
      assets: new Map([['banner', { width: 960, height: 192, bytes: 9_000, contentType: 'image/png' }]]),
    },
  )
  const campaign = { id: 'campaign', template: banner }
  return render(content, samplePerson(pictureAddress, category), {
    ...surroundings,
    campaign: () => (isDrawnWithBanner ? campaign : null),
    vcard: () => `${publicUrl}/v/alex-morgan.vcf`,
    qrUrl: () => `${pictureAddress}code.png`,
  }).html
}

/** Pixels of the file, two per pixel of the signature: wide enough for a banner. */
const canvasWidth = 1_024
const margin = 32
const white = '#ffffff'

/** Cuts off the empty part of the page. All thumbnails have the same width and the same scale. */
async function onCanvas(png: Buffer): Promise<Buffer> {
  const { default: sharp } = await import('sharp')
  const trimmed = await sharp(png).trim({ background: white, threshold: 4 }).png().toBuffer()
  const maxWidth = canvasWidth - 2 * margin
  // The fonts of a machine can be wider.
  const fitted = sharp(trimmed).resize({ width: maxWidth, withoutEnlargement: true })
  const { data, info } = await fitted.png().toBuffer({ resolveWithObject: true })
  return sharp(data)
    .extend({
      top: margin,
      bottom: margin,
      left: margin,
      right: canvasWidth - margin - info.width,
      background: white,
    })
    .png({ palette: true, colours: 128 })
    .toBuffer()
}
