// Two people have changed the same thing: both versions, and the choice between them.
import { useEffect, useRef } from 'react'
import { useTranslations } from 'use-intl'
import type { ConflictRow } from '#state/use-edit.ts'
import { Button } from '../base/button.tsx'
import { Icon } from '../base/icon.tsx'

interface ConflictNoticeProps {
  /** The changes of this person, or those of the other person. */
  readonly rows: readonly ConflictRow[]
  readonly onTakeStored: () => void
  readonly onTakeMine: () => void
  readonly isPending?: boolean
}

export function ConflictNotice({ rows, onTakeStored, onTakeMine, isPending = false }: ConflictNoticeProps) {
  const t = useTranslations('shell')
  const frame = useRef<HTMLDivElement>(null)
  useEffect(() => frame.current?.focus(), [])
  return (
    <div
      ref={frame}
      role="alert"
      tabIndex={-1}
      className="rounded-2xl border border-warn/40 bg-warn-soft p-4 outline-none"
    >
      <p className="flex items-center gap-2 font-medium text-warn">
        <Icon name="triangle-alert" size={18} />
        {t('staleTitle')}
      </p>
      <p className="mt-1 text-[0.8125rem]">{t('staleText')}</p>
      {rows.length > 0 && (
        <div className="mt-3 grid gap-2">
          {rows.map(({ id, label, yours, stored }) => (
            <dl
              key={id}
              className="grid gap-x-4 gap-y-1 rounded-xl bg-card p-3 text-[0.8125rem] sm:grid-cols-2"
            >
              <p className="font-medium sm:col-span-2">{label}</p>
              <div className="min-w-0">
                <dt className="text-muted">{t('yours')}</dt>
                <dd>{yours}</dd>
              </div>
              <div className="min-w-0">
                <dt className="text-muted">{t('theirs')}</dt>
                <dd>{stored}</dd>
              </div>
            </dl>
          ))}
        </div>
      )}
      <div className="mt-4 flex flex-wrap gap-2">
        <Button onPress={onTakeStored} isDisabled={isPending}>
          {t('takeTheirs')}
        </Button>
        <Button variant="primary" onPress={onTakeMine} isPending={isPending}>
          {t('takeMine')}
        </Button>
      </div>
    </div>
  )
}
