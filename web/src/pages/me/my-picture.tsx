import type { ProfileChange, SmartField, Teammate } from '@signoff/sdk'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { FileTrigger } from 'react-aria-components/FileTrigger'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { useNameOf } from '#api/teammates.ts'
import { useMessageOf } from '#state/error-messages.ts'
import { Button } from '#ui/base/button.tsx'
import { toast, toastError } from '#ui/feedback/toast.tsx'
import { Avatar } from '#ui/picture/avatar.tsx'
import type { CropBox } from '#ui/picture/crop-area.tsx'
import { CropDialog } from '#ui/picture/crop-dialog.tsx'
import { imageTypes } from '#ui/picture/image-types.ts'
import { ChangeNote } from './change-note.tsx'
import { refreshMine } from './my-data.ts'

interface MyPictureProps {
  readonly teammate: Teammate
  readonly field: SmartField
  readonly src: string
  readonly change: ProfileChange | undefined
}

function useMyPicture({ teammate, field }: Pick<MyPictureProps, 'teammate' | 'field'>, onDone: () => void) {
  const t = useTranslations('me')
  const messageOf = useMessageOf()
  const done = (isWaiting: boolean) => {
    onDone()
    toast(isWaiting ? t('savedWaits', { count: 1 }) : t('pictureSaved'))
    void refreshMine()
  }
  const set = useMutation({
    mutationFn: async ({ file, crop }: { readonly file: File; readonly crop: CropBox }) => {
      const picture = { file_base64: file, filename: file.name, crop }
      const { body } = await api.teammates.setImage(teammate.id, field.id, picture).raw()
      return (body.pending_changes?.length ?? 0) > 0
    },
    onSuccess: done,
  })
  const remove = useMutation({
    mutationFn: async () => (await api.teammates.deleteImage(teammate.id, field.id).raw()).status === 202,
    onSuccess: done,
    onError: error => toastError(messageOf(error)),
  })
  return { set, remove, error: set.error ? messageOf(set.error) : undefined }
}

export function MyPicture({ teammate, field, src, change }: MyPictureProps) {
  const t = useTranslations('me')
  const nameOf = useNameOf()
  const [file, setFile] = useState<File | null>(null)
  const { set, remove, error } = useMyPicture({ teammate, field }, () => setFile(null))
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-center gap-4">
        <Avatar name={nameOf(teammate)} src={src || null} size={64} />
        <div>
          <p className="mb-1.5 text-[0.8125rem] font-medium">{field.label}</p>
          <div className="flex flex-wrap gap-2">
            <FileTrigger
              acceptedFileTypes={imageTypes}
              onSelect={files => {
                set.reset()
                setFile(files?.[0] ?? null)
              }}
            >
              <Button isSmall icon="upload">
                {src ? t('changePicture') : t('addPicture')}
              </Button>
            </FileTrigger>
            {src && (
              <Button isSmall variant="quiet" isPending={remove.isPending} onPress={() => remove.mutate()}>
                {t('removePicture')}
              </Button>
            )}
          </div>
        </div>
      </div>
      {change && <ChangeNote change={change} />}
      {file && (
        <CropDialog
          picture={file}
          onClose={() => setFile(null)}
          onDone={crop => set.mutate({ file, crop })}
          isPending={set.isPending}
          error={error}
        />
      )}
    </div>
  )
}
