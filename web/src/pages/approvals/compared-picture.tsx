// One of two pictures of a signature, side by side.
import { useTranslations } from 'use-intl'
import { LoadError, Skeleton } from '#ui/layout/page.tsx'
import { SignatureFrame } from '#ui/picture/signature-frame.tsx'

interface ComparedPictureProps {
  readonly title: string
  /** Undefined while it is loaded; null when there is no signature. */
  readonly html: string | null | undefined
  readonly error?: unknown
  readonly onRetry?: () => void
}

export function ComparedPicture({ title, html, error, onRetry }: ComparedPictureProps) {
  const t = useTranslations('approvals')
  return (
    <figure className="min-w-0">
      <figcaption className="mb-1.5 text-xs text-muted">{title}</figcaption>
      <div className="rounded-xl border border-line bg-white p-3">
        {error ? (
          <LoadError error={error} onRetry={() => onRetry?.()} />
        ) : html === undefined ? (
          <Skeleton lines={4} />
        ) : html === null ? (
          <p className="py-6 text-center text-neutral-600">{t('notLive')}</p>
        ) : (
          <SignatureFrame html={html} title={title} width={520} maxHeight={360} />
        )}
      </div>
    </figure>
  )
}
