import { type ReactNode, useRef, useState } from 'react'
import { ButtonContext } from 'react-aria-components/Button'
import { Button } from '../base/button.tsx'
import type { IconName } from '../base/icon.tsx'
import { overlayPart } from './load-overlays.ts'

const PopoverPanel = overlayPart(overlays => overlays.PopoverPanel)

interface PopoverButtonProps {
  readonly label: string
  readonly icon: IconName
  readonly className?: string
  /** The panel beside the button. */
  readonly children: ReactNode
}

/** A button that opens a panel of controls. */
export function PopoverButton({ label, icon, className = '', children }: PopoverButtonProps) {
  const [isOpen, setOpen] = useState(false)
  const triggerRef = useRef<HTMLButtonElement>(null)
  const button = {
    ref: triggerRef,
    'aria-haspopup': 'dialog',
    'aria-expanded': isOpen,
    onPress: () => setOpen(true),
  } as const
  return (
    <>
      <ButtonContext.Provider value={button}>
        <Button icon={icon} className={className}>
          {label}
        </Button>
      </ButtonContext.Provider>
      {isOpen && (
        <PopoverPanel label={label} triggerRef={triggerRef} onClose={() => setOpen(false)}>
          {children}
        </PopoverPanel>
      )}
    </>
  )
}
