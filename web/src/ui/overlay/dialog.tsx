import { type FormEvent, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '../base/button.tsx'
import { UnsavedContext, UnsavedQuestion } from '../feedback/unsaved-question.tsx'
import { Actions, DialogFrame, type DialogProps } from './dialog-frame.tsx'

export { Actions } from './dialog-frame.tsx'

/** A search is no work that could be lost. */
const isDraft = ({ target }: FormEvent): boolean =>
  target instanceof HTMLElement && target.getAttribute('type') !== 'search' && target.role !== 'combobox'

/** A dialog that asks before it is closed with changed fields in it. `Form` says when they are saved. */
export function Dialog({ onClose, children, ...frame }: DialogProps) {
  const changes = useRef(false)
  const [isDirty, setDirty] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const mark = (hasChanges: boolean) => {
    changes.current = hasChanges
    setDirty(hasChanges)
  }
  const close = () => {
    mark(false)
    setAsking(false)
    onClose()
  }
  return (
    <DialogFrame {...frame} onClose={() => (isDirty ? setAsking(true) : close())}>
      <UnsavedContext value={() => mark(false)}>
        <div onInput={event => isDraft(event) && mark(true)}>{children}</div>
      </UnsavedContext>
      {isDirty && frame.isOpen !== false && (
        <UnsavedQuestion
          isDirty={() => changes.current}
          isAsking={isAsking}
          onLeave={close}
          onStay={() => setAsking(false)}
        />
      )}
    </DialogFrame>
  )
}

interface ConfirmProps extends Omit<DialogProps, 'size' | 'isModalOnly'> {
  /** The verb: “Delete”, “Deactivate”. */
  readonly action: string
  /** The request that is sent; `onConfirm` where it needs more than that. */
  readonly mutation?: { readonly mutate: () => void; readonly isPending: boolean }
  readonly onConfirm?: () => void
  readonly isPending?: boolean
  readonly isDangerous?: boolean
}

/** Asks before something that cannot be taken back, and says what will happen. */
export function ConfirmDialog({
  action,
  mutation,
  onConfirm = () => mutation?.mutate(),
  isPending = mutation?.isPending ?? false,
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
        <Button variant={isDangerous ? 'danger' : 'primary'} onPress={onConfirm} isPending={isPending}>
          {action}
        </Button>
      </Actions>
    </Dialog>
  )
}
