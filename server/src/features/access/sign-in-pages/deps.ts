// What the pages need from outside.
import type { AccessDeps } from '#features/access/access/index.ts'
import type { Db } from '#kernel/db/db.ts'
import type { ServeInner } from './calls.ts'

/** A way in through the identity provider of a workspace. */
export interface SsoChoice {
  readonly name: string
  /** The path that leads to the provider. */
  readonly path: string
}

export interface SignInPageDeps {
  readonly access: AccessDeps
  /** False where browsers make no passkeys, because the public URL has no host name. */
  readonly hasPasskeys: boolean
  readonly inject: ServeInner
  /** Clears the cache of the authenticator in this process. */
  readonly onSessionChange: () => void
  /** The connections for the domain of an address, in all workspaces. */
  readonly ssoChoicesFor: (db: Db, email: string) => Promise<readonly SsoChoice[]>
  /** True if any workspace has a connection. */
  readonly hasSso: (db: Db) => Promise<boolean>
  readonly ssoChoicesIn: (db: Db, workspaceId: string) => Promise<readonly SsoChoice[]>
}
