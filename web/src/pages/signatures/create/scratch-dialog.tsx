import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { inPageLanguage } from '#records/templates/template-messages.ts'
import { Dialog } from '#ui/overlay/dialog.tsx'
import { CreateForm } from './create-form.tsx'

/** The plainest template: name and title below each other, without pictures. */
const plainTemplate = 'minimal-stack'

interface ScratchDialogProps {
  readonly folderId: string | null
  readonly onClose: () => void
}

export default function ScratchDialog({ folderId, onClose }: ScratchDialogProps) {
  const t = useTranslations('signatures')
  const shell = useTranslations('shell')
  return (
    <Dialog title={t('fromScratch')} onClose={onClose}>
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
