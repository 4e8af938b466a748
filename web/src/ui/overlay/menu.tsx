import { type ReactElement, useRef, useState } from 'react'
import { ButtonContext } from 'react-aria-components/Button'
import { IconButton } from '../base/button.tsx'
import { overlayPart } from './load-overlays.ts'
import type { MenuEntry, MenuListProps } from './menu-list.tsx'

export type { MenuEntry } from './menu-list.tsx'

/** `false`: an entry that the person may not use, or that does not fit. */
export type MenuEntries = readonly (MenuEntry | false | undefined)[]

const MenuList = overlayPart(overlays => overlays.MenuList)

const focusOfKeys: Readonly<Record<string, 'first' | 'last'>> = { ArrowDown: 'first', ArrowUp: 'last' }

interface MenuProps {
  /** The button that opens it. */
  readonly trigger: ReactElement
  readonly entries: MenuEntries
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
        <MenuList
          {...{ label, triggerRef, focus }}
          entries={entries.filter(entry => typeof entry === 'object')}
          onClose={() => setFocus(undefined)}
        />
      )}
    </>
  )
}

/** The menu of a row or a card. A person who can do nothing with it sees no button. */
export const MoreMenu = ({ label, entries }: Omit<MenuProps, 'trigger'>) =>
  entries.some(Boolean) && (
    <Menu label={label} entries={entries} trigger={<IconButton icon="ellipsis" label={label} />} />
  )
