import type { AssetDeps } from '#features/content/assets/index.ts'
import type { OnPeopleChange } from '#features/workspace/emails/index.ts'
import type { Db } from '#kernel/db/db.ts'
import type { Directories } from './directory.ts'

/** Why a line of a file made no teammate, and changed none. */
export interface RefusedLine {
  readonly line: number
  readonly kind: 'conflict' | 'unusable' | 'no_seat'
  /** `address`, `aliases`, or the name of the column; null: the whole line. */
  readonly field: string | null
  readonly message: string
}

/** How a run of an imported file has ended. */
export interface ImportedRun {
  readonly importId: string
  readonly integrationId: string
  /** Null when it succeeded. */
  readonly error: string | null
  readonly added: number
  readonly changed: number
  readonly reactivated: number
  readonly deactivated: number
  readonly refused: readonly RefusedLine[]
}

export interface DirectoryDeps extends AssetDeps {
  readonly directories: Directories
  readonly openSecret: (sealed: Buffer, integrationId: string) => Promise<string>
  readonly onPeopleChange: OnPeopleChange
  /** Runs in the transaction that ends a run of an imported file. */
  readonly onImportedRun: (tx: Db, workspaceId: string, run: ImportedRun) => Promise<unknown>
}
