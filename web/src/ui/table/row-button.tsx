// The part of a row that opens it, by mouse and by keyboard.
import type { ReactNode } from 'react'
import { classes } from '../base/classes.ts'

interface RowButtonProps {
  readonly onOpen: () => void
  /** On phones the text has up to two lines; the rows of the table must be as high. */
  readonly wrapsOnPhones?: boolean
  readonly children: ReactNode
}

export const RowButton = ({ onOpen, wrapsOnPhones = false, children }: RowButtonProps) => (
  <button
    type="button"
    onClick={onOpen}
    className={classes(
      'max-w-full rounded text-start font-medium hover:text-accent',
      wrapsOnPhones
        ? 'leading-snug max-md:line-clamp-2 max-md:whitespace-normal md:truncate md:py-1'
        : 'truncate py-1',
    )}
  >
    {children}
  </button>
)
