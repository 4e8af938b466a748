import { useTranslations } from 'use-intl'
import { Button } from '#ui/button.tsx'
import { Menu } from '#ui/menu.tsx'
import { PasteDialog } from './paste-dialog.tsx'
import { ScratchDialog } from './scratch-dialog.tsx'
import { TemplateDialog } from './template-dialog.tsx'

interface NewSignatureProps {
  readonly folderId: string | null
  /** The way that is open: `template`, `scratch` or `paste`. It is in the address, so other pages can link to it. */
  readonly open: string | undefined
  readonly onOpen: (way: string | undefined) => void
}

export function NewSignature({ folderId, open, onOpen }: NewSignatureProps) {
  const t = useTranslations('signatures')
  const close = () => onOpen(undefined)
  return (
    <>
      <Menu
        label={t('new')}
        trigger={
          <Button look="primary" icon="plus">
            {t('new')}
          </Button>
        }
        entries={[
          {
            id: 'template',
            label: t('fromTemplate'),
            hint: t('fromTemplateHint'),
            icon: 'layout-template',
            onAction: () => onOpen('template'),
          },
          {
            id: 'paste',
            label: t('fromPaste'),
            hint: t('fromPasteHint'),
            icon: 'clipboard-check',
            onAction: () => onOpen('paste'),
          },
          {
            id: 'scratch',
            label: t('fromScratch'),
            hint: t('fromScratchHint'),
            icon: 'square-pen',
            onAction: () => onOpen('scratch'),
          },
        ]}
      />
      {open === 'template' && <TemplateDialog folderId={folderId} onClose={close} />}
      {open === 'paste' && <PasteDialog folderId={folderId} onClose={close} />}
      {open === 'scratch' && <ScratchDialog folderId={folderId} onClose={close} />}
    </>
  )
}
