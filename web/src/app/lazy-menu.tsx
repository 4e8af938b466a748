// A menu of the frame. Its code is loaded when it is first needed, because it is a fifth of the first load.
import { lazy, type ReactNode, Suspense, useState } from 'react'
import type { MenuEntry } from '../ui/menu.tsx'

const MenuOfFrame = lazy(() => import('./frame-menu.tsx'))

export interface FrameMenuProps {
  /** Before what the button shows: “Your account”. */
  readonly label: string
  readonly className: string
  /** What the button shows. */
  readonly children: ReactNode
  readonly menuLabel: string
  readonly entries: readonly MenuEntry[]
}

export function LazyMenu(props: FrameMenuProps) {
  const [isNeeded, setNeeded] = useState(false)
  const button = (
    <button
      type="button"
      aria-haspopup="menu"
      aria-expanded={false}
      className={props.className}
      onClick={() => setNeeded(true)}
    >
      <span className="sr-only">{props.label}:</span>
      {props.children}
    </button>
  )
  return isNeeded ? (
    <Suspense fallback={button}>
      <MenuOfFrame {...props} />
    </Suspense>
  ) : (
    button
  )
}
