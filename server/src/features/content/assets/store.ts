import type { Readable } from 'node:stream'

export interface StoredFile {
  /** Undefined when the store does not report a size. */
  readonly size: number | undefined
  readonly stream: Readable
}

/** Storage for the bytes of files. */
export interface FileStore {
  put(key: string, bytes: Buffer, contentType: string): Promise<void>
  get(key: string): Promise<Buffer | undefined>
  /** The caller must read or destroy the stream. */
  open(key: string): Promise<StoredFile | undefined>
  has(key: string): Promise<boolean>
  delete(key: string): Promise<void>
}

/** The key is workspace and content hash: the same picture is stored once, and a stored file never changes. */
export const originalKey = (workspaceId: string, contentHash: string): string =>
  `${workspaceId}/${contentHash.slice(0, 2)}/${contentHash}`

export const renditionKey = (workspaceId: string, contentHash: string, name: string): string =>
  `${originalKey(workspaceId, contentHash)}-${name}`
