import type { SignatureVersionListItem } from '@signoff/sdk'
import { useFormatter, useTranslations } from 'use-intl'
import { useCan } from '#api/session.ts'
import { classes } from '#ui/base/classes.ts'
import { Badge } from '#ui/layout/page.tsx'

/** The note that the API writes to a restored version; other notes are shown as they are. */
const restoredNote = /^Restored from version (\d+)$/

interface VersionRowProps {
  readonly row: SignatureVersionListItem
  readonly isLive: boolean
  readonly isChosen: boolean
  readonly onChoose: () => void
}

export function VersionRow({ row, isLive, isChosen, onChoose }: VersionRowProps) {
  const t = useTranslations('signatures')
  const format = useFormatter()
  const canRead = useCan()('signatures:read')
  const restoredNumber = row.note?.match(restoredNote)?.[1]
  return (
    <li>
      <button
        type="button"
        aria-current={isChosen}
        disabled={!canRead}
        onClick={onChoose}
        className={classes(
          'block w-full rounded-xl px-3 py-2.5 text-start transition-colors',
          isChosen ? 'bg-accent-soft' : 'hover:bg-sunken',
        )}
      >
        <span className="flex items-center gap-2 font-medium">
          {t('versionNumber', { number: row.number })}
          {isLive && <Badge variant="good">{t('states.live')}</Badge>}
        </span>
        <span className="mt-0.5 block text-[0.8125rem] text-muted">
          {format.dateTime(new Date(row.published_at), { dateStyle: 'medium', timeStyle: 'short' })}
        </span>
        <span className="block truncate text-[0.8125rem] text-muted">{row.published_by}</span>
        {row.note && (
          <span className="block text-xs text-muted">
            {restoredNumber === undefined ? row.note : t('restoredFrom', { number: restoredNumber })}
          </span>
        )}
      </button>
    </li>
  )
}
