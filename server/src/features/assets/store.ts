import type { Readable } from 'node:stream'

export interface StoredFile {
  /** Undefined where the store does not tell. */
  readonly size: number | undefined
  readonly stream: Readable
}

/** Where bytes are kept. */
export interface FileStore {
  put(key: string, bytes: Buffer, contentType: string): Promise<void>
  get(key: string): Promise<Buffer | undefined>
  /** To be read, or destroyed. */
  open(key: string): Promise<StoredFile | undefined>
  has(key: string): Promise<boolean>
  delete(key: string): Promise<void>
}

/** By workspace and content: the same picture sent twice is kept once, and a file never changes. */
export const originalKey = (workspaceId: string, contentHash: string): string =>
  `${workspaceId}/${contentHash.slice(0, 2)}/${contentHash}`

export const renditionKey = (workspaceId: string, contentHash: string, name: string): string =>
  `${originalKey(workspaceId, contentHash)}-${name}`
