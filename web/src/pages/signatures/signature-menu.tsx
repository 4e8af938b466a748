// What can be done with a signature as a whole: on its card and on its page.
import type { SignatureListItem } from '@signoff/sdk'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { useCan } from '#api/session.ts'
import { signaturePath, stateOfSignature, useSignatureAction } from '#records/signatures/signature-data.ts'
import { onDemand } from '#ui/base/on-demand.tsx'
import { ConfirmDialog } from '#ui/overlay/dialog.tsx'
import { MoreMenu } from '#ui/overlay/menu.tsx'
import { NameDialog } from './name-dialog.tsx'
import { useSignatureEdit } from './signature-edit.ts'

const MoveDialog = onDemand(() => import('./move-dialog.tsx'))

type OpenDialog = 'rename' | 'move' | 'deactivate' | 'delete'

interface SignatureMenuProps {
  readonly signature: SignatureListItem
  /** The page of the signature itself, which is left when it is deleted. */
  readonly isOnOwnPage?: boolean
}

export function SignatureMenu({ signature, isOnOwnPage = false }: SignatureMenuProps) {
  const { id, name } = signature
  const t = useTranslations('signatures')
  const can = useCan()
  const navigate = useNavigate()
  const [open, setOpen] = useState<OpenDialog>()
  const close = () => setOpen(undefined)
  const duplicate = useSignatureAction({
    run: () => api.signatures.duplicate(id),
    done: copy => t('duplicated', { name: copy.name }),
    after: copy => void navigate({ to: signaturePath(copy.id) }),
  })
  const canWrite = can('signatures:write')
  const canDelete = can('signatures:delete')
  if (!canWrite && !canDelete) return null
  const isLive = ['live', 'changed'].includes(stateOfSignature(signature, false))
  return (
    <>
      <MoreMenu
        label={t('actionsOf', { name })}
        entries={[
          canWrite && { id: 'rename', label: t('rename'), icon: 'type', onAction: () => setOpen('rename') },
          canWrite && {
            id: 'duplicate',
            label: t('duplicate'),
            icon: 'copy',
            onAction: () => duplicate.mutate(),
          },
          canWrite && { id: 'move', label: t('move'), icon: 'folder', onAction: () => setOpen('move') },
          canWrite &&
            isLive && {
              id: 'deactivate',
              label: t('deactivate'),
              icon: 'pause',
              beginsGroup: true,
              onAction: () => setOpen('deactivate'),
            },
          canDelete && {
            id: 'delete',
            label: t('delete'),
            icon: 'trash-2',
            isDangerous: true,
            beginsGroup: true,
            onAction: () => setOpen('delete'),
          },
        ]}
      />
      {open === 'rename' && <RenameSignature signature={signature} onClose={close} />}
      {open === 'move' && <MoveDialog signature={signature} onClose={close} />}
      <SignatureConfirmations signature={signature} open={open} onClose={close} isOnOwnPage={isOnOwnPage} />
    </>
  )
}

interface RenameSignatureProps {
  readonly signature: SignatureListItem
  readonly onClose: () => void
}

function RenameSignature({ signature, onClose }: RenameSignatureProps) {
  const t = useTranslations('signatures')
  const edit = useSignatureEdit(signature, { onDiscard: onClose })
  return (
    <NameDialog
      title={t('renameTitle')}
      label={t('name')}
      onClose={onClose}
      name={signature.name}
      save={name => edit({ name })}
    />
  )
}

interface ConfirmationsProps extends SignatureMenuProps {
  readonly open: OpenDialog | undefined
  readonly onClose: () => void
}

function SignatureConfirmations({ signature: { id, name }, open, onClose, isOnOwnPage }: ConfirmationsProps) {
  const t = useTranslations('signatures')
  const navigate = useNavigate()
  const deactivate = useSignatureAction({
    run: () => api.signatures.deactivate(id),
    done: () => t('deactivated', { name }),
    after: onClose,
  })
  const remove = useSignatureAction({
    run: () => api.signatures.delete(id),
    done: () => t('deleted', { name }),
    after: () => {
      onClose()
      return isOnOwnPage && navigate({ to: signaturePath() })
    },
  })
  return (
    <>
      <ConfirmDialog
        title={t('deactivateTitle', { name })}
        action={t('deactivate')}
        isOpen={open === 'deactivate'}
        onClose={onClose}
        mutation={deactivate}
      >
        {t('deactivateText')}
      </ConfirmDialog>
      <ConfirmDialog
        title={t('deleteTitle', { name })}
        action={t('delete')}
        isOpen={open === 'delete'}
        onClose={onClose}
        mutation={remove}
      >
        {t('deleteText')}
      </ConfirmDialog>
    </>
  )
}
