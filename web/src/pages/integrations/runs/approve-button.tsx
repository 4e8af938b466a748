// Lets the people of a held run leave, after a question that says how many.
import type { Integration, SyncRun } from '@signoff/sdk'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { useCan } from '#api/session.tsx'
import { Button } from '#ui/button.tsx'
import { ConfirmDialog } from '#ui/dialog.tsx'
import { useAction } from '#ui/use-action.ts'
import { refreshDirectories } from '../data.ts'
import { directoryValuesOf } from '../settings/settings-values.ts'

interface ApproveButtonProps {
  readonly run: SyncRun
  readonly integration: Integration
}

export function ApproveButton({ run, integration }: ApproveButtonProps) {
  const t = useTranslations('integrations.held')
  const can = useCan()
  const [isAsking, setAsking] = useState(false)
  const approve = useAction(refreshDirectories, {
    run: () => api.syncRuns.approve(run.id),
    done: () => t('approved'),
  })
  if (!can('integrations:write')) return null
  const counts = { people: run.people_held, members: run.members_held }
  return (
    <>
      <Button look="primary" onPress={() => setAsking(true)}>
        {t('approve', counts)}
      </Button>
      <ConfirmDialog
        title={t('question', counts)}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        action={t('confirm', counts)}
        isPending={approve.isPending}
        onConfirm={() => approve.mutate(undefined, { onSettled: () => setAsking(false) })}
      >
        <p>{t('questionText', { days: directoryValuesOf(integration).grace_days })}</p>
        <p className="mt-2">{t('questionHint')}</p>
      </ConfirmDialog>
    </>
  )
}
