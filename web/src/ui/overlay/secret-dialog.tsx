// A secret that the service shows this once.
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '../base/button.tsx'
import { CopyField } from '../base/copy-field.tsx'
import { Notice } from '../layout/page.tsx'
import { Actions, Dialog } from './dialog.tsx'

interface SecretDialogProps {
  readonly title: string
  readonly label: string
  readonly secret: string
  readonly onClose: () => void
  /** Instructions for the secret. */
  readonly children?: ReactNode
}

export function SecretDialog({ title, label, secret, onClose, children }: SecretDialogProps) {
  const t = useTranslations('shell')
  return (
    <Dialog title={title} onClose={onClose} isModalOnly>
      <div className="grid gap-4">
        <Notice kind="warn">{t('shownOnce')}</Notice>
        <CopyField label={label} value={secret} isSecret />
        {children && <div className="text-[0.8125rem] text-muted">{children}</div>}
      </div>
      <Actions>
        <Button variant="primary" onPress={onClose}>
          {t('storedIt')}
        </Button>
      </Actions>
    </Dialog>
  )
}
