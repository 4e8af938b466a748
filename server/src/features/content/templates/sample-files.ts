// The files of the pictures in thumbnails. The QR code is a real one: its modules are as fine as in a mail.
import { compactVcardOf, drawQr } from '#features/content/contact-cards/index.ts'
import { codeColor, codeSize } from './designs/sales.ts'
import { samplePictures } from './sample-pictures.ts'
import { samplePerson } from './samples.ts'

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
