import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from './button.tsx'
import type { DialogWindowProps } from './dialog-window.tsx'
import { onDemand } from './on-demand.tsx'
import { loadOverlays } from './overlays.ts'

const DialogWindow = onDemand(async () => ({ default: (await loadOverlays()).DialogWindow }))

interface DialogProps extends DialogWindowProps {
  readonly isOpen: boolean
}

export const Dialog = ({ isOpen, ...rest }: DialogProps) => isOpen && <DialogWindow {...rest} />

/** The buttons at the end of a dialog or a form. */
export const Actions = ({ children }: { readonly children: ReactNode }) => (
  <div className="mt-6 flex flex-wrap justify-end gap-2">{children}</div>
)

interface ConfirmProps extends Omit<DialogProps, 'size' | 'isModalOnly'> {
  /** The verb: “Delete”, “Deactivate”. */
  readonly action: string
  readonly onConfirm: () => void
  readonly isPending?: boolean
  readonly isDangerous?: boolean
}

/** Asks before something that cannot be taken back, and says what will happen. */
export function ConfirmDialog({
  action,
  onConfirm,
  isPending = false,
  isDangerous = true,
  children,
  ...rest
}: ConfirmProps) {
  const t = useTranslations('shell')
  return (
    <Dialog {...rest} size="small">
      <div className="text-muted">{children}</div>
      <Actions>
        <Button onPress={rest.onClose}>{t('cancel')}</Button>
        <Button look={isDangerous ? 'danger' : 'primary'} onPress={onConfirm} isPending={isPending}>
          {action}
        </Button>
      </Actions>
    </Dialog>
  )
}
