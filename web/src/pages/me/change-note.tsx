import type { ProfileChange } from '@signoff/sdk'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { Button } from '#ui/base/button.tsx'
import { useAction } from '#ui/feedback/use-action.ts'
import { Notice } from '#ui/layout/page.tsx'
import { refreshMine } from './my-data.ts'

/** A change that waits for a manager, or that a manager has decided. */
export function ChangeNote({ change }: { readonly change: ProfileChange }) {
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
