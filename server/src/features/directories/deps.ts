import type { AssetDeps } from '#features/assets/index.ts'
import type { OnPeopleChange } from '#features/emails/index.ts'
import type { Db } from '#kernel/db.ts'
import type { Directories } from './directory.ts'

/** How a run of an imported file has ended. */
export interface ImportedRun {
  readonly importId: string
  readonly integrationId: string
  /** Null when it succeeded. */
  readonly error: string | null
  readonly seen: number
  readonly added: number
  readonly changed: number
  readonly reactivated: number
  readonly deactivated: number
}

export interface DirectoryDeps extends AssetDeps {
  readonly directories: Directories
  readonly openSecret: (sealed: Buffer, integrationId: string) => Promise<string>
  readonly onPeopleChange: OnPeopleChange
  /** Runs in the transaction that ends a run of an imported file. */
  readonly onImportedRun: (tx: Db, workspaceId: string, run: ImportedRun) => Promise<unknown>
}
