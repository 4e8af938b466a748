import type { Folder, FolderPatch, RequestOptions } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { useCan } from '#api/session.ts'
import { foldersQuery, refreshSignatures, useSignatureAction } from '#records/signatures/signature-data.ts'
import { useEdit } from '#state/use-edit.ts'
import { Button } from '#ui/base/button.tsx'
import { classes } from '#ui/base/classes.ts'
import { Icon } from '#ui/base/icon.tsx'
import { ConfirmDialog } from '#ui/overlay/dialog.tsx'
import { MoreMenu } from '#ui/overlay/menu.tsx'
import { NameDialog } from '../name-dialog.tsx'

interface FolderBarProps {
  /** The id of a folder, `none`, or undefined for all. */
  readonly chosen: string | undefined
  readonly onChoose: (folder: string | undefined) => void
}

interface TabProps {
  readonly label: string
  readonly count?: number
  readonly isChosen: boolean
  readonly onPress: () => void
}

const FolderTab = ({ label, count, isChosen, onPress }: TabProps) => (
  <button
    type="button"
    aria-pressed={isChosen}
    onClick={onPress}
    className={classes(
      'inline-flex min-h-8 max-w-56 items-center gap-1.5 rounded-full px-3 text-[0.8125rem] font-medium transition-colors',
      isChosen ? 'bg-accent-soft text-accent' : 'text-muted hover:bg-sunken hover:text-ink',
    )}
  >
    <span className="truncate">{label}</span>
    {count !== undefined && <span className="tabular-nums opacity-80">{count}</span>}
  </button>
)

export function FolderBar({ chosen, onChoose }: FolderBarProps) {
  const t = useTranslations('signatures')
  const can = useCan()
  const { data: folders = [] } = useQuery({ ...foldersQuery, enabled: can('folders:read') })
  const [isNew, setIsNew] = useState(false)
  const open = folders.find(folder => folder.id === chosen)
  return (
    <nav aria-label={t('folders')} className="mb-5 flex flex-wrap items-center gap-1">
      <FolderTab
        label={t('allFolders')}
        isChosen={chosen === undefined}
        onPress={() => onChoose(undefined)}
      />
      {folders.map(({ id, name, signature_count }) => (
        <FolderTab
          key={id}
          label={name}
          count={signature_count}
          isChosen={id === chosen}
          onPress={() => onChoose(id)}
        />
      ))}
      {folders.length > 0 && (
        <FolderTab label={t('noFolder')} isChosen={chosen === 'none'} onPress={() => onChoose('none')} />
      )}
      {open && can('folders:write') && (
        <FolderMenu key={open.id} folder={open} onDeleted={() => onChoose(undefined)} />
      )}
      {can('folders:write') && (
        <Button variant="quiet" isSmall onPress={() => setIsNew(true)} className="text-muted">
          <Icon name="folder-plus" size={15} />
          {t('newFolder')}
        </Button>
      )}
      {isNew && (
        <NameDialog
          title={t('newFolder')}
          label={t('folderName')}
          onClose={() => setIsNew(false)}
          name=""
          save={async name => onChoose((await api.folders.create({ name })).id)}
        />
      )}
    </nav>
  )
}

function FolderMenu({ folder, onDeleted }: { readonly folder: Folder; readonly onDeleted: () => void }) {
  const t = useTranslations('signatures')
  const can = useCan()
  const [open, setOpen] = useState<'rename' | 'delete'>()
  const close = () => setOpen(undefined)
  const remove = useSignatureAction({
    run: () => api.folders.delete(folder.id),
    done: () => t('folderDeleted', { name: folder.name }),
    after: () => {
      close()
      onDeleted()
    },
  })
  const isEmpty = folder.signature_count === 0
  return (
    <>
      <MoreMenu
        label={t('actionsOf', { name: folder.name })}
        entries={[
          { id: 'rename', label: t('renameFolder'), icon: 'type', onAction: () => setOpen('rename') },
          can('folders:delete') && {
            id: 'delete',
            label: t('deleteFolder'),
            icon: 'trash-2',
            isDangerous: true,
            onAction: () => setOpen('delete'),
          },
        ]}
      />
      {open === 'rename' && <RenameFolder folder={folder} onClose={close} />}
      <ConfirmDialog
        title={t('deleteFolderTitle', { name: folder.name })}
        action={isEmpty ? t('deleteFolder') : t('understood')}
        isDangerous={isEmpty}
        isOpen={open === 'delete'}
        onClose={close}
        onConfirm={() => (isEmpty ? remove.mutate() : close())}
        isPending={remove.isPending}
      >
        {isEmpty ? t('deleteFolderText') : t('folderNotEmpty', { count: folder.signature_count })}
      </ConfirmDialog>
    </>
  )
}

function RenameFolder({ folder, onClose }: { readonly folder: Folder; readonly onClose: () => void }) {
  const t = useTranslations('signatures')
  const edit = useEdit({
    seen: folder,
    read: () => api.folders.get(folder.id),
    save: (patch: FolderPatch, options: RequestOptions) => api.folders.update(folder.id, patch, options),
    labelOf: () => t('folderName'),
    onDiscard: () => {
      onClose()
      void refreshSignatures()
    },
  })
  return (
    <NameDialog
      title={t('renameFolder')}
      label={t('folderName')}
      onClose={onClose}
      name={folder.name}
      save={name => edit({ name })}
    />
  )
}
