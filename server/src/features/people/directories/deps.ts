import type { AssetDeps } from '#features/content/assets/index.ts'
import type { OnPeopleChange } from '#features/workspace/emails/index.ts'
import type { Db } from '#kernel/db/db.ts'
import type { Directories } from './directory.ts'

/** A line of a file that made no teammate and changed none, and the reason. */
export interface RefusedLine {
  readonly line: number
  readonly kind: 'conflict' | 'unusable' | 'no_seat'
  /** `address`, `aliases`, or the name of the column; null: the whole line. */
  readonly field: string | null
  readonly message: string
}

/** The end of a run of an imported file. */
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
