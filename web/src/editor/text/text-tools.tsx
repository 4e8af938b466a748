import { TextMenu } from './text-menu.tsx'
import type { TextSession } from './text-session.ts'
import { TextToolbar } from './text-toolbar.tsx'

/** What stands around the text that is edited. It comes before the text on the page: Shift+Tab leads to the toolbar. */
export const TextTools = ({ session }: { readonly session: TextSession }) => (
  <>
    <TextToolbar session={session} />
    <TextMenu session={session} />
  </>
)
