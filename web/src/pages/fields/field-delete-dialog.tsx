import type { SmartField, SmartFieldUsage } from '@signoff/sdk'
import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { api, queryClient } from '#api/client.ts'
import { useMessageOf } from '#state/error-texts.ts'
import { Button } from '#ui/button.tsx'
import { Actions, ConfirmDialog, Dialog } from '#ui/dialog.tsx'
import { Notice } from '#ui/page.tsx'
import { toast } from '#ui/toast.tsx'
import { FieldUses } from './field-uses.tsx'

interface FieldDeleteProps {
  readonly field: SmartField
  readonly usage: SmartFieldUsage | undefined
  readonly onClose: () => void
}

export function FieldDeleteDialog({ field, usage, onClose }: FieldDeleteProps) {
  const t = useTranslations('fields')
  const shell = useTranslations('shell')
  const messageOf = useMessageOf()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => api.smartFields.delete(field.id),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: ['smart_fields'] })
      void queryClient.invalidateQueries({ queryKey: ['teammates'] })
      toast(t('deleted', { field: field.label }))
      onClose()
    },
  })
  if (usage && usage.used_in.length > 0)
    return (
      <Dialog title={t('inUseTitle', { field: field.label })} isOpen onClose={onClose} size="small">
        <p className="mb-3 text-muted">{t('inUseText')}</p>
        <FieldUses usage={usage} isFull />
        <Actions>
          <Button look="primary" onPress={onClose}>
            {shell('close')}
          </Button>
        </Actions>
      </Dialog>
    )
  return (
    <ConfirmDialog
      title={t('deleteTitle', { field: field.label })}
      isOpen
      onClose={onClose}
      action={shell('delete')}
      isPending={isPending}
      onConfirm={() => mutate()}
    >
      <p>{t('deleteText')}</p>
      {error && (
        <div role="alert" className="mt-3">
          <Notice kind="bad">{messageOf(error)}</Notice>
        </div>
      )}
    </ConfirmDialog>
  )
}
