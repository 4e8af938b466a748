import type { RefObject } from 'react'
import { Menu as AriaMenu, MenuItem } from 'react-aria-components/Menu'
import { Popover } from 'react-aria-components/Popover'
import { Separator } from 'react-aria-components/Separator'
import { classes, optionClasses, popoverFrame } from '../base/classes.ts'
import { Icon, type IconName } from '../base/icon.tsx'
import { menuPlacement } from './menu-placement.ts'

export interface MenuEntry {
  readonly id: string
  readonly label: string
  readonly icon?: IconName
  readonly hint?: string
  readonly isDangerous?: boolean
  readonly isChosen?: boolean
  /** A line above, unless it is the first. */
  readonly beginsGroup?: boolean
  readonly onAction?: () => void
  readonly href?: string
}

export interface MenuListProps {
  readonly label: string
  readonly entries: readonly MenuEntry[]
  readonly triggerRef: RefObject<HTMLButtonElement | null>
  /** The entry that is focused at first; `true`: the menu itself. */
  readonly focus: 'first' | 'last' | true
  readonly onClose: () => void
}

const placementAt = (trigger: Element | null) =>
  trigger
    ? menuPlacement(trigger.getBoundingClientRect(), innerWidth, document.dir === 'rtl')
    : 'bottom start'

/** The open menu. */
export const MenuList = ({ label, entries, triggerRef, focus, onClose }: MenuListProps) => (
  <Popover
    isOpen
    onOpenChange={open => open || onClose()}
    trigger="MenuTrigger"
    triggerRef={triggerRef}
    placement={placementAt(triggerRef.current)}
    aria-label={label}
    className={popoverFrame}
  >
    <AriaMenu aria-label={label} autoFocus={focus} onClose={onClose} className="min-w-44 outline-none">
      {entries.flatMap(
        ({ id, label: text, icon, hint, isDangerous, isChosen, beginsGroup, onAction, href }, index) => [
          beginsGroup && index > 0 && <Separator key={`${id}-line`} className="my-1 border-t border-line" />,
          <MenuItem
            key={id}
            id={id}
            textValue={text}
            {...(onAction && { onAction })}
            {...(href !== undefined && { href })}
            className={classes(optionClasses, isDangerous && 'text-bad')}
          >
            {icon && <Icon name={icon} className={isDangerous ? '' : 'text-muted'} />}
            <span className="flex-1">
              <span className="block">{text}</span>
              {hint && <span className="block text-xs text-muted">{hint}</span>}
            </span>
            {isChosen && <Icon name="check" size={14} className="text-accent" />}
          </MenuItem>,
        ],
      )}
    </AriaMenu>
  </Popover>
)
