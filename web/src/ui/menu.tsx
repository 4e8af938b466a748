import type { ReactElement } from 'react'
import { Menu as AriaMenu, MenuItem, MenuTrigger } from 'react-aria-components/Menu'
import { Popover } from 'react-aria-components/Popover'
import { Separator } from 'react-aria-components/Separator'
import { classes, optionClasses, popoverFrame } from './classes.ts'
import { Icon, type IconName } from './icon.tsx'

export interface MenuEntry {
  readonly id: string
  readonly label: string
  readonly icon?: IconName
  readonly hint?: string
  readonly isDangerous?: boolean
  readonly isChosen?: boolean
  /** A line above. */
  readonly beginsGroup?: boolean
  readonly onAction?: () => void
  readonly href?: string
}

interface MenuProps {
  /** The button that opens it. */
  readonly trigger: ReactElement
  readonly entries: readonly MenuEntry[]
  readonly label: string
  readonly isOpenAtFirst?: boolean
}

export const Menu = ({ trigger, entries, label, isOpenAtFirst = false }: MenuProps) => (
  <MenuTrigger defaultOpen={isOpenAtFirst}>
    {trigger}
    <Popover className={popoverFrame}>
      <AriaMenu aria-label={label} className="min-w-44 outline-none">
        {entries.flatMap(
          ({ id, label: text, icon, hint, isDangerous, isChosen, beginsGroup, onAction, href }) => [
            beginsGroup && <Separator key={`${id}-line`} className="my-1 border-t border-line" />,
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
  </MenuTrigger>
)
