import type { AccessDeps, WaysInDeps } from '#features/access/access/index.ts'

export interface SecondFactorDeps extends AccessDeps, WaysInDeps {
  /** Functions of the vault. */
  readonly sealSecret: (secret: string, context: string) => Promise<Buffer>
  readonly openSecret: (sealed: Buffer, context: string) => Promise<string>
  /** Clears the cache of the authenticator in this process. */
  readonly onSessionChange: () => void
}
