import { useTranslations } from 'use-intl'
import { Button } from '#ui/base/button.tsx'
import { onDemand } from '#ui/base/on-demand.tsx'
import { Menu } from '#ui/overlay/menu.tsx'

const TemplateDialog = onDemand(() => import('./template-dialog.tsx'))
const PasteDialog = onDemand(() => import('./paste-dialog.tsx'))
const ScratchDialog = onDemand(() => import('./scratch-dialog.tsx'))

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
          <Button variant="primary" icon="plus">
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
