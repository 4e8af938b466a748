import type { ReactNode } from 'react'
import { Dialog as AriaDialog } from 'react-aria-components/Dialog'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { useTranslations } from 'use-intl'

/** The navigation on phones; it closes when a page is opened. */
export default function Drawer({
  onClose,
  children,
}: {
  readonly onClose: () => void
  readonly children: ReactNode
}) {
  const t = useTranslations('shell')
  return (
    <ModalOverlay
      isOpen
      onOpenChange={open => open || onClose()}
      isDismissable
      className="fixed inset-0 z-40 bg-black/40 lg:hidden"
    >
      <Modal className="h-full w-72 max-w-[85vw] bg-paper shadow-floating">
        <AriaDialog aria-label={t('mainNavigation')} className="h-full outline-none">
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}
