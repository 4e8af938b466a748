import type { SignatureListItem } from '@signoff/sdk'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { api } from '../../api/client.ts'
import { Button } from '../../ui/button.tsx'
import { Actions, Dialog } from '../../ui/dialog.tsx'
import { FolderSelect } from './folder-select.tsx'
import { useSignatureAction } from './use-action.ts'

interface MoveDialogProps {
  readonly signature: Pick<SignatureListItem, 'id' | 'name' | 'folder_id'>
  readonly onClose: () => void
}

export default function MoveDialog({ signature, onClose }: MoveDialogProps) {
  const t = useTranslations('signatures')
  const shell = useTranslations('shell')
  const [folderId, setFolderId] = useState(signature.folder_id)
  const { mutate, isPending } = useSignatureAction({
    run: () => api.signatures.update(signature.id, { folder_id: folderId }),
    done: () => t('moved'),
    after: onClose,
  })
  return (
    <Dialog title={t('moveTitle', { name: signature.name })} isOpen onClose={onClose} size="small">
      <FolderSelect value={folderId} onChange={setFolderId} />
      <Actions>
        <Button onPress={onClose}>{shell('cancel')}</Button>
        <Button look="primary" onPress={() => mutate()} isPending={isPending}>
          {t('moveHere')}
        </Button>
      </Actions>
    </Dialog>
  )
}
