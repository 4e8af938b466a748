// pdfkit and the fonts of invoices: optional packages, loaded with the first invoice.
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { OperatorError } from '#kernel/base/errors.ts'

const require = createRequire(import.meta.url)

const regularFile = '@expo-google-fonts/arimo/400Regular/Arimo_400Regular.ttf'
const boldFile = '@expo-google-fonts/arimo/700Bold/Arimo_700Bold.ttf'

type Document = typeof import('pdfkit')

/** Arimo as pdfkit has parsed it, which takes 60 ms: documents share it. */
export interface ParsedFont {
  hasGlyphForCodePoint(codePoint: number): boolean
}

export interface PdfLibrary {
  readonly Document: Document
  readonly regular: ParsedFont
  readonly bold: ParsedFont
}

/** As the option `font` and in `registerFont`: pdfkit also takes bytes and parsed fonts, and its types know only names. */
export const asFontName = (font: ParsedFont | Buffer): string => font as unknown as string

/** pdfkit gives its parsed font to extensions only, as `_font.font`. */
function parse(Document: Document, bytes: Buffer): ParsedFont {
  const document = new Document({ font: asFontName(bytes), autoFirstPage: false })
  return (document as unknown as { readonly _font: { readonly font: ParsedFont } })._font.font
}

async function load(): Promise<PdfLibrary> {
  try {
    const [{ default: Document }, regular, bold] = await Promise.all([
      import('pdfkit'),
      readFile(require.resolve(regularFile)),
      readFile(require.resolve(boldFile)),
    ])
    return { Document, regular: parse(Document, regular), bold: parse(Document, bold) }
  } catch (error) {
    throw new OperatorError(
      `Invoices need the optional packages pdfkit and @expo-google-fonts/arimo: install them with npm. (${(error as Error).message})`,
    )
  }
}

let loading: Promise<PdfLibrary> | undefined

export function loadPdfLibrary(): Promise<PdfLibrary> {
  loading ??= load().catch(error => {
    loading = undefined
    throw error
  })
  return loading
}
