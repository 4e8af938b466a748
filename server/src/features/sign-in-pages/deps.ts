// What the pages need from outside.
import type { Db } from '#kernel/db.ts'
import type { PageClient, ServeInner } from './calls.ts'
import type { Visitor } from './visit.ts'

/** A way in through the identity provider of a workspace. */
export interface SsoChoice {
  readonly name: string
  /** The path that leads to the provider. */
  readonly path: string
}

export interface SignInPageDeps {
  readonly publicUrl: string
  readonly sendsMail: boolean
  readonly hasPasskeys: boolean
  readonly inject: ServeInner
  /** The person whose session the request carries; null without one. */
  readonly visitorOf: (client: PageClient) => Promise<Visitor | null>
  /** The connections of the workspaces that an address belongs to. */
  readonly ssoChoicesFor: (db: Db, email: string) => Promise<readonly SsoChoice[]>
  readonly ssoChoicesIn: (db: Db, workspaceId: string) => Promise<readonly SsoChoice[]>
  /** The fixed address of the owner whose set-up link has this token; null when the owner chooses it. */
  readonly ownerOfSetup: (db: Db, token: string) => Promise<{ readonly email: string | null }>
}
