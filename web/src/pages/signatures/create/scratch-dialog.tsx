import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { withOwnWords } from '#records/templates/template-words.ts'
import { Dialog } from '#ui/dialog.tsx'
import { CreateForm } from './create-form.tsx'

/** The plainest template: name and title below each other, without pictures. */
const plainTemplate = 'minimal-stack'

interface ScratchDialogProps {
  readonly folderId: string | null
  readonly onClose: () => void
}

export function ScratchDialog({ folderId, onClose }: ScratchDialogProps) {
  const t = useTranslations('signatures')
  const shell = useTranslations('shell')
  return (
    <Dialog title={t('fromScratch')} isOpen onClose={onClose}>
      <p className="mb-4 text-muted">{t('scratchText')}</p>
      <CreateForm
        start={async () => ({ draft_content: withOwnWords(await api.templates.get(plainTemplate)).content })}
        folderId={folderId}
        suggestedName={t('untitled')}
        onBack={onClose}
        backLabel={shell('cancel')}
      />
    </Dialog>
  )
}
