import { Button as AriaButton } from 'react-aria-components/Button'
import { Menu } from '../ui/menu.tsx'
import type { FrameMenuProps } from './lazy-menu.tsx'

/** Opens as soon as it is loaded: the person has pressed the button already. */
export default function FrameMenu({ label, className, children, menuLabel, entries }: FrameMenuProps) {
  const trigger = (
    <AriaButton className={className}>
      <span className="sr-only">{label}:</span>
      {children}
    </AriaButton>
  )
  return <Menu isOpenAtFirst label={menuLabel} trigger={trigger} entries={entries} />
}
