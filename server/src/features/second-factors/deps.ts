import type { AccessDeps } from '#features/access/index.ts'
import type { Db } from '#kernel/db.ts'

export interface SecondFactorDeps extends AccessDeps {
  /** Of the vault. */
  readonly sealSecret: (secret: string, context: string) => Promise<Buffer>
  readonly openSecret: (sealed: Buffer, context: string) => Promise<string>
  /** Whether the account can sign in by single sign-on. */
  readonly hasSingleSignOn: (tx: Db, accountId: string) => Promise<boolean>
  /** Clears the cache of the authenticator in this process. */
  readonly onSessionChange: () => void
}
