// Public addresses: /files/<workspace>/<token>.png. The token cannot be guessed. The workspace is in the address so
// that the look-up stays within one workspace.
import { randomBytes } from 'node:crypto'

/** Gives keys for a purpose; the vault of platform/secrets.ts implements it. */
export interface KeyDeriver {
  derive(context: string, bytes: number): Promise<readonly Buffer[]>
}

/** 128 random bits. */
export const newAddressToken = (): string => randomBytes(16).toString('base64url')
export const newSecret = (): Buffer => randomBytes(16)

/** The form of a workspace id in addresses. */
export const encodeWorkspaceId = (workspaceId: string): string =>
  Buffer.from(workspaceId.replaceAll('-', ''), 'hex').toString('base64url')

/** The beginning of the addresses of all files of a workspace. */
export const filesAddress = (publicUrl: string, workspaceId: string): string =>
  `${publicUrl}/files/${encodeWorkspaceId(workspaceId)}/`

/** Undefined unless the text is exactly what `encodeWorkspaceId` makes. */
export function decodeWorkspaceId(text: string): string | undefined {
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.length !== 16 || bytes.toString('base64url') !== text) return undefined
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

export const tokenPattern = /^[\w-]{22}$/
export const extensionOf = (contentType: string): string => contentType.slice('image/'.length)
