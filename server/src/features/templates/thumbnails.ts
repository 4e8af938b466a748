// Thumbnails of templates. A thumbnail is drawn at its first request and kept in memory: a committed file would be stale
// after every change of the renderer. The file name has a hash of the HTML, so clients can cache a thumbnail for ever.
import { hash } from 'node:crypto'
import { compile, render } from '@signoff/render'
import type { DrawPicture } from '#features/content/index.ts'
import type { Design } from './design.ts'
import { designs } from './designs/index.ts'
import { kitOf } from './rules.ts'
import { bannerSize, samplePictures } from './sample-pictures.ts'
import { sampleBrand, sampleFields, sampleLogo, samplePerson, sampleSurroundings } from './samples.ts'

export const thumbnailFolder = '/templates/'

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
  /** Requests that arrive together wait for one drawing. A failed drawing is tried again by the next request. */
  function once(file: string, create: () => Promise<Buffer>): Promise<Buffer> {
    const existing = drawn.get(file)
    if (existing) return existing
    const promise = create()
    drawn.set(file, promise)
    promise.catch(() => drawn.delete(file))
    return promise
  }
  return async (file: string): Promise<Buffer | undefined> => {
    const drawing = Object.hasOwn(samplePictures, file) ? samplePictures[file] : undefined
    if (drawing !== undefined) return once(file, () => toPng(drawing))
    const design = designs.find(({ id }) => file.startsWith(`${id}-`) && file.length === id.length + 17)
    if (!design) return undefined
    const thumbnail = thumbnailOf(design, publicUrl)
    if (thumbnail.file !== file) return undefined
    return once(file, async () =>
      trimmed((await draw(thumbnail.html, { theme: 'light', width: 'desktop' })).png),
    )
  }
}

function sampleHtml({ build }: Design, publicUrl: string, pictureAddress: string): string {
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
  return render(content, samplePerson(pictureAddress), {
    ...surroundings,
    campaign: () => campaign,
    vcard: () => `${publicUrl}/v/alex-morgan.vcf`,
    qrUrl: () => `${pictureAddress}code.png`,
  }).html
}

/** sharp is loaded with the first picture, because it takes 10 MB of memory. */
async function toPng(svg: string): Promise<Buffer> {
  const { default: sharp } = await import('sharp')
  return sharp(Buffer.from(svg)).png().toBuffer()
}

const margin = 32

/** Cuts off the empty part of the page, and leaves the same margin on all sides. */
async function trimmed(png: Buffer): Promise<Buffer> {
  const { default: sharp } = await import('sharp')
  const signature = sharp(png).trim({ background: '#ffffff', threshold: 4 })
  return signature
    .extend({ top: margin, right: margin, bottom: margin, left: margin, background: '#ffffff' })
    .png({ palette: true, colours: 128 })
    .toBuffer()
}
