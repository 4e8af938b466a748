import type { ReactNode } from 'react'
import type { DialogWindowProps } from './dialog-window.tsx'
import { overlayPart } from './load-overlays.ts'

const DialogWindow = overlayPart(overlays => overlays.DialogWindow)

export interface DialogProps extends DialogWindowProps {
  /** A dialog that is only drawn while it is open needs no `isOpen`. */
  readonly isOpen?: boolean
}

/** A dialog that closes at once. */
export const DialogFrame = ({ isOpen = true, ...rest }: DialogProps) => isOpen && <DialogWindow {...rest} />

/** The buttons at the end of a dialog or a form. */
export const Actions = ({ children }: { readonly children: ReactNode }) => (
  <div className="mt-6 flex flex-wrap justify-end gap-2">{children}</div>
)
