import type { RefObject } from 'react'
import { type ReactElement, useRef, useState } from 'react'
import { ButtonContext } from 'react-aria-components/Button'
import { Menu as AriaMenu, MenuItem } from 'react-aria-components/Menu'
import { Popover } from 'react-aria-components/Popover'
import { Separator } from 'react-aria-components/Separator'
import { classes, optionClasses, popoverFrame } from '../base/classes.ts'
import type { IconName } from '../base/icon.tsx'
import { Icon } from '../base/icon.tsx'
import { menuPlacement } from './menu-placement.ts'

interface MenuListProps {
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
const MenuList = ({ label, entries, triggerRef, focus, onClose }: MenuListProps) => (
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
)

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

const focusOfKeys: Readonly<Record<string, 'first' | 'last'>> = { ArrowDown: 'first', ArrowUp: 'last' }

interface MenuProps {
  /** The button that opens it. */
  readonly trigger: ReactElement
  readonly entries: readonly MenuEntry[]
  readonly label: string
}

/** The trigger is a button of React Aria and stays the same element, which gets the focus back. */
export function Menu({ trigger, entries, label }: MenuProps) {
  const [focus, setFocus] = useState<MenuListProps['focus']>()
  const triggerRef = useRef<HTMLButtonElement>(null)
  const button = {
    ref: triggerRef,
    'aria-haspopup': 'menu',
    'aria-expanded': focus !== undefined,
    onPress: ({ pointerType }: { readonly pointerType: string }) =>
      setFocus(['keyboard', 'virtual'].includes(pointerType) ? 'first' : true),
    onKeyDown: (event: { readonly key: string; preventDefault(): void; continuePropagation(): void }) => {
      const chosen = focusOfKeys[event.key]
      // Keys that mean nothing here belong to the page.
      if (chosen === undefined) return event.continuePropagation()
      event.preventDefault()
      setFocus(chosen)
    },
  } as const
  return (
    <>
      <ButtonContext.Provider value={button}>{trigger}</ButtonContext.Provider>
      {focus !== undefined && (
        <MenuList {...{ label, entries, triggerRef, focus }} onClose={() => setFocus(undefined)} />
      )}
    </>
  )
}
