import { useTranslations } from 'use-intl'
import { refreshSignatures } from '#records/signatures/signature-data.ts'
import { TextField } from '#ui/form/field.tsx'
import { FormDialog } from '#ui/form/form-dialog.tsx'

interface NameDialogProps {
  readonly title: string
  readonly label: string
  readonly onClose: () => void
  readonly name: string
  readonly save: (name: string) => Promise<unknown>
}

/** Names something, or gives it another name. */
export function NameDialog({ title, label, onClose, name, save }: NameDialogProps) {
  const t = useTranslations('shell')
  const done = () => {
    onClose()
    void refreshSignatures()
  }
  return (
    <FormDialog
      title={title}
      onClose={onClose}
      size="small"
      onSubmit={form => save(String(form.get('name')).trim())}
      onDone={done}
      action={t('save')}
    >
      <TextField label={label} name="name" defaultValue={name} autoFocus isRequired maxLength={200} />
    </FormDialog>
  )
}
