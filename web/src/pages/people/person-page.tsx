import type { ProfileChange, Teammate } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { fieldLabel } from '#api/field-labels.ts'
import { useDrivingDirectory, useSourceName } from '#api/integrations.ts'
import { useCan } from '#api/session.ts'
import { useNameOf } from '#api/teammates.ts'
import { useActorOf, usePhraseOf } from '#records/audit/audit-messages.ts'
import { NotFoundPage } from '#records/failures.tsx'
import { personQuery, usePersonAction } from '#records/people/person-data.ts'
import { codeOf } from '#state/errors.ts'
import { searchOf } from '#state/search-of.ts'
import { Button, LinkButton } from '#ui/base/button.tsx'
import { Icon } from '#ui/base/icon.tsx'
import { PathLink } from '#ui/base/text-link.tsx'
import { Badge, Card, LoadError, LoadState, Notice, Page, Skeleton } from '#ui/layout/page.tsx'
import { ConfirmDialog } from '#ui/overlay/dialog.tsx'
import { Menu } from '#ui/overlay/menu.tsx'
import { AddressesCard } from './person/addresses-card.tsx'
import { InstallationsCard } from './person/installations-card.tsx'
import { PictureCard } from './person/picture-card.tsx'
import { PersonSignatureCard } from './person/signature-card.tsx'
import { ValuesCard } from './person/values-card.tsx'

// Changes that the person has asked for, and that wait for a decision.

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

function PendingCard({ person }: { readonly person: Teammate }) {
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

/** The changes of a person, each with its actor. */
function HistoryCard({ person }: { readonly person: Teammate }) {
  const t = useTranslations('people.history')
  const format = useFormatter()
  const actorOf = useActorOf()
  const { data, error, refetch } = useQuery({
    queryKey: ['teammates', person.id, 'history'],
    queryFn: () => api.auditLog.list({ resource_id: person.id, limit: 10 }),
  })
  const phraseOf = usePhraseOf()
  return (
    <Card
      title={t('title')}
      actions={
        <LinkButton to="/settings/audit" search={searchOf({ id: person.id })} isSmall variant="quiet">
          {t('all')}
        </LinkButton>
      }
    >
      <LoadState query={{ data, error, refetch }} lines={3} />
      {data?.length === 0 && <p className="text-[0.8125rem] text-muted">{t('empty')}</p>}
      <ol className="grid gap-2.5">
        {data?.map(entry => (
          <li key={entry.id} className="text-[0.8125rem]">
            <span className="font-medium">{actorOf(entry)}</span> {phraseOf(entry.action)}
            <span className="block text-muted">
              {format.dateTime(new Date(entry.created_at), { dateStyle: 'medium', timeStyle: 'short' })}
            </span>
          </li>
        ))}
      </ol>
    </Card>
  )
}

function PersonMenu({ person }: { readonly person: Teammate }) {
  const t = useTranslations('people')
  const shell = useTranslations('shell')
  const can = useCan()
  const directory = useDrivingDirectory()
  const nameOf = useNameOf()
  const navigate = useNavigate()
  const [isAsking, setAsking] = useState(false)
  const ids = [person.id]
  const failed = t('notDone')
  const deactivate = usePersonAction(() => api.teammates.deactivate({ ids }), t('deactivated'), failed, {
    label: t('undo'),
    send: () => api.teammates.activate({ ids }),
  })
  const activate = usePersonAction(() => api.teammates.activate({ ids }), t('activated'), failed)
  const remove = usePersonAction(
    async () => {
      await api.teammates.delete(person.id)
      await navigate({ to: '/people' as string })
    },
    t('deleted', { name: nameOf(person) }),
    failed,
  )
  // Who there is, and who is active, is decided there.
  if (!can('teammates:write') || directory) return null
  return (
    <>
      <Menu
        label={shell('more')}
        trigger={<Button icon="ellipsis">{shell('more')}</Button>}
        entries={[
          person.active
            ? { id: 'off', label: t('bulk.deactivate'), icon: 'pause', onAction: () => deactivate.mutate() }
            : { id: 'on', label: t('bulk.activate'), icon: 'play', onAction: () => activate.mutate() },
          can('teammates:delete') && {
            id: 'delete',
            label: shell('delete'),
            icon: 'circle-x',
            isDangerous: true,
            beginsGroup: true,
            onAction: () => setAsking(true),
          },
        ]}
      />
      <ConfirmDialog
        title={t('bulk.deleteTitle', { count: 1 })}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        action={shell('delete')}
        mutation={remove}
      >
        {t('bulk.deleteText')}
      </ConfirmDialog>
    </>
  )
}

/** The directory that a person comes from. */
function SourceBadge({ integrationId }: { readonly integrationId: string | null }) {
  const t = useTranslations('people')
  const name = useSourceName()(integrationId)
  if (name === undefined) return <Badge>{t('filters.sourceDirectory')}</Badge>
  return (
    <PathLink to={`/integrations/${integrationId}`} className="rounded-full hover:underline">
      <Badge>
        <Icon name="plug" size={12} />
        {t('fromSource', { name })}
      </Badge>
    </PathLink>
  )
}

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
          {!person.active && <Badge variant="warn">{t('inactive')}</Badge>}
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
