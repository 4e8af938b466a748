import type { ProfileChange } from '@signoff/sdk'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { useCan } from '#api/session.ts'
import { useMessageOf } from '#state/error-messages.ts'
import { Button } from '#ui/base/button.tsx'
import { toast, toastError } from '#ui/feedback/toast.tsx'
import { Checkbox } from '#ui/form/choice.tsx'
import { ChangeCard } from './change-card.tsx'
import { refreshAfter } from './use-decision.ts'

const drawnAtOnce = 5

/** One after the other: each approval is a decision of its own, and one that fails does not stop the rest. */
async function approveEach(ids: readonly string[]): Promise<{ done: number; firstError: unknown }> {
  let done = 0
  let firstError: unknown
  for (const id of ids) {
    try {
      await api.profileChanges.approve(id)
      done += 1
    } catch (error) {
      firstError ??= error
    }
  }
  return { done, firstError }
}

function useBulkApproval(onDone: () => void) {
  const t = useTranslations('approvals')
  const messageOf = useMessageOf()
  return useMutation({
    mutationFn: approveEach,
    onSuccess: ({ done, firstError }, ids) => {
      if (done > 0) toast(t('approvedMany', { count: done }))
      if (firstError !== undefined)
        toastError(t('failedMany', { count: ids.length - done }), messageOf(firstError))
      onDone()
    },
    onSettled: () => refreshAfter('profile_changes'),
  })
}

export function ChangeList({ changes }: { readonly changes: readonly ProfileChange[] }) {
  const t = useTranslations('approvals')
  const can = useCan()
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const pending = changes.filter(({ status }) => status === 'pending').map(({ id }) => id)
  const selected = pending.filter(id => chosen.has(id))
  const bulk = useBulkApproval(() => setChosen(new Set()))
  const select = (id: string, isSelected: boolean) => {
    const next = new Set(chosen)
    if (isSelected) next.add(id)
    else next.delete(id)
    setChosen(next)
  }
  return (
    <div className="grid grid-cols-1 gap-3">
      {pending.length > 1 && can('teammates:write') && (
        <div className="flex min-h-9 flex-wrap items-center gap-4 px-4">
          <Checkbox
            isSelected={selected.length === pending.length}
            isIndeterminate={selected.length > 0 && selected.length < pending.length}
            onChange={isSelected => setChosen(new Set(isSelected ? pending : []))}
          >
            {t('selectAll')}
          </Checkbox>
          {selected.length > 0 && (
            <Button
              variant="primary"
              icon="check"
              isSmall
              isPending={bulk.isPending}
              onPress={() => bulk.mutate(selected)}
            >
              {t('approveMany', { count: selected.length })}
            </Button>
          )}
        </div>
      )}
      <ul className="grid grid-cols-1 gap-3">
        {changes.map((change, index) => (
          <ChangeCard
            key={change.id}
            change={change}
            showsPictures={change.status === 'pending' && index < drawnAtOnce}
            isSelected={chosen.has(change.id)}
            {...(pending.length > 1 && { onSelect: (isSelected: boolean) => select(change.id, isSelected) })}
          />
        ))}
      </ul>
    </div>
  )
}
