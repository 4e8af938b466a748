// The person's signature as it is and as it would be.
import type { ProfileChange } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { LoadError } from '#ui/page.tsx'
import { ComparedPicture } from './compared-picture.tsx'

export function ChangeComparison({ change }: { readonly change: ProfileChange }) {
  const t = useTranslations('approvals')
  const { data, error, refetch } = useQuery({
    queryKey: ['profile_changes', change.id, 'preview', change.updated_at],
    queryFn: ({ signal }) => api.profileChanges.preview(change.id, { signal }),
    staleTime: 60_000,
  })
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  if (data && data.signature_id === null)
    return <p className="text-[0.8125rem] text-muted">{t('noSignature', { name: change.teammate.name })}</p>
  const isPending = change.status === 'pending'
  return (
    <div className="grid gap-2">
      <div className="grid gap-4 md:grid-cols-2">
        <ComparedPicture
          title={t(isPending ? 'signatureNow' : 'signatureBefore')}
          html={data?.before?.html}
        />
        <ComparedPicture title={t('signatureAfter')} html={data?.after?.html} />
      </div>
      {data && data.before?.html === data.after?.html && (
        <p className="text-[0.8125rem] text-muted">{t('sameSignature')}</p>
      )}
    </div>
  )
}
