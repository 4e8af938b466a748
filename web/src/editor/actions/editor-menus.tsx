// The open menu of the editor. Its code is loaded with the other menus and dialogs of the dashboard.
import { onDemand } from '#ui/base/on-demand.tsx'
import { newField } from '../blocks/text.ts'
import { useEditor, useOpenMenu } from '../kit/editor-context.ts'
import { focusCanvas } from '../kit/focus.ts'
import { useBlockActions } from './use-block-actions.ts'
import { useNewBlocks } from './use-new-blocks.ts'

const loadMenus = () => import('./menu-parts.ts')
const BlockMenu = onDemand(async () => ({ default: (await loadMenus()).BlockMenu }))
const FieldMenu = onDemand(async () => ({ default: (await loadMenus()).FieldMenu }))
const InsertMenu = onDemand(async () => ({ default: (await loadMenus()).InsertMenu }))
const KeyMapDialog = onDemand(async () => ({ default: (await loadMenus()).KeyMapDialog }))

/** The focus was on a control that is gone, such as the `+` of another place. */
const keepFocus = () =>
  requestAnimationFrame(() => {
    if (document.activeElement === document.body) focusCanvas()
  })

export function EditorMenus() {
  const { menus } = useEditor()
  const menu = useOpenMenu()
  const run = useBlockActions()
  const { add } = useNewBlocks()
  const close = () => {
    menus.close()
    keepFocus()
  }
  /** A menu that is replaced by another one closes late. */
  const closeThis = () => {
    if (menus.getState() === menu) close()
  }
  switch (menu?.kind) {
    case 'insert':
      return (
        <InsertMenu
          position={menu.position}
          at={menu.at}
          onClose={closeThis}
          onChoose={offer => {
            if (offer.asks === 'field') return menus.open({ ...menu, kind: 'field' })
            close()
            add(offer, menu.position)
          }}
        />
      )
    case 'field':
      return (
        <FieldMenu
          at={menu.at}
          onClose={closeThis}
          onChoose={fieldId => {
            close()
            add(newField, menu.position, fieldId)
          }}
        />
      )
    case 'block':
      return (
        <BlockMenu
          at={menu.at}
          onClose={closeThis}
          onAction={action => {
            close()
            // After the menu has given the focus back.
            requestAnimationFrame(() => run(action))
          }}
        />
      )
    case 'keys':
      return <KeyMapDialog onClose={close} />
    default:
      return null
  }
}
