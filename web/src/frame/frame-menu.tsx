import type { ReactNode } from 'react'
import { Button as AriaButton } from 'react-aria-components/Button'
import { Menu, type MenuEntry } from '#ui/overlay/menu.tsx'

interface FrameMenuProps {
  /** Before what the button shows: “Your account”. */
  readonly label: string
  readonly className: string
  /** The content of the button. */
  readonly children: ReactNode
  readonly entries: readonly MenuEntry[]
}

export const FrameMenu = ({ label, className, children, entries }: FrameMenuProps) => (
  <Menu
    label={label}
    entries={entries}
    trigger={
      <AriaButton className={className}>
        <span className="sr-only">{label}:</span>
        {children}
      </AriaButton>
    }
  />
)
