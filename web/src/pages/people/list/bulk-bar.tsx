// What can be done with the people that are ticked.
import type { SmartField } from '@signoff/sdk'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { queryClient } from '#api/client.ts'
import { useCan } from '#api/session.ts'
import { type PeopleFilters, peopleKey } from '#records/people/people-data.ts'
import { useMessageOf } from '#state/error-messages.ts'
import { Button } from '#ui/base/button.tsx'
import { onDemand } from '#ui/base/on-demand.tsx'
import { ProgressBar } from '#ui/feedback/progress-bar.tsx'
import { toast, toastError } from '#ui/feedback/toast.tsx'
import { ConfirmDialog } from '#ui/overlay/dialog.tsx'
import { deletePeople, type OnProgress, setActivity } from './bulk-work.ts'
import type { PeopleSelection } from './use-people-selection.ts'

const BulkEditDialog = onDemand(() => import('./bulk-edit-dialog.tsx'))

interface BulkBarProps {
  readonly selection: PeopleSelection
  readonly filters: PeopleFilters
  readonly fields: readonly SmartField[]
}

type Work = 'activate' | 'deactivate' | 'delete'

const workers: Readonly<
  Record<Work, (selection: PeopleSelection, onProgress: OnProgress) => Promise<number>>
> = {
  activate: (selection, onProgress) => setActivity(selection, true, onProgress),
  deactivate: (selection, onProgress) => setActivity(selection, false, onProgress),
  delete: deletePeople,
}

function useBulkWork(selection: PeopleSelection, onEnd: () => void) {
  const t = useTranslations('people.bulk')
  const messageOf = useMessageOf()
  const [progress, setProgress] = useState({ done: 0, total: 0 })
  const mutation = useMutation({
    mutationFn: (work: Work) => workers[work](selection, (done, total) => setProgress({ done, total })),
    onSuccess: (count, work) => {
      toast(t(`${work}Done`, { count }))
      selection.clear()
    },
    onError: error => toastError(t('stopped'), messageOf(error)),
    onSettled: () => {
      void queryClient.invalidateQueries({ queryKey: peopleKey })
      onEnd()
    },
  })
  return { ...mutation, progress }
}

export function BulkBar({ selection, filters, fields }: BulkBarProps) {
  const t = useTranslations('people.bulk')
  const can = useCan()
  const [asked, setAsked] = useState<Work | null>(null)
  const [isEditing, setEditing] = useState(false)
  const { mutate, isPending, progress } = useBulkWork(selection, () => setAsked(null))
  const { count } = selection
  return (
    <section
      aria-label={t('label')}
      className="mb-3 flex flex-wrap items-center gap-2 rounded-xl border border-accent/30 bg-accent-soft px-3 py-2"
    >
      <p role="status" className="me-auto font-medium text-accent">
        {selection.isWholeList ? t('allSelected', { count }) : t('selected', { count })}
      </p>
      {can('teammates:write') && (
        <>
          <Button isSmall icon="square-pen" onPress={() => setEditing(true)}>
            {t('edit')}
          </Button>
          <Button isSmall onPress={() => setAsked('activate')}>
            {t('activate')}
          </Button>
          <Button isSmall onPress={() => setAsked('deactivate')}>
            {t('deactivate')}
          </Button>
        </>
      )}
      {can('teammates:delete') && (
        <Button isSmall onPress={() => setAsked('delete')}>
          {t('delete')}
        </Button>
      )}
      <Button isSmall variant="quiet" onPress={selection.clear}>
        {t('clear')}
      </Button>
      {asked !== null && (
        <ConfirmDialog
          title={t(`${asked}Title`, { count })}
          onClose={() => isPending || setAsked(null)}
          action={t(asked)}
          isDangerous={asked === 'delete'}
          isPending={isPending}
          onConfirm={() => mutate(asked)}
        >
          <p>{t(`${asked}Text`)}</p>
          {isPending && progress.total > 0 && (
            <div className="mt-4">
              <ProgressBar label={t('progress')} value={progress.done} max={progress.total} />
            </div>
          )}
        </ConfirmDialog>
      )}
      {isEditing && <BulkEditDialog {...{ selection, filters, fields }} onClose={() => setEditing(false)} />}
    </section>
  )
}
