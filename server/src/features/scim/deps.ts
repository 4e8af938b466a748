import type { OnPeopleChange } from '#features/emails/index.ts'

export interface ScimDeps {
  readonly publicUrl: string
  readonly onPeopleChange: OnPeopleChange
}
