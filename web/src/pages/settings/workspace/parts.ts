import type { Workspace } from '@signoff/sdk'

/** Props of every card of the page. */
export interface WorkspacePartProps {
  readonly draft: Workspace
  readonly change: (values: Partial<Workspace>) => void
  readonly isReadOnly: boolean
}
