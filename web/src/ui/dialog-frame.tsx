// The window of a dialog: title, close button, and what is in it.
import type { ReactNode } from 'react'
import { Dialog as AriaDialog } from 'react-aria-components/Dialog'
import { Heading } from 'react-aria-components/Heading'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { useTranslations } from 'use-intl'
import { IconButton } from './button.tsx'
import { classes } from './classes.ts'

export interface DialogProps {
  readonly title: string
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly children: ReactNode
  readonly size?: 'small' | 'medium' | 'large'
  /** A dialog in which work could be lost: a click beside it does not close it. */
  readonly isModalOnly?: boolean
}

const widths = { small: 'max-w-md', medium: 'max-w-xl', large: 'max-w-4xl' } as const

/** A dialog that closes at once. */
export function DialogFrame({
  title,
  isOpen,
  onClose,
  children,
  size = 'medium',
  isModalOnly = false,
}: DialogProps) {
  const t = useTranslations('shell')
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={open => open || onClose()}
      isDismissable={!isModalOnly}
      className="fixed inset-0 z-50 grid place-items-center overflow-y-auto bg-black/40 p-4 sm:p-8"
    >
      <Modal
        className={classes('w-full rounded-2xl border border-line bg-card shadow-floating', widths[size])}
      >
        <AriaDialog className="outline-none">
          <header className="flex items-start justify-between gap-4 px-6 pt-5">
            <Heading slot="title" className="text-lg font-semibold">
              {title}
            </Heading>
            <IconButton icon="x" label={t('close')} onPress={onClose} className="-me-2 -mt-1" />
          </header>
          <div className="px-6 pt-3 pb-6">{children}</div>
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}

/** The buttons at the end of a dialog or a form. */
export const Actions = ({ children }: { readonly children: ReactNode }) => (
  <div className="mt-6 flex flex-wrap justify-end gap-2">{children}</div>
)
