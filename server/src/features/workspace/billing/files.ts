// The files of documents. A key holds the hash of the content, so a file never changes.
import { hash } from 'node:crypto'
import { apiError } from '#kernel/base/errors.ts'

/** The part of the file store that documents use. */
export interface DocumentStore {
  put(key: string, bytes: Buffer, contentType: string): Promise<void>
  get(key: string): Promise<Buffer | undefined>
}

const pdfType = 'application/pdf'

/** As the column `file` keeps it; the address is made when it is read. */
export interface StoredDocumentFile {
  readonly filename: string
  readonly content_type: string
  readonly byte_size: number
}

export interface KeptFile {
  readonly file: StoredDocumentFile
  readonly sha256: string
}

const keyOf = (workspaceId: string, sha256: string): string => `${workspaceId}/documents/${sha256}.pdf`

/** Before the row is written: a row without its file must not exist. */
export async function keepFile(
  store: DocumentStore,
  workspaceId: string,
  filename: string,
  bytes: Buffer,
): Promise<KeptFile> {
  const sha256 = hash('sha256', bytes)
  await store.put(keyOf(workspaceId, sha256), bytes, pdfType)
  return { file: { filename, content_type: pdfType, byte_size: bytes.length }, sha256 }
}

/** An hour: only the operator can bring the file back, and clients that retry by themselves give up at once. */
const lostFile = (sha256: string) =>
  Object.assign(
    apiError('unavailable', {
      message:
        'The file of this document is lost or was changed: the operator has to restore it from a backup.',
      headers: { 'Retry-After': '3600' },
    }),
    { cause: new Error(`the file store lacks the bytes of the document with the hash ${sha256}`) },
  )

/** Throws when the store has lost the file, or has another one. */
export async function readKeptFile(
  store: DocumentStore,
  workspaceId: string,
  sha256: string,
): Promise<Buffer> {
  const bytes = await store.get(keyOf(workspaceId, sha256))
  if (!bytes || hash('sha256', bytes) !== sha256) throw lostFile(sha256)
  return bytes
}

/** Keeps the letters of a number that file systems and headers take as they are. */
export const filenameOf = (kind: 'invoice' | 'credit_note', number: string): string =>
  `${kind.replace('_', '-')}-${number.replace(/[^A-Za-z0-9._-]/g, '-').slice(0, 80)}.pdf`
