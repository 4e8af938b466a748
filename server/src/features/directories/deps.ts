import type { AssetDeps } from '#features/assets/index.ts'
import type { OnPeopleChange } from '#features/emails/index.ts'
import type { Directories } from './directory.ts'

export interface DirectoryDeps extends AssetDeps {
  readonly directories: Directories
  readonly openSecret: (sealed: Buffer, integrationId: string) => Promise<string>
  readonly onPeopleChange: OnPeopleChange
}
