import { hash } from 'node:crypto'

/** Where bytes are kept. */
export interface FileStore {
  put(key: string, bytes: Buffer, contentType: string): Promise<void>
  get(key: string): Promise<Buffer | undefined>
  has(key: string): Promise<boolean>
  delete(key: string): Promise<void>
}

export const contentHash = (bytes: Buffer): string => hash('sha256', bytes)

/** By workspace and content: the same picture sent twice is kept once, and a file never changes. */
export const originalKey = (workspaceId: string, contentHash: string): string =>
  `${workspaceId}/${contentHash.slice(0, 2)}/${contentHash}`

export const renditionKey = (workspaceId: string, contentHash: string, name: string): string =>
  `${originalKey(workspaceId, contentHash)}-${name}`
