import type { ReactNode, RefObject } from 'react'
import { Dialog as AriaDialog } from 'react-aria-components/Dialog'
import { Popover } from 'react-aria-components/Popover'
import { popoverFrame } from '../base/classes.ts'

interface PopoverPanelProps {
  readonly label: string
  readonly triggerRef: RefObject<HTMLButtonElement | null>
  readonly onClose: () => void
  readonly placement?: 'bottom' | 'bottom start'
  /** The distance from the button, in pixels. */
  readonly offset?: number
  readonly children: ReactNode
}

/** Controls that open beside a button. */
export const PopoverPanel = ({
  label,
  triggerRef,
  onClose,
  placement = 'bottom',
  offset,
  children,
}: PopoverPanelProps) => (
  <Popover
    isOpen
    onOpenChange={open => open || onClose()}
    trigger="DialogTrigger"
    triggerRef={triggerRef}
    placement={placement}
    {...(offset !== undefined && { offset })}
    className={popoverFrame}
  >
    <AriaDialog aria-label={label} className="outline-none">
      {children}
    </AriaDialog>
  </Popover>
)
