// The pictures of a person: choose a file, then the part that is shown.
import type { SmartField, Teammate } from '@signoff/sdk'
import { useState } from 'react'
import { FileTrigger } from 'react-aria-components/FileTrigger'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { useCan } from '#api/session.ts'
import { useNameOf } from '#api/teammates.ts'
import { lockOf, useSmartFields, valueIn } from '#records/people/people-data.ts'
import { usePersonAction } from '#records/people/person-data.ts'
import { Button } from '#ui/base/button.tsx'
import { Card } from '#ui/layout/page.tsx'
import { Avatar } from '#ui/picture/avatar.tsx'
import type { CropBox } from '#ui/picture/crop-area.tsx'
import { CropDialog } from '#ui/picture/crop-dialog.tsx'
import { imageTypes } from '#ui/picture/image-types.ts'

interface PictureProps {
  readonly person: Teammate
  readonly field: SmartField
}

function PictureRow({ person, field }: PictureProps) {
  const t = useTranslations('people.picture')
  const can = useCan()
  const nameOf = useNameOf()
  const [file, setFile] = useState<File | null>(null)
  const src = valueIn(person, field.id)
  const lock = lockOf(field)
  const set = usePersonAction(
    async ({ picture, crop }: { readonly picture: File; readonly crop: CropBox }) => {
      await api.teammates.setImage(person.id, field.id, {
        file_base64: picture,
        filename: picture.name,
        crop: { ...crop },
      })
      setFile(null)
    },
    t('saved'),
    t('failed'),
  )
  const remove = usePersonAction(
    () => api.teammates.deleteImage(person.id, field.id),
    t('removed'),
    t('failed'),
  )
  const isEditable = can('teammates:write') && lock === null
  return (
    <div className="flex items-center gap-4">
      <Avatar name={nameOf(person)} src={src} size={72} />
      <div className="grid min-w-0 justify-items-start gap-1.5">
        <p className="font-medium">{field.label}</p>
        {lock === 'directory' && <p className="text-[0.8125rem] text-muted">{t('fromDirectory')}</p>}
        {isEditable && (
          <div className="flex flex-wrap gap-1.5">
            <FileTrigger acceptedFileTypes={imageTypes} onSelect={files => setFile(files?.item(0) ?? null)}>
              <Button isSmall>{src ? t('change') : t('choose')}</Button>
            </FileTrigger>
            {src && (
              <Button isSmall variant="quiet" isPending={remove.isPending} onPress={() => remove.mutate()}>
                {t('remove')}
              </Button>
            )}
          </div>
        )}
      </div>
      {file && (
        <CropDialog
          picture={file}
          onClose={() => setFile(null)}
          isPending={set.isPending}
          onDone={crop => set.mutate({ picture: file, crop })}
        />
      )}
    </div>
  )
}

export function PictureCard({ person }: { readonly person: Teammate }) {
  const t = useTranslations('people.picture')
  const fields = useSmartFields().filter(({ kind }) => kind === 'image')
  if (fields.length === 0) return null
  return (
    <Card title={t('title')}>
      <div className="grid gap-4">
        {fields.map(field => (
          <PictureRow key={field.id} {...{ person, field }} />
        ))}
      </div>
    </Card>
  )
}
