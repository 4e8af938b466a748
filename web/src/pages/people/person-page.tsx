import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { useCan } from '#api/session.tsx'
import { useNameOf } from '#api/teammates.ts'
import { NotFoundPage } from '#records/failures.tsx'
import { personQuery } from '#records/people/person-data.ts'
import { codeOf } from '#state/errors.ts'
import { Badge, LoadError, Notice, Page, Skeleton } from '#ui/page.tsx'
import { AddressesCard } from './person/addresses-card.tsx'
import { HistoryCard } from './person/history-card.tsx'
import { InstallationsCard } from './person/installations-card.tsx'
import { PendingCard } from './person/pending-card.tsx'
import { PersonMenu } from './person/person-menu.tsx'
import { PictureCard } from './person/picture-card.tsx'
import { PersonSignatureCard } from './person/signature-card.tsx'
import { SourceBadge } from './person/source-badge.tsx'
import { ValuesCard } from './person/values-card.tsx'

const parentOf = (label: string) => ({ to: '/people', label })

export default function PersonPage() {
  const t = useTranslations('people')
  const can = useCan()
  const nameOf = useNameOf()
  const { id = '' } = useParams({ strict: false }) as { readonly id?: string }
  const { data: stored, error, refetch } = useQuery(personQuery(id))
  if (error && ['not_found', 'invalid'].includes(codeOf(error))) return <NotFoundPage />
  if (!stored)
    return (
      <Page title={t('person')} parent={parentOf(t('title'))}>
        {error ? <LoadError error={error} onRetry={() => void refetch()} /> : <Skeleton lines={8} />}
      </Page>
    )
  const person = stored.data
  return (
    <Page
      title={nameOf(person)}
      parent={parentOf(t('title'))}
      about={
        <span className="flex flex-wrap items-center gap-2">
          {person.email}
          {person.source === 'directory' && <SourceBadge integrationId={person.integration_id} />}
          {!person.active && <Badge look="warn">{t('inactive')}</Badge>}
        </span>
      }
      actions={<PersonMenu person={person} />}
    >
      {!person.active && (
        <div className="mb-4">
          <Notice kind="warn">{t('inactiveText')}</Notice>
        </div>
      )}
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="grid min-w-0 grid-cols-1 gap-4">
          <PendingCard person={person} />
          <PersonSignatureCard person={person} />
          <ValuesCard key={person.id} person={person} />
        </div>
        <div className="grid min-w-0 grid-cols-1 gap-4">
          <PictureCard person={person} />
          <AddressesCard person={person} />
          <InstallationsCard person={person} />
          {can('audit_log:read') && <HistoryCard person={person} />}
        </div>
      </div>
    </Page>
  )
}
