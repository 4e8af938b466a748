// Reads files as a viewer does.
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'

/** The texts of a page, in the order in which they were written. */
export async function pdfTexts(bytes: Buffer, pageNumber = 1): Promise<readonly string[]> {
  const loading = getDocument({ data: new Uint8Array(bytes), verbosity: 0 })
  const page = await (await loading.promise).getPage(pageNumber)
  const { items } = await page.getTextContent()
  await loading.destroy()
  return items.flatMap(item => ('str' in item && item.str.trim() !== '' ? [item.str] : []))
}
