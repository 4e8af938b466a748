// Asks before a page or a dialog with unsaved changes is left: by a link, by Back, by closing the tab or the dialog.
import { useBlocker } from '@tanstack/react-router'
import { createContext } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '../base/button.tsx'
import { Actions, DialogFrame } from '../overlay/dialog-frame.tsx'

/** Says that what was typed in the dialog is saved. */
export const UnsavedContext = createContext<() => void>(() => {})

interface UnsavedQuestionProps {
  /** A function, where a page can be left in the same moment in which the changes are saved. */
  readonly isDirty: boolean | (() => boolean)
  /** The dialog around it is to be closed. */
  readonly isAsking?: boolean
  readonly onLeave?: () => void
  readonly onStay?: () => void
}

export function UnsavedQuestion({ isDirty, isAsking = false, onLeave, onStay }: UnsavedQuestionProps) {
  const t = useTranslations('shell')
  const hasChanges = () => (typeof isDirty === 'function' ? isDirty() : isDirty)
  const { status, proceed, reset } = useBlocker({
    // Filters in the address are no other page.
    shouldBlockFn: ({ current, next }) => hasChanges() && current.pathname !== next.pathname,
    enableBeforeUnload: hasChanges,
    withResolver: true,
  })
  const stay = () => {
    reset?.()
    onStay?.()
  }
  const leave = () => {
    onLeave?.()
    proceed?.()
  }
  return (
    <DialogFrame
      title={t('unsavedTitle')}
      isOpen={isAsking || status === 'blocked'}
      onClose={stay}
      size="small"
    >
      <p className="text-muted">{t(isAsking ? 'unsavedInDialog' : 'unsavedText')}</p>
      <Actions>
        <Button onPress={leave}>{t('leave')}</Button>
        <Button variant="primary" autoFocus onPress={stay}>
          {t('stay')}
        </Button>
      </Actions>
    </DialogFrame>
  )
}
