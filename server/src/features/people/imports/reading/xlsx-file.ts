// Reads the first visible sheet of an XLSX file, row by row and within `tableLimits`: an upload can be a small file that
// unpacks to gigabytes. Dates and numbers with leading zeros become the text that a spreadsheet shows.
import { tableLimits, UnreadableFile } from './limits.ts'
import type { TableBuilder } from './table.ts'
import { type CellFormat, cellText, columnIndex, formatOf } from './xlsx-cells.ts'
import type { XlsxParts } from './xlsx-parts.ts'

const signature = Buffer.from('PK\u0003\u0004', 'latin1')

export const isZip = (bytes: Buffer): boolean => bytes.subarray(0, 4).equals(signature)

interface Workbook {
  readonly sheetPath: string
  readonly is1904: boolean
}

const workbookPath = 'xl/workbook.xml'

async function readWorkbook(parts: XlsxParts): Promise<Workbook> {
  let sheetId: string | undefined
  let is1904 = false
  await parts.read(workbookPath, {
    open(name, attributes) {
      if (name === 'workbookPr') is1904 = ['1', 'true'].includes(attributes.date1904 ?? '')
      if (name !== 'sheet' || sheetId !== undefined) return
      const isVisible = (attributes.state ?? 'visible') === 'visible'
      // The prefix of this namespace is usually `r`.
      const id = Object.entries(attributes).find(([key]) => /:id$/.test(key))?.[1]
      if (isVisible) sheetId = id
    },
  })
  let target: string | undefined
  await parts.read('xl/_rels/workbook.xml.rels', {
    open(name, attributes) {
      if (name === 'Relationship' && attributes.Id === sheetId) target = attributes.Target
    },
  })
  if (sheetId === undefined || target === undefined) throw new UnreadableFile('has no sheet', 'blank')
  const address = URL.parse(target, 'file:///xl/')
  if (!address) throw new UnreadableFile('is damaged: its first sheet has no valid path')
  return { sheetPath: address.pathname.slice(1), is1904 }
}

/** Texts that cells refer to by number. A text can consist of runs; phonetic hints (`rPh`) are left out. */
async function readSharedStrings(parts: XlsxParts): Promise<readonly string[]> {
  const strings: string[] = []
  const path = 'xl/sharedStrings.xml'
  if (!parts.has(path)) return strings
  let text = ''
  let isText = false
  let isPhonetic = false
  await parts.read(path, {
    open(name) {
      if (name === 'si') text = ''
      else if (name === 't') isText = !isPhonetic
      else if (name === 'rPh') isPhonetic = true
    },
    text(piece) {
      if (isText && text.length < tableLimits.cell) text += piece
    },
    close(name) {
      if (name === 'si') strings.push(text.slice(0, tableLimits.cell))
      else if (name === 't') isText = false
      else if (name === 'rPh') isPhonetic = false
    },
  })
  return strings
}

/** The format of each style that cells refer to by number. */
async function readFormats(parts: XlsxParts): Promise<readonly CellFormat[]> {
  const formats: CellFormat[] = []
  const path = 'xl/styles.xml'
  if (!parts.has(path)) return formats
  const codes = new Map<number, string>()
  let isCells = false
  await parts.read(path, {
    open(name, { numFmtId = '0', formatCode }) {
      if (name === 'numFmt' && formatCode !== undefined) codes.set(Number(numFmtId), formatCode)
      else if (name === 'cellXfs') isCells = true
      else if (name === 'xf' && isCells) formats.push(formatOf(Number(numFmtId), codes.get(Number(numFmtId))))
    },
    close(name) {
      if (name === 'cellXfs') isCells = false
    },
  })
  return formats
}

interface Cell {
  readonly type: string
  readonly style: number
  text: string
}

const plain: CellFormat = { kind: 'plain' }

/** The number that a row has itself. Excel has 1,048,576 rows. */
const lineOf = (text: string): number | undefined => (/^[1-9]\d{0,6}$/.test(text) ? Number(text) : undefined)

export async function readXlsx(bytes: Buffer, table: TableBuilder): Promise<void> {
  const { XlsxParts } = await import('./xlsx-parts.ts') // parsers of ZIP and XML: 2 MB
  const parts = await XlsxParts.open(bytes)
  if (!parts.has(workbookPath)) throw new UnreadableFile('is a ZIP file, but not an XLSX file')
  const { sheetPath, is1904 } = await readWorkbook(parts)
  const strings = await readSharedStrings(parts)
  const formats = await readFormats(parts)
  const textOf = ({ type, style, text }: Cell): string => {
    if (type === 's') return strings[Number(text)] ?? ''
    if (type === 'b') return text === '1' ? 'TRUE' : 'FALSE'
    return type === 'n' ? cellText(text, formats[style] ?? plain, is1904) : text
  }
  let line = 0
  let cells: string[] = []
  let at = -1
  let cell: Cell | undefined
  let isValue = false
  let isPhonetic = false
  await parts.read(sheetPath, {
    open(name, { r = '', t = 'n', s = '0' }) {
      if (name === 'row') {
        line = lineOf(r) ?? line + 1
        table.countLine()
        cells = []
        at = -1
      } else if (name === 'c') {
        const index = columnIndex(r)
        at = index === -1 ? at + 1 : index
        cell = { type: t, style: Number(s), text: '' }
      } else if (name === 'v' || name === 't') isValue = !isPhonetic
      else if (name === 'rPh') isPhonetic = true
    },
    text(piece) {
      if (cell && isValue && cell.text.length < tableLimits.cell) cell.text += piece
    },
    close(name) {
      if (name === 'v' || name === 't') isValue = false
      else if (name === 'rPh') isPhonetic = false
      else if (name === 'c' && cell) {
        // Cells far to the right can only be styled; those with a text are a row that is too wide.
        const text = at <= tableLimits.columns ? textOf(cell) : ''
        if (text !== '') {
          while (cells.length < at) cells.push('')
          cells[at] = text
        }
        cell = undefined
      } else if (name === 'row' && cells.some(text => text.trim() !== ''))
        table.add(line, cells, { isRagged: true, hasBadQuotes: false })
    },
  })
}
