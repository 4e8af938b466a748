import { useTranslations } from 'use-intl'
import { IconButton } from '#ui/base/button.tsx'
import { Icon } from '#ui/base/icon.tsx'
import type { Upload } from './use-uploads.ts'

const icons = { waiting: 'clock', sending: 'upload', done: 'circle-check', failed: 'circle-alert' } as const
const variants = {
  waiting: 'text-muted',
  sending: 'text-accent',
  done: 'text-good',
  failed: 'text-bad',
} as const

interface UploadListProps {
  readonly uploads: readonly Upload[]
  readonly onDismiss: (id: number) => void
}

export function UploadList({ uploads, onDismiss }: UploadListProps) {
  const t = useTranslations('assets.uploads')
  const done = uploads.filter(({ status }) => status === 'done').length
  if (uploads.length === 0) return null
  return (
    <section aria-label={t('title')} className="mb-5 rounded-2xl border border-line bg-card p-4">
      <p role="status" className="mb-2 text-[0.8125rem] font-medium">
        {t('progress', { done, total: uploads.length })}
      </p>
      <ul className="grid gap-2">
        {uploads.map(({ id, name, part, status, problem }) => (
          <li key={id} className="flex items-center gap-3">
            <Icon name={icons[status]} className={variants[status]} />
            <div className="min-w-0 flex-1">
              <p className="truncate text-[0.8125rem]">{name}</p>
              {problem === undefined ? (
                <div
                  role="progressbar"
                  aria-label={name}
                  aria-valuenow={Math.round(part * 100)}
                  aria-valuemin={0}
                  aria-valuemax={100}
                  className="mt-1 h-1 overflow-hidden rounded-full bg-sunken"
                >
                  <div className="h-full bg-accent transition-[width]" style={{ width: `${part * 100}%` }} />
                </div>
              ) : (
                <p role="alert" className="text-[0.8125rem] text-bad">
                  {problem}
                </p>
              )}
            </div>
            {(status === 'done' || status === 'failed') && (
              <IconButton icon="x" label={t('dismiss', { name })} onPress={() => onDismiss(id)} />
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
