import type { SignatureListItem } from '@signoff/sdk'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { refreshSignatures } from '#records/signatures/signature-data.ts'
import { toast } from '#ui/feedback/toast.tsx'
import { FormDialog } from '#ui/form/form-dialog.tsx'
import { FolderSelect } from './folder-select.tsx'
import { useSignatureEdit } from './signature-edit.ts'

interface MoveDialogProps {
  readonly signature: Pick<SignatureListItem, 'id' | 'name' | 'folder_id'>
  readonly onClose: () => void
}

export default function MoveDialog({ signature, onClose }: MoveDialogProps) {
  const t = useTranslations('signatures')
  const [folderId, setFolderId] = useState(signature.folder_id)
  const edit = useSignatureEdit(signature, { onDiscard: onClose })
  const done = () => {
    toast(t('moved'))
    onClose()
    void refreshSignatures()
  }
  return (
    <FormDialog
      title={t('moveTitle', { name: signature.name })}
      onClose={onClose}
      size="small"
      onSubmit={() => edit({ folder_id: folderId })}
      onDone={done}
      action={t('moveHere')}
    >
      <FolderSelect value={folderId} onChange={setFolderId} />
    </FormDialog>
  )
}
