import type { Workspace } from '@signoff/sdk'

/** What every card of the page gets. */
export interface WorkspacePartProps {
  readonly draft: Workspace
  readonly change: (values: Partial<Workspace>) => void
  readonly isReadOnly: boolean
}
