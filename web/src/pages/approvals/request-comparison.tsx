// The signature as it is and as it would be, drawn for one of its recipients.
import type { Content } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { LoadError, Skeleton } from '#ui/layout/page.tsx'
import { ComparedPicture } from './compared-picture.tsx'

interface PictureProps {
  readonly title: string
  readonly content: Content | null
  readonly emailId: string | undefined
  readonly queryKey: readonly unknown[]
}

function Picture({ title, content, emailId, queryKey }: PictureProps) {
  const { data, error, refetch } = useQuery({
    queryKey: [...queryKey, emailId],
    queryFn: ({ signal }) =>
      api.content.preview(
        { content: content as Content, ...(emailId !== undefined && { email_id: emailId }) },
        { signal },
      ),
    enabled: content !== null,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <ComparedPicture
      title={title}
      html={content === null ? null : data?.html}
      error={error}
      onRetry={() => void refetch()}
    />
  )
}

/** The first recipient, so that the pictures show values instead of placeholders. */
function useSample(signatureId: string) {
  return useQuery({
    queryKey: ['signatures', signatureId, 'sample'],
    queryFn: async () => (await api.signatures.recipients.list(signatureId, { limit: 1 }))[0] ?? null,
    staleTime: 300_000,
  })
}

export function RequestComparison({
  id,
  signatureId,
}: {
  readonly id: string
  readonly signatureId: string
}) {
  const t = useTranslations('approvals')
  const { data, error, refetch } = useQuery({
    queryKey: ['publication_requests', id],
    queryFn: () => api.publicationRequests.get(id),
  })
  const sample = useSample(signatureId)
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  if (!data || sample.isPending) return <Skeleton lines={5} />
  const emailId = sample.data?.id
  const isPending = data.status === 'pending'
  return (
    <div className="grid gap-2">
      <div className="grid gap-4 md:grid-cols-2">
        <Picture
          title={isPending ? t('live') : t('before')}
          content={data.before}
          emailId={emailId}
          queryKey={['publication_requests', id, 'before', data.updated_at]}
        />
        <Picture
          title={t('after')}
          content={data.after}
          emailId={emailId}
          queryKey={['publication_requests', id, 'after']}
        />
      </div>
      {sample.data && <p className="text-xs text-muted">{t('shownFor', { address: sample.data.address })}</p>}
    </div>
  )
}
