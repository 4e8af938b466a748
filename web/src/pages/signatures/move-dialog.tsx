import type { SignatureListItem } from '@signoff/sdk'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { refreshSignatures } from '#records/signatures/signature-data.ts'
import { Dialog } from '#ui/dialog.tsx'
import { Form, SubmitActions } from '#ui/form.tsx'
import { toast } from '#ui/toast.tsx'
import { FolderSelect } from './folder-select.tsx'
import { useSignatureEdit } from './signature-edit.ts'

interface MoveDialogProps {
  readonly signature: Pick<SignatureListItem, 'id' | 'name' | 'folder_id'>
  readonly onClose: () => void
}

export function MoveDialog({ signature, onClose }: MoveDialogProps) {
  const t = useTranslations('signatures')
  const [folderId, setFolderId] = useState(signature.folder_id)
  const edit = useSignatureEdit(signature, { onDiscard: onClose })
  const done = () => {
    toast(t('moved'))
    onClose()
    void refreshSignatures()
  }
  return (
    <Dialog title={t('moveTitle', { name: signature.name })} isOpen onClose={onClose} size="small">
      <Form onSubmit={() => edit({ folder_id: folderId })} onDone={done}>
        {({ isPending }) => (
          <>
            <FolderSelect value={folderId} onChange={setFolderId} />
            <SubmitActions action={t('moveHere')} onCancel={onClose} isPending={isPending} />
          </>
        )}
      </Form>
    </Dialog>
  )
}
