// Writes small XLSX files for tests.
import { crc32, deflateRawSync } from 'node:zlib'

export interface ZipPart {
  readonly name: string
  readonly content: string
  /** The size that the file declares, instead of the real one. */
  readonly declaredSize?: number
}

/** A ZIP file as the specification demands: local headers with data, then the directory. */
export function zipOf(parts: readonly ZipPart[]): Buffer {
  const locals: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, content, declaredSize } of parts) {
    const bytes = Buffer.from(content)
    const packed = deflateRawSync(bytes)
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(20, 0) // version
    fields.writeUInt16LE(8, 4) // deflate
    fields.writeUInt32LE(crc32(bytes), 10)
    fields.writeUInt32LE(packed.length, 14)
    fields.writeUInt32LE(declaredSize ?? bytes.length, 18)
    fields.writeUInt16LE(name.length, 22)
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), fields, Buffer.from(name), packed])
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(offset, 10)
    directory.push(Buffer.concat([Buffer.from('PK\u0001\u0002\u0014\0'), fields, rest, Buffer.from(name)]))
    locals.push(local)
    offset += local.length
  }
  const entries = Buffer.concat(directory)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(parts.length, 4)
  end.writeUInt16LE(parts.length, 6)
  end.writeUInt32LE(entries.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...locals, entries, Buffer.from('PK\u0005\u0006'), end])
}

const xml = (content: string): string => `<?xml version="1.0" encoding="UTF-8"?>\n${content}`

const workbook = xml(
  '<workbook xmlns:r="r"><sheets><sheet name="Old" state="hidden" r:id="rId1"/><sheet name="People" r:id="rId2"/></sheets></workbook>',
)
const sheetPath = 'xl/worksheets/sheet1.xml'
const relationsTo = (target: string): string =>
  xml(
    `<Relationships><Relationship Id="rId1" Target="worksheets/none.xml"/><Relationship Id="rId2" Target="${target}"/></Relationships>`,
  )
/** Style 1 is a date, style 2 shows five digits. */
const styles = xml(
  '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="00000"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/></cellXfs></styleSheet>',
)

/** `rows` are elements of the sheet; `strings` are the texts that cells refer to by number. */
export const xlsxOf = (
  rows: string,
  strings: readonly string[] = [],
  {
    declaredSize,
    target = `/${sheetPath}`,
  }: Pick<ZipPart, 'declaredSize'> & { readonly target?: string } = {},
): Buffer =>
  zipOf([
    { name: 'xl/workbook.xml', content: workbook },
    { name: 'xl/_rels/workbook.xml.rels', content: relationsTo(target) },
    { name: 'xl/styles.xml', content: styles },
    {
      name: 'xl/sharedStrings.xml',
      content: xml(
        `<sst>${strings.map(text => `<si><t xml:space="preserve">${text}</t></si>`).join('')}</sst>`,
      ),
    },
    {
      name: sheetPath,
      content: xml(`<worksheet><sheetData>${rows}</sheetData></worksheet>`),
      ...(declaredSize !== undefined && { declaredSize }),
    },
  ])
