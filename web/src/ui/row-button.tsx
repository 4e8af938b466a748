// The part of a row that opens it, by mouse and by keyboard.
import type { ReactNode } from 'react'

interface RowButtonProps {
  readonly onOpen: () => void
  readonly children: ReactNode
}

export const RowButton = ({ onOpen, children }: RowButtonProps) => (
  <button
    type="button"
    onClick={onOpen}
    className="max-w-full truncate rounded py-1 text-start font-medium hover:text-accent"
  >
    {children}
  </button>
)
