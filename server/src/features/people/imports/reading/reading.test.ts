import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { xlsxOf, zipOf } from '#test/support/files/xlsx.ts'
import { unpackRows } from '../rows.ts'
import type { GuessField } from './guess.ts'
import { type ReadFile, readTable } from './read-table.ts'
import type { TableRow } from './table.ts'

const fields: readonly GuessField[] = [
  { key: 'first_name', label: 'First name', isAddress: false },
  { key: 'last_name', label: 'Last name', isAddress: false },
  { key: 'job_title', label: 'Job title', isAddress: false },
  { key: 'work_phone', label: 'Work phone', isAddress: false },
  { key: 'mobile_phone', label: 'Mobile phone', isAddress: false },
  { key: 'profile_picture', label: 'Profile picture', isAddress: false },
  { key: 'email', label: 'Email', isAddress: true },
  { key: 'kostenstelle', label: 'Kostenstelle', isAddress: false },
  { key: 'constructor', label: 'Constructor', isAddress: false },
]

const read = (bytes: Buffer): Promise<ReadFile> => readTable({ bytes, transfer: 'bytes' }, fields)
const readText = (text: string): Promise<ReadFile> => read(Buffer.from(text))

async function rowsOf({ batches }: ReadFile): Promise<readonly TableRow[]> {
  return (await Promise.all(batches.map(batch => unpackRows(Buffer.from(batch))))).flat()
}

const encodings = {
  'utf-8': text => Buffer.from(text),
  'utf-8 with a mark': text => Buffer.from(`\ufeff${text}`),
  'utf-16le': text => Buffer.from(`\ufeff${text}`, 'utf16le'),
  'utf-16be': text => Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
  'windows-1252': text => Buffer.from(text, 'latin1'),
} satisfies Record<string, (text: string) => Buffer>

/** Letters that Latin-1 and Windows-1252 write alike, and whose bytes are never valid UTF-8. */
const letters = [...'abz09 .@-+=\'"",,;;\täöüß', '\n', '\r\n']
const wideLetters = [...letters, '漢', '😀', 'Ω']

interface TableCase {
  readonly encoding: keyof typeof encodings
  readonly delimiter: string
  readonly newline: string
  readonly quotesAll: boolean
  readonly table: readonly (readonly string[])[]
}

const tableCase: fc.Arbitrary<TableCase> = fc
  .record({
    encoding: fc.constantFrom(...(Object.keys(encodings) as (keyof typeof encodings)[])),
    width: fc.integer({ min: 1, max: 5 }),
    delimiter: fc.constantFrom(',', ';', '\t'),
    newline: fc.constantFrom('\n', '\r\n', '\r'),
    quotesAll: fc.boolean(),
  })
  .chain(({ encoding, width, ...rest }) => {
    const alphabet = encoding === 'windows-1252' ? letters : wideLetters
    const cell = fc.string({ unit: fc.constantFrom(...alphabet), maxLength: 12 })
    const row = fc.array(cell, { minLength: width, maxLength: width })
    return fc
      .array(row, { maxLength: 12 })
      .map(table => ({ encoding, table: [header(width), ...table], ...rest }))
  })

const header = (width: number): string[] => Array.from({ length: width }, (_, n) => `Spalte ä${n}`)

const writeCsv = ({ table, delimiter, newline, quotesAll }: TableCase): string =>
  table
    .map(row =>
      row
        .map(cell => (quotesAll || /[",;\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
        .join(delimiter),
    )
    .join(newline)

const normalized = (cell: string): string => cell.replace(/\r\n?/g, '\n')

describe('a CSV file', () => {
  it('has the same cells, at the same lines, in every encoding and with every delimiter', async () => {
    await fc.assert(
      fc.asyncProperty(tableCase, async sent => {
        let line = 1
        const lines = sent.table.map(cells => {
          const at = line
          line += 1 + cells.map(normalized).join('').split('\n').length - 1
          return { line: at, cells: cells.map(normalized) }
        })
        const table = await read(encodings[sent.encoding](writeCsv(sent)))
        expect(table.columns.map(column => column.name)).toEqual(sent.table[0])
        const expected = lines.slice(1).filter(({ cells }) => cells.some(cell => cell.trim() !== ''))
        expect(await rowsOf(table)).toEqual(expected)
      }),
      { numRuns: 300 },
    )
  })

  it('of a German Excel is understood: code page, semicolons, names of columns, problems by line', async () => {
    const text = 'E-Mail;Vorname;Familienname;Jobtitle;Mobil;Foto-URL;Kostenstelle;Notiz\r\n'
    const rows = [
      'ada@example.com;Ada;M\xfcller;\x84Chefin\x93;0170;;4711;\x80',
      'kein;B;;;;;;',
      '',
      'ADA@example.com;C;;;;;;',
      'd@example.com;D',
      'e@example.com;E;;;;;;;zu viel',
      ';F;;;;;;',
    ]
    const table = await read(Buffer.from(text + rows.join('\r\n'), 'latin1'))
    expect(table).toMatchObject({ format: 'csv', encoding: 'windows-1252', delimiter: ';', rowCount: 6 })
    expect(table.guessedMapping).toEqual({
      'E-Mail': 'email',
      Vorname: 'first_name',
      Familienname: 'last_name',
      Jobtitle: 'job_title',
      Mobil: 'mobile_phone',
      'Foto-URL': 'profile_picture',
      Kostenstelle: 'kostenstelle',
      Notiz: null,
    })
    expect((await rowsOf(table))[0]?.cells).toEqual(
      'ada@example.com;Ada;Müller;„Chefin“;0170;;4711;€'.split(';'),
    )
    expect(table.problems.map(({ line, column, code }) => [line, column, code])).toEqual([
      [3, 'E-Mail', 'invalid'],
      [5, 'E-Mail', 'duplicate'],
      [6, null, 'wrong_cell_count'],
      [7, null, 'wrong_cell_count'],
      [8, 'E-Mail', 'missing'],
    ])
  })

  it('gets unique names of columns, and its addresses are recognized without a name', async () => {
    const table = await readText('sep=;\nPhone;Phone;;Wer\n1;2;3;a@example.com\n4;5;6;b@example.com\n')
    expect(table.guessedMapping).toEqual({
      Phone: 'work_phone',
      'Phone (2)': null,
      'Column 3': null,
      Wer: 'email',
    })
    expect(table.firstRows.map(row => row.line)).toEqual([3, 4])
  })

  it('shows only the beginning of long cells among its first rows', async () => {
    const table = await readText(`email,Notiz\na@example.com,${'x'.repeat(5_000)}`)
    expect(table.firstRows[0]?.cells[1]).toBe(`${'x'.repeat(200)}…`)
    expect((await rowsOf(table))[0]?.cells[1]).toHaveLength(5_000)
  })

  it('that is no table, or exceeds a limit, is refused with the reason', async () => {
    const refused: readonly (readonly [Buffer | string, string])[] = [
      ['', 'has no rows'],
      ['a,b\n"1,2\n3,4', 'has a quote in line 2 that does not end'],
      [Array.from({ length: 201 }, (_, n) => `c${n}`).join(','), 'has more than 200 columns'],
      [`a\n${'x\n'.repeat(200_001)}`, 'has more than 200,000 rows'],
      ['\n'.repeat(400_001), 'has more than 200,000 rows'],
      [Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 13]), 'is not a table'],
      [Buffer.alloc(20 * 1024 * 1024 + 1, 'x'), 'is larger than 20 MB'],
    ]
    for (const [file, message] of refused) await expect(read(Buffer.from(file))).rejects.toThrow(message)
  })
})

describe('an XLSX file', () => {
  const head =
    '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="inlineStr"><is><t>PLZ</t></is></c></row>'

  it('shows texts, numbers and dates as Excel does, of the first visible sheet', async () => {
    const rows = `${head}
      <row r="3"><c r="A3" t="s"><v>2</v></c><c r="B3" t="s"><v>3</v></c><c r="C3" s="2"><v>1067</v></c></row>
      <row r="4"><c r="B4"><v>491701234567</v></c><c r="C4" s="1"><v>46343.5</v></c></row>
      <row r="5"><c r="A5" t="str"><f>B1</f><v>x</v></c><c r="B5"><v>0.30000000000000004</v></c><c r="C5" t="b"><v>1</v></c></row>
      <row r="6"><c r="A6" t="s"><v>4</v></c></row>`
    const strings = ['E-Mail', 'Telefon', 'a@example.com', '0170 001', '  ']
    const table = await read(xlsxOf(rows, strings))
    expect(table).toMatchObject({ format: 'xlsx', encoding: null, delimiter: null })
    expect(table.guessedMapping).toEqual({ 'E-Mail': 'email', Telefon: 'work_phone', PLZ: null })
    expect(await rowsOf(table)).toEqual([
      { line: 3, cells: ['a@example.com', '0170 001', '01067'] },
      { line: 4, cells: ['', '491701234567', '2026-11-17 12:00:00'] },
      { line: 5, cells: ['x', '0.3', 'TRUE'] },
    ])
  })

  it('has its rows counted where their own numbers are none', async () => {
    const rows = ['Infinity', '1e300', '1.5', '-5', '9'].map(
      number => `<row r="${number}"><c t="inlineStr"><is><t>x</t></is></c></row>`,
    )
    const table = await read(xlsxOf(`${head}${rows.join('')}`, ['E-Mail', 'Telefon']))
    expect((await rowsOf(table)).map(({ line }) => line)).toEqual([2, 3, 4, 5, 9])
  })

  it('that unpacks to too much, or to more than it declares, is refused', async () => {
    const gigabyte = 1024 ** 3
    await expect(read(xlsxOf(head, ['a', 'b'], { declaredSize: gigabyte }))).rejects.toThrow(
      'too large when it is unpacked',
    )
    await expect(
      read(xlsxOf(head + ' '.repeat(1_000_000), ['a', 'b'], { declaredSize: 500 })),
    ).rejects.toThrow('damaged')
    const repeated = `<row>${'<c t="s"><v>1</v></c>'.repeat(200)}</row>`
    const bomb = xlsxOf(repeated.repeat(100), ['E-Mail', 'x'.repeat(5_000)])
    expect(bomb.length).toBeLessThan(20_000)
    await expect(read(bomb)).rejects.toThrow('has too much text')
    await expect(read(zipOf([{ name: 'a.txt', content: 'x' }]))).rejects.toThrow('not an XLSX file')
    await expect(read(xlsxOf('<row/>'.repeat(400_001)))).rejects.toThrow('has more than 200,000 rows')
    const away = xlsxOf(head, ['a', 'b'], { target: 'http://[' })
    await expect(read(away)).rejects.toThrow('is damaged')
    const entities =
      '<!DOCTYPE x [<!ENTITY a "aaaa">]><row r="2"><c t="inlineStr"><is><t>&a;</t></is></c></row>'
    await expect(read(xlsxOf(entities))).rejects.toThrow('damaged')
  })
})
