// The parts of an XLSX file, which is a ZIP file of XML documents. Declared and real sizes are both bounded.
import type { Readable } from 'node:stream'
import { SaxesParser } from 'saxes'
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl'
import { tableLimits, UnreadableFile } from './limits.ts'

interface XmlHandlers {
  /** `name` has no namespace prefix: some programs write `x:row`. */
  readonly open?: (name: string, attributes: Readonly<Record<string, string>>) => void
  readonly close?: (name: string) => void
  readonly text?: (text: string) => void
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

const damaged = (): UnreadableFile => new UnreadableFile('is not an XLSX file, or is damaged')
const tooLarge = (): UnreadableFile =>
  new UnreadableFile('is too large when it is unpacked', 'payload_too_large')

export class XlsxParts {
  readonly #zip: ZipFile
  readonly #entries: ReadonlyMap<string, Entry>
  #unpacked = 0

  private constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>) {
    this.#zip = zip
    this.#entries = entries
  }

  static async open(bytes: Buffer): Promise<XlsxParts> {
    try {
      const zip = await fromBufferPromise(bytes, { lazyEntries: true })
      if (zip.entryCount > tableLimits.parts) throw tooLarge()
      const entries = new Map<string, Entry>()
      for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry)
      return new XlsxParts(zip, entries)
    } catch (error) {
      throw error instanceof UnreadableFile ? error : damaged()
    }
  }

  has(path: string): boolean {
    return this.#entries.has(path)
  }

  /** Streams a document through the handlers. Entities other than those of XML itself are refused by the parser. */
  async read(path: string, handlers: XmlHandlers): Promise<void> {
    const entry = this.#entries.get(path)
    if (!entry || entry.isEncrypted()) throw damaged()
    if (this.#unpacked + entry.uncompressedSize > tableLimits.unpackedBytes) throw tooLarge()
    const parser = new SaxesParser()
    parser.on('error', () => {
      throw damaged()
    })
    parser.on('opentag', ({ name, attributes }) => handlers.open?.(localName(name), attributes))
    parser.on('closetag', ({ name }) => handlers.close?.(localName(name)))
    parser.on('text', text => handlers.text?.(text))
    parser.on('cdata', text => handlers.text?.(text))
    try {
      const stream: Readable = await this.#zip.openReadStreamPromise(entry)
      stream.setEncoding('utf8')
      for await (const chunk of stream) {
        this.#unpacked += Buffer.byteLength(chunk)
        if (this.#unpacked > tableLimits.unpackedBytes) throw tooLarge()
        parser.write(chunk)
      }
      parser.close()
    } catch (error) {
      throw error instanceof UnreadableFile ? error : damaged()
    }
  }
}
