import { useTranslations } from 'use-intl'
import { Button } from '#ui/base/button.tsx'
import { CopyButton } from '#ui/base/copy-field.tsx'
import { saveFile } from '#ui/base/download.ts'
import { Notice } from '#ui/layout/page.tsx'
import { Actions, Dialog } from '#ui/overlay/dialog.tsx'

interface CodesDialogProps {
  readonly codes: readonly string[]
  readonly email: string
  readonly onClose: () => void
}

/** Recovery codes, which the service shows this once. */
export function CodesDialog({ codes, email, onClose }: CodesDialogProps) {
  const t = useTranslations('account.codes')
  const save = () =>
    saveFile(
      t('file'),
      new Blob([`${[t('owner', { email }), '', ...codes].join('\r\n')}\r\n`], { type: 'text/plain' }),
    )
  return (
    <Dialog title={t('title')} onClose={onClose} isModalOnly>
      <div className="grid gap-4">
        <Notice kind="warn">{t('text')}</Notice>
        <ul
          aria-label={t('list')}
          className="grid justify-center gap-x-8 gap-y-1 rounded-lg border border-line bg-sunken p-4 font-mono sm:grid-cols-[auto_auto]"
        >
          {codes.map(code => (
            <li key={code} className="whitespace-nowrap">
              {code}
            </li>
          ))}
        </ul>
        <div className="flex flex-wrap gap-2">
          <CopyButton value={codes.join('\n')} label={t('list')} />
          <Button isSmall icon="download" onPress={save}>
            {t('save')}
          </Button>
        </div>
      </div>
      <Actions>
        <Button variant="primary" onPress={onClose}>
          {t('done')}
        </Button>
      </Actions>
    </Dialog>
  )
}
