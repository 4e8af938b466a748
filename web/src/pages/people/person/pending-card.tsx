// Changes that the person has asked for, and that wait for a decision.
import type { ProfileChange, Teammate } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { fieldLabel } from '#api/field-labels.ts'
import { useCan } from '#api/session.ts'
import { usePersonAction } from '#records/people/person-data.ts'
import { Button } from '#ui/base/button.tsx'
import { Card } from '#ui/layout/page.tsx'

const ShownValue = ({ change, value }: { readonly change: ProfileChange; readonly value: string | null }) => {
  const t = useTranslations('people.pending')
  if (value === null) return <span className="text-muted">{t('nothing')}</span>
  if (change.field.kind !== 'image') return <>{value}</>
  return (
    <img
      src={value}
      alt={fieldLabel(change.field.label)}
      className="inline size-10 rounded-lg object-cover"
    />
  )
}

function PendingRow({ change }: { readonly change: ProfileChange }) {
  const t = useTranslations('people.pending')
  const can = useCan()
  const approve = usePersonAction(() => api.profileChanges.approve(change.id), t('approved'), t('failed'))
  const reject = usePersonAction(() => api.profileChanges.reject(change.id), t('rejected'), t('failed'))
  return (
    <li className="flex flex-wrap items-center gap-3 py-2.5">
      <div className="min-w-48 flex-1">
        <p className="font-medium">{fieldLabel(change.field.label)}</p>
        <p className="text-[0.8125rem]">
          <span className="text-muted line-through">
            <ShownValue change={change} value={change.current_value} />
          </span>{' '}
          → <ShownValue change={change} value={change.after_value} />
        </p>
      </div>
      {can('teammates:write') && (
        <>
          <Button isSmall isPending={reject.isPending} onPress={() => reject.mutate()}>
            {t('reject')}
          </Button>
          <Button isSmall variant="primary" isPending={approve.isPending} onPress={() => approve.mutate()}>
            {t('approve')}
          </Button>
        </>
      )}
    </li>
  )
}

export function PendingCard({ person }: { readonly person: Teammate }) {
  const t = useTranslations('people.pending')
  const { data = [] } = useQuery({
    queryKey: ['teammates', person.id, 'pending'],
    queryFn: () => api.profileChanges.list({ teammate_id: person.id, status: 'pending', limit: 50 }),
  })
  if (data.length === 0) return null
  return (
    <Card title={t('title', { count: data.length })} about={t('about')}>
      <ul className="-my-2.5 divide-y divide-line">
        {data.map(change => (
          <PendingRow key={change.id} change={change} />
        ))}
      </ul>
    </Card>
  )
}
