// Collects the rows of a file: its columns, its problems by line, and its rows in compressed batches.
import { deflateSync } from 'node:zlib'
import { isEmailAddress } from '#kernel/api/validation.ts'
import { comparisonKey } from '#kernel/db/text.ts'
import { type GuessField, guessMapping } from './guess.ts'
import { tableLimits, UnreadableFile } from './limits.ts'

export const addressKey = 'email'

export type LineProblemCode = 'missing' | 'invalid' | 'duplicate' | 'wrong_cell_count' | 'too_long'

export interface LineProblem {
  readonly line: number
  /** The name of the column; null for a problem of the whole line. */
  readonly column: string | null
  readonly code: LineProblemCode
  readonly message: string
}

export interface TableRow {
  readonly line: number
  readonly cells: readonly string[]
  /** The reason why no cell of this row can be trusted. */
  readonly problem?: string
  readonly problemCode?: LineProblemCode
}

export interface TableColumn {
  readonly name: string
  readonly examples: readonly string[]
}

/** Smart field keys by column; null leaves a column out. */
export type ColumnMapping = Readonly<Record<string, string | null>>

export interface TableContents {
  readonly columns: readonly TableColumn[]
  readonly guessedMapping: ColumnMapping
  readonly rowCount: number
  readonly firstRows: readonly TableRow[]
  readonly problems: readonly LineProblem[]
  readonly problemCount: number
  /** The rows as compressed JSON: see `unpackRows`. */
  readonly batches: readonly Uint8Array[]
}

interface RowTraits {
  /** Rows of a spreadsheet end with their last cell; lines of a CSV file have all cells. */
  readonly isRagged: boolean
  readonly hasBadQuotes: boolean
}

/** Rows that are read before the column of the addresses is chosen. */
const rowsBeforeGuess = 100

/** PostgreSQL cannot store NUL and lone surrogates. */
const storable = (cell: string): string => {
  const text = cell.length > tableLimits.cell ? cell.slice(0, tableLimits.cell) : cell
  return (text.includes('\0') ? text.replaceAll('\0', '') : text).toWellFormed()
}

const tooManyRows = (): UnreadableFile =>
  new UnreadableFile(`has more than ${tableLimits.rows.toLocaleString('en')} rows`, 'too_many')

/** The start of a cell, for people who look at the first rows. */
const shortened = (cell: string): string =>
  cell.length > tableLimits.shownCell ? `${cell.slice(0, tableLimits.shownCell).toWellFormed()}…` : cell

/** Unique names: blank ones become `Column 3`, and the second `Phone` becomes `Phone (2)`. */
function uniqueNames(header: readonly string[]): string[] {
  const used = new Set<string>()
  return header.map((cell, index) => {
    const base = cell.trim().slice(0, tableLimits.columnName).toWellFormed() || `Column ${index + 1}`
    let name = base
    for (let n = 2; used.has(name); n++) name = `${base} (${n})`
    used.add(name)
    return name
  })
}

export class TableBuilder {
  readonly #fields: readonly GuessField[]
  #names: string[] | undefined
  #mapping: ColumnMapping | undefined
  #addressColumn = -1
  readonly #waiting: TableRow[] = []
  readonly #firstRows: TableRow[] = []
  readonly #examples: string[][] = []
  readonly #addresses = new Set<string>()
  readonly #problems: LineProblem[] = []
  #problemCount = 0
  #rowCount = 0
  #lineCount = 0
  #characters = 0
  #batch: TableRow[] = []
  #batchCharacters = 0
  readonly #batches: Uint8Array[] = []

  constructor(fields: readonly GuessField[]) {
    this.#fields = fields
  }

  /** The first row has the names of the columns. */
  add(line: number, sent: readonly string[], { isRagged, hasBadQuotes }: RowTraits): void {
    if (!this.#names) {
      this.#addHeader(sent)
      return
    }
    if (++this.#rowCount > tableLimits.rows) throw tooManyRows()
    const width = this.#names.length
    const filled = 1 + sent.findLastIndex(cell => cell.trim() !== '')
    const cells = Array.from({ length: width }, (_, index) => storable(sent[index] ?? ''))
    const characters = cells.reduce((sum, cell) => sum + cell.length, width)
    this.#characters += characters
    if (this.#characters > tableLimits.characters) throw new UnreadableFile('has too much text')
    const hasWrongCount = filled > width || (!isRagged && sent.length < width)
    const problem = hasWrongCount
      ? `the line has ${sent.length} cells, and the first line has ${width}`
      : hasBadQuotes
        ? 'a quote in the line is not written as CSV demands'
        : undefined
    const problemCode: LineProblemCode = hasWrongCount ? 'wrong_cell_count' : 'invalid'
    const row = { line, cells, ...(problem && { problem, problemCode }) }
    if (problem) this.#report({ line, column: null, code: problemCode, message: problem })
    if (this.#mapping) this.#check(row)
    else if (this.#waiting.push(row) === rowsBeforeGuess) this.#guess()
    if (this.#firstRows.length < tableLimits.firstRows)
      this.#firstRows.push({ ...row, cells: cells.map(shortened) })
    this.#store(row, characters)
  }

  /** Counts a line or row of the file, also a blank one: a small file can have many millions of them. */
  countLine(): void {
    if (++this.#lineCount > tableLimits.lines) throw tooManyRows()
  }

  finish(): TableContents {
    if (!this.#names) throw new UnreadableFile('has no rows', 'blank')
    if (!this.#mapping) this.#guess()
    this.#flush()
    return {
      columns: this.#names.map((name, index) => ({ name, examples: this.#examples[index] ?? [] })),
      guessedMapping: this.#mapping ?? {},
      rowCount: this.#rowCount,
      firstRows: this.#firstRows,
      problems: this.#problems.sort((a, b) => a.line - b.line),
      problemCount: this.#problemCount,
      batches: this.#batches,
    }
  }

  #addHeader(sent: readonly string[]): void {
    const header = sent.slice(0, 1 + sent.findLastIndex(cell => cell.trim() !== ''))
    if (header.length > tableLimits.columns)
      throw new UnreadableFile(`has more than ${tableLimits.columns} columns`, 'too_many')
    this.#names = uniqueNames(header)
    this.#examples.push(...header.map(() => []))
  }

  /** Chooses a smart field for each column, and checks the rows that waited for it. */
  #guess(): void {
    const names = this.#names ?? []
    const rows = this.#waiting.splice(0)
    this.#mapping = guessMapping(
      names.map((name, index) => ({ name, cells: rows.map(({ cells }) => cells[index] ?? '') })),
      this.#fields,
    )
    this.#addressColumn = names.findIndex(name => this.#mapping?.[name] === addressKey)
    if (this.#addressColumn === -1)
      this.#report({
        line: 1,
        column: null,
        code: 'missing',
        message: 'no column with the addresses of people was recognized; choose it in `mapping`',
      })
    for (const row of rows) this.#check(row)
  }

  #check({ line, cells, problem }: TableRow): void {
    for (const [index, cell] of cells.entries()) {
      this.#addExample(index, cell)
      const column = this.#names?.[index] ?? ''
      if (cell.length >= tableLimits.cell && this.#mapping?.[column])
        this.#report({ line, column, code: 'too_long', message: 'the cell has more than 5,000 characters' })
    }
    if (this.#addressColumn !== -1 && !problem) this.#checkAddress(line, cells[this.#addressColumn] ?? '')
  }

  #addExample(index: number, cell: string): void {
    const examples = this.#examples[index]
    if (!examples || examples.length === tableLimits.examples) return
    const example = cell.trim().slice(0, 200).toWellFormed()
    if (example !== '' && !examples.includes(example)) examples.push(example)
  }

  #checkAddress(line: number, cell: string): void {
    const column = this.#names?.[this.#addressColumn] ?? null
    const address = cell.trim()
    const key = comparisonKey(address)
    if (address === '') this.#report({ line, column, code: 'missing', message: 'the line has no address' })
    else if (!isEmailAddress(address)) {
      const start = address.slice(0, 100).toWellFormed()
      this.#report({ line, column, code: 'invalid', message: `${start} is not an email address` })
    } else if (this.#addresses.has(key))
      this.#report({ line, column, code: 'duplicate', message: `${address} is in an earlier line too` })
    else this.#addresses.add(key)
  }

  #report(problem: LineProblem): void {
    this.#problemCount++
    if (this.#problems.length < tableLimits.problems) this.#problems.push(problem)
  }

  #store(row: TableRow, characters: number): void {
    const isFull =
      this.#batch.length === tableLimits.batch ||
      this.#batchCharacters + characters > tableLimits.batchCharacters
    if (isFull) this.#flush()
    this.#batch.push(row)
    this.#batchCharacters += characters
  }

  #flush(): void {
    if (this.#batch.length > 0) this.#batches.push(deflateSync(JSON.stringify(this.#batch)))
    this.#batch = []
    this.#batchCharacters = 0
  }
}
