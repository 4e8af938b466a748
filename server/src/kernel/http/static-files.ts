// Files that are the same for all clients: compressed once, kept in memory, with a hash in their names as the version.
import { hash } from 'node:crypto'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { brotliCompress, constants, createGunzip, gzip } from 'node:zlib'
import type { Answer, RequestClient } from '#kernel/api/routes.ts'

/** The uncompressed bytes are not kept: nearly every client accepts one of the two encodings. */
export interface StaticFile {
  readonly contentType: string
  readonly hash: string
  readonly br: Uint8Array
  readonly gzip: Uint8Array
}

/** Node compresses in its thread pool: no request is blocked. */
export async function compressFile(bytes: Buffer, contentType: string): Promise<StaticFile> {
  // Quality 11, the highest, takes ten times as long and saves a few per cent.
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
  const [br, zipped] = await Promise.all([
    promisify(brotliCompress)(bytes, { params }),
    promisify(gzip)(bytes, { level: 9 }),
  ])
  return { contentType, hash: hash('sha256', bytes).slice(0, 16), br, gzip: zipped }
}

const accepts = (sent: string, encoding: string): boolean =>
  sent
    .toLowerCase()
    .split(',')
    .map(part => part.split(';').map(word => word.trim()))
    .some(([name, quality]) => name === encoding && !/^q=0(\.0*)?$/.test(quality ?? ''))

const asBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength)

/** `immutable`: the hash is in the address, so browsers can cache the file for ever. */
export function staticAnswer(
  file: StaticFile,
  { headers }: Pick<RequestClient, 'headers'>,
  more: Readonly<Record<string, string>> = {},
  immutable = false,
): Answer {
  const sent = String(headers['accept-encoding'] ?? '').slice(0, 1_000)
  const encoding = (['br', 'gzip'] as const).find(name => accepts(sent, name))
  const body = encoding ? asBuffer(file[encoding]) : Readable.from([asBuffer(file.gzip)]).pipe(createGunzip())
  return {
    status: 200,
    body,
    headers: {
      'content-type': file.contentType,
      vary: 'accept-encoding',
      etag: `"${file.hash}"`,
      'cache-control': immutable ? 'public, max-age=31536000, immutable' : 'no-cache',
      ...(encoding && { 'content-encoding': encoding }),
      ...more,
    },
  }
}
