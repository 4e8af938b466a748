import type { ProfileChange, SmartField, Teammate } from '@signoff/sdk'
import { useMutation } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { FileTrigger } from 'react-aria-components/FileTrigger'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { useCan } from '#api/session.ts'
import { useNameOf } from '#api/teammates.ts'
import { valueIn } from '#records/people/people-data.ts'
import { usePersonValues } from '#records/people/person-values.ts'
import { useMessageOf } from '#state/error-messages.ts'
import { Button } from '#ui/base/button.tsx'
import { toast, toastError } from '#ui/feedback/toast.tsx'
import { useAction } from '#ui/feedback/use-action.ts'
import { TextField } from '#ui/form/field.tsx'
import { ResourceForm } from '#ui/form/resource-form.tsx'
import { Card, Notice, Skeleton } from '#ui/layout/page.tsx'
import { Avatar } from '#ui/picture/avatar.tsx'
import type { CropBox } from '#ui/picture/crop-area.tsx'
import { CropDialog } from '#ui/picture/crop-dialog.tsx'
import { imageTypes } from '#ui/picture/image-types.ts'
import { refreshMine, useMyChanges, useMyFields } from './my-data.ts'

/** A change that waits for a manager, or that a manager has decided. */
function ChangeNote({ change }: { readonly change: ProfileChange }) {
  const t = useTranslations('me')
  const withdraw = useAction(refreshMine, {
    run: () => api.profileChanges.withdraw(change.id),
    done: () => t('withdrawn'),
  })
  const isPicture = change.field.kind === 'image'
  const value = change.after_value ?? ''
  if (change.status === 'rejected')
    return (
      <Notice kind="warn">
        {isPicture ? t('rejectedPicture') : t('rejected', { value })}
        {change.reason && <p className="mt-0.5">{t('reason', { reason: change.reason })}</p>}
      </Notice>
    )
  if (change.status === 'approved')
    return (
      <Notice kind="good">
        {isPicture ? t('approvedPicture') : t('approved', { value: value || t('empty') })}
      </Notice>
    )
  return (
    <Notice>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <span>{isPicture ? t('waitingPicture') : t('waiting', { value: value || t('empty') })}</span>
        <Button isSmall variant="quiet" isPending={withdraw.isPending} onPress={() => withdraw.mutate()}>
          {t('withdraw')}
        </Button>
      </div>
    </Notice>
  )
}

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

function MyPicture({ teammate, field, src, change }: MyPictureProps) {
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

const inputTypes = { text: 'text', url: 'url', email: 'email', phone: 'tel', image: 'text' } as const

/** The own values that the person can change. */
export function MyDetails({ teammate }: { readonly teammate: Teammate }) {
  const t = useTranslations('me')
  const fields = useMyFields(teammate)
  const changes = useMyChanges(teammate.id)
  const texts = fields.filter(({ kind }) => kind !== 'image')
  const pictures = fields.filter(({ kind }) => kind === 'image')
  if (fields.length === 0)
    return (
      <Card title={t('details')}>
        <p className="text-muted">{t('nothingEditable')}</p>
      </Card>
    )
  return (
    <Card title={t('details')} about={t('detailsAbout')}>
      <div className="grid gap-5">
        {pictures.map(field => (
          <MyPicture
            key={field.id}
            teammate={teammate}
            field={field}
            src={valueIn(teammate, field.id) ?? ''}
            change={changes.get(field.id)}
          />
        ))}
        {texts.length > 0 && (
          <Suspense fallback={<Skeleton lines={4} />}>
            <MyTexts teammateId={teammate.id} fields={texts} changes={changes} />
          </Suspense>
        )}
      </div>
    </Card>
  )
}

interface MyTextsProps {
  readonly teammateId: string
  readonly fields: readonly SmartField[]
  readonly changes: ReadonlyMap<string, ProfileChange>
}

function MyTexts({ teammateId, fields, changes }: MyTextsProps) {
  const t = useTranslations('me')
  const { draft, change, form } = usePersonValues(
    teammateId,
    id => fields.find(field => field.id === id)?.label ?? '',
    () => void refreshMine(),
  )
  return (
    <ResourceForm {...form} savedText={count => (count > 0 ? t('savedWaits', { count }) : undefined)}>
      {fields.map(field => (
        <MyField
          key={field.id}
          field={field}
          value={draft[field.id] ?? ''}
          onChange={value => change({ [field.id]: value })}
          change={changes.get(field.id)}
        />
      ))}
    </ResourceForm>
  )
}

interface MyFieldProps {
  readonly field: SmartField
  readonly value: string
  readonly onChange: (value: string) => void
  readonly change: ProfileChange | undefined
}

function MyField({ field, value, onChange, change }: MyFieldProps) {
  const t = useTranslations('me')
  // A manager's own changes need no approval.
  const isGuarded = field.approval === 'required' && !useCan()('teammates:write')
  return (
    <div className="grid gap-2">
      <TextField
        label={field.label}
        name={field.id}
        type={inputTypes[field.kind]}
        value={value}
        onChange={onChange}
        maxLength={5_000}
        {...(isGuarded && { hint: t('needsApproval') })}
      />
      {change && <ChangeNote change={change} />}
    </div>
  )
}
