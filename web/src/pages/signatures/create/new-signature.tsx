import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { inPageLanguage } from '#records/templates/template-messages.ts'
import { Button } from '#ui/base/button.tsx'
import { Dialog } from '#ui/overlay/dialog.tsx'
import { Menu } from '#ui/overlay/menu.tsx'
import { CreateForm } from './create-form.tsx'
import { PasteDialog } from './paste-dialog.tsx'
import { TemplateDialog } from './template-dialog.tsx'

/** The plainest template: name and title below each other, without pictures. */
const plainTemplate = 'minimal-stack'

interface ScratchDialogProps {
  readonly folderId: string | null
  readonly onClose: () => void
}

function ScratchDialog({ folderId, onClose }: ScratchDialogProps) {
  const t = useTranslations('signatures')
  const shell = useTranslations('shell')
  return (
    <Dialog title={t('fromScratch')} isOpen onClose={onClose}>
      <p className="mb-4 text-muted">{t('scratchText')}</p>
      <CreateForm
        start={async () => ({
          draft_content: inPageLanguage(await api.templates.get(plainTemplate)).content,
        })}
        folderId={folderId}
        suggestedName={t('untitled')}
        onBack={onClose}
        backLabel={shell('cancel')}
      />
    </Dialog>
  )
}

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
