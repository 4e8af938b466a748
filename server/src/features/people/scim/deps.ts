import type { OnPeopleChange } from '#features/workspace/emails/index.ts'

export interface ScimDeps {
  readonly publicUrl: string
  readonly onPeopleChange: OnPeopleChange
}
