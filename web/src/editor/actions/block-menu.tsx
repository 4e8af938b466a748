// What can be done with the selected blocks, by the right mouse button, a long press or the menu key.
import { type RefObject, useRef } from 'react'
import { Menu, MenuItem } from 'react-aria-components/Menu'
import { Popover } from 'react-aria-components/Popover'
import { Separator } from 'react-aria-components/Separator'
import { useTranslations } from 'use-intl'
import { classes, optionClasses, popoverFrame } from '#ui/base/classes.ts'
import { useEditor } from '../kit/editor-context.ts'
import { EditorIcon } from '../kit/editor-icon.tsx'
import type { Rectangle } from '../kit/floating.ts'
import { type BlockAction, keysOf, useKeyNames } from './key-map.ts'
import { actionIcons, isPossible } from './use-block-actions.ts'

const groups: readonly (readonly BlockAction[])[] = [
  ['editText', 'insertAbove', 'insertBelow'],
  ['cut', 'copy', 'paste', 'duplicate'],
  ['group', 'wrapRow', 'wrapColumn', 'unwrap'],
  ['earlier', 'later', 'rename', 'toggleVisible'],
  ['remove'],
]

interface BlockMenuProps {
  readonly at: Rectangle
  readonly onAction: (action: BlockAction) => void
  readonly onClose: () => void
}

/** Actions that would do nothing are left out, but for those that are always looked for. */
export default function BlockMenu({ at, onAction, onClose }: BlockMenuProps) {
  const t = useTranslations('editor.actions')
  const { store } = useEditor()
  const keyNames = useKeyNames()
  const anchor = useRef<HTMLDivElement>(null)
  const state = store.getState()
  const possibleGroups = groups
    .map(group => group.filter(action => isPossible(state, action)))
    .filter(group => group.length > 0)
  return (
    <>
      <MenuAnchor at={at} anchorRef={anchor} />
      <Popover
        isOpen
        onOpenChange={open => open || onClose()}
        trigger="MenuTrigger"
        triggerRef={anchor}
        placement="bottom start"
        offset={2}
        aria-label={t('label')}
        className={popoverFrame}
      >
        <Menu
          aria-label={t('label')}
          autoFocus="first"
          onClose={onClose}
          onAction={action => onAction(action as BlockAction)}
          className="min-w-56 outline-none"
        >
          {possibleGroups.flatMap((group, index) => [
            index > 0 && <Separator key={`line ${group[0]}`} className="my-1 border-t border-line" />,
            ...group.map(action => (
              <MenuItem
                key={action}
                id={action}
                textValue={t(action)}
                className={classes(optionClasses, action === 'remove' && 'text-bad')}
              >
                <EditorIcon name={actionIcons[action]} className={action === 'remove' ? '' : 'text-muted'} />
                <span className="flex-1">{t(action)}</span>
                <kbd className="ps-4 font-sans text-xs text-muted max-md:hidden">
                  {keyNames(keysOf(action) ?? '').join(' ')}
                </kbd>
              </MenuItem>
            )),
          ])}
        </Menu>
      </Popover>
    </>
  )
}

interface MenuAnchorProps {
  readonly at: Rectangle
  readonly anchorRef: RefObject<HTMLDivElement | null>
}

/**
 * An invisible element below which a menu opens: a block on the canvas has no element in the page. It is narrow, because
 * a menu is at least as wide as its opener.
 */
export const MenuAnchor = ({ at: { left, top, bottom }, anchorRef }: MenuAnchorProps) => (
  <div
    ref={anchorRef}
    aria-hidden="true"
    className="pointer-events-none fixed"
    style={{ left, top, width: 1, height: Math.max(1, bottom - top) }}
  />
)
