import type { ReactNode } from 'react'
import { Dialog as AriaDialog } from 'react-aria-components/Dialog'
import { Heading } from 'react-aria-components/Heading'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { useTranslations } from 'use-intl'
import { IconButton } from '../base/button.tsx'
import { classes } from '../base/classes.ts'

export interface DialogWindowProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ReactNode
  readonly size?: 'small' | 'medium' | 'large' | 'wide'
  /** A dialog in which work could be lost: a click beside it does not close it. */
  readonly isModalOnly?: boolean
  /** Work that would go on unseen: the dialog cannot be closed before its end. */
  readonly isRunning?: boolean
}

const widths = { small: 'max-w-md', medium: 'max-w-xl', large: 'max-w-4xl', wide: 'max-w-7xl' } as const

/** An open dialog. */
export function DialogWindow({
  title,
  onClose,
  children,
  size = 'medium',
  isModalOnly = false,
  isRunning = false,
}: DialogWindowProps) {
  const t = useTranslations('shell')
  return (
    <ModalOverlay
      isOpen
      onOpenChange={open => open || onClose()}
      isDismissable={!isModalOnly && !isRunning}
      isKeyboardDismissDisabled={isRunning}
      className="dialog-window fixed inset-0 z-50 grid place-items-center overflow-y-auto bg-black/40 p-4 sm:p-8"
    >
      <Modal
        className={classes('w-full rounded-2xl border border-line bg-card shadow-floating', widths[size])}
      >
        <AriaDialog className="outline-none">
          <header className="flex items-start justify-between gap-4 px-6 pt-5">
            <Heading slot="title" className="text-lg font-semibold">
              {title}
            </Heading>
            <IconButton
              icon="x"
              label={t('close')}
              isDisabled={isRunning}
              onPress={onClose}
              className="-me-2 -mt-1"
            />
          </header>
          <div className="px-6 pt-3 pb-6">{children}</div>
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}
