// Content that is not stored yet, as the renderer of the service draws it.
import type { Content } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { LoadError } from '#ui/layout/page.tsx'
import { SignatureFrame } from '#ui/picture/signature-frame.tsx'

interface ContentFrameProps {
  readonly content: Content
  /** The part of the key in the cache that tells this content from others. */
  readonly cacheKey: readonly unknown[]
  readonly title: string
  readonly emailId?: string | undefined
  readonly width?: number
  readonly maxHeight?: number
  readonly isEnabled?: boolean
}

export function ContentFrame(props: ContentFrameProps) {
  const { content, cacheKey, title, emailId, width, maxHeight, isEnabled = true } = props
  const t = useTranslations('signatures')
  const { data, error, refetch } = useQuery({
    queryKey: ['content', ...cacheKey, emailId ?? null],
    queryFn: () => api.content.preview({ content, ...(emailId && { email_id: emailId }) }),
    enabled: isEnabled,
    staleTime: 5 * 60_000,
  })
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  if (!data) return <div className="h-28 animate-pulse rounded-lg bg-sunken" />
  if (data.html === '') return <p className="text-[0.8125rem] text-muted">{t('emptyContent')}</p>
  return (
    <SignatureFrame
      html={data.html}
      title={title}
      {...(width !== undefined && { width })}
      {...(maxHeight !== undefined && { maxHeight })}
    />
  )
}
