import type { AccessDeps } from '#features/access/access/index.ts'
import type { ProviderFetch } from './outgoing.ts'

export interface SsoDeps {
  readonly publicUrl: string
  readonly fetchPublic: ProviderFetch
  /** A phrase that follows "the address …" when `fetchPublic` would never reach it. */
  readonly addressProblem: (url: string) => string | undefined
  readonly sealSecret: (secret: string, connectionId: string) => Promise<Buffer>
  readonly openSecret: (sealed: Buffer, connectionId: string) => Promise<string>
  readonly access: AccessDeps
}

export interface SsoRouteDeps extends SsoDeps {
  /** Clears the cache of the authenticator in this process: sessions or roles have changed. */
  readonly onSessionChange: () => void
}
