// Files that the browser saves.

export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}

/** A text that begins with one of these would be a formula in a spreadsheet. */
const formula = /^[=+\-@\t\r]/
/** Phone numbers begin with a plus and are no formulas. */
const plainNumber = /^[+-]?[\d\s().\-/]+$/

interface CellOptions {
  /** Texts such as `+49 30 123` get no apostrophe. */
  readonly keepsNumbers?: boolean
}

export function csvCell(value: string | number, { keepsNumbers = false }: CellOptions = {}): string {
  const isFormula = typeof value === 'string' && formula.test(value)
  const text = isFormula && !(keepsNumbers && plainNumber.test(value)) ? `'${value}` : String(value)
  return /[",;\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Spreadsheets take the byte order mark as the sign of UTF-8. */
export const csvOf = (rows: readonly (readonly (string | number)[])[], delimiter: ',' | ';' = ','): Blob =>
  new Blob(['\uFEFF', ...rows.map(row => `${row.map(value => csvCell(value)).join(delimiter)}\r\n`)], {
    type: 'text/csv',
  })
