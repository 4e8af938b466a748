// Asks before a page with unsaved changes is left: by a link, by Back, or by closing the tab.
import { useBlocker } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { Button } from './button.tsx'
import { Actions, Dialog } from './dialog.tsx'

export function UnsavedGuard({ isDirty }: { readonly isDirty: boolean }) {
  const t = useTranslations('shell')
  const { status, proceed, reset } = useBlocker({
    // Filters in the address are no other page.
    shouldBlockFn: ({ current, next }) => isDirty && current.pathname !== next.pathname,
    enableBeforeUnload: () => isDirty,
    withResolver: true,
  })
  return (
    <Dialog title={t('unsavedTitle')} isOpen={status === 'blocked'} onClose={() => reset?.()} size="small">
      <p className="text-muted">{t('unsavedText')}</p>
      <Actions>
        <Button onPress={() => proceed?.()}>{t('leave')}</Button>
        <Button look="primary" autoFocus onPress={() => reset?.()}>
          {t('stay')}
        </Button>
      </Actions>
    </Dialog>
  )
}
