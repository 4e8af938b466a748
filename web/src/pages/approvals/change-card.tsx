import type { ProfileChange } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useFormatter, useNow, useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { fieldLabel } from '#api/field-labels.ts'
import { useCan } from '#api/session.ts'
import { smartFieldsQuery } from '#api/smart-fields.ts'
import { pictureOf } from '#records/people/people-data.ts'
import { Button } from '#ui/base/button.tsx'
import { Icon } from '#ui/base/icon.tsx'
import { Checkbox } from '#ui/form/choice.tsx'
import { LoadError, Notice } from '#ui/layout/page.tsx'
import { Avatar } from '#ui/picture/avatar.tsx'
import { ComparedPicture } from './compared-picture.tsx'
import { Decision } from './decision-badge.tsx'
import { DecisionButtons } from './decision-buttons.tsx'
import { useDecision } from './use-decision.ts'

/** The person's signature as it is and as it would be. */
function ChangeComparison({ change }: { readonly change: ProfileChange }) {
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

function Value({ of, value }: { readonly of: ProfileChange; readonly value: string | null }) {
  const t = useTranslations('approvals')
  if (value === null || value === '') return <span className="text-muted italic">{t('noValue')}</span>
  if (of.field.kind !== 'image') return <span>{value}</span>
  return (
    <img
      src={value}
      alt={t('pictureOf', { name: of.teammate.name })}
      loading="lazy"
      className="size-20 rounded-xl bg-sunken object-cover"
    />
  )
}

function BeforeAfter({ change }: { readonly change: ProfileChange }) {
  const t = useTranslations('approvals')
  const now = change.status === 'pending' ? change.current_value : change.before_value
  return (
    <dl className="grid items-center gap-3 rounded-xl bg-sunken/60 p-3 sm:grid-cols-[minmax(0,1fr)_auto_minmax(0,1fr)]">
      <div>
        <dt className="text-xs text-muted">{change.status === 'pending' ? t('now') : t('before')}</dt>
        <dd className="mt-1">
          <Value of={change} value={now} />
        </dd>
      </div>
      <Icon name="arrow-right" className="text-muted max-sm:hidden rtl:rotate-180" />
      <div>
        <dt className="text-xs text-muted">{t('after')}</dt>
        <dd className="mt-1 font-medium">
          <Value of={change} value={change.after_value} />
        </dd>
      </div>
    </dl>
  )
}

function ChangeButtons({ change }: { readonly change: ProfileChange }) {
  const t = useTranslations('approvals')
  const approve = useDecision(
    'profile_changes',
    async () => api.profileChanges.approve(change.id),
    t('approved'),
  )
  return (
    <DecisionButtons
      resource="profile_changes"
      approve={{ label: t('approve'), isPending: approve.isPending, run: () => approve.mutate() }}
      reject={body => api.profileChanges.reject(change.id, body)}
      rejectTitle={t('rejectChangeTitle')}
      rejectText={t('rejectChangeText', { name: change.teammate.name })}
    />
  )
}

/** The picture of the person as it is now; a person who may not be read has initials. */
function PersonAvatar({ id, name }: { readonly id: string; readonly name: string }) {
  const can = useCan()
  const { data: fields = [] } = useQuery({ ...smartFieldsQuery, enabled: can('smart_fields:read') })
  const { data: person } = useQuery({
    queryKey: ['teammates', 'picture', id],
    queryFn: () => api.teammates.get(id),
    enabled: can('teammates:read'),
    staleTime: 60_000,
  })
  return <Avatar name={name} src={person ? pictureOf(person, fields) : null} />
}

interface ChangeCardProps {
  readonly change: ProfileChange
  readonly isSelected?: boolean
  readonly onSelect?: (isSelected: boolean) => void
  /** Each picture is rendered by the service, so a long list draws only the first ones by itself. */
  readonly showsPictures: boolean
}

export function ChangeCard({ change, isSelected = false, onSelect, showsPictures }: ChangeCardProps) {
  const t = useTranslations('approvals')
  const format = useFormatter()
  const now = useNow()
  const can = useCan()
  const [isOpen, setOpen] = useState(showsPictures)
  const { teammate, field } = change
  const canDecide = change.status === 'pending' && can('teammates:write')
  return (
    <li className="grid gap-3 rounded-2xl border border-line bg-card p-4">
      <div className="flex flex-wrap items-center gap-3">
        {canDecide && onSelect && (
          <Checkbox
            aria-label={t('select', { name: teammate.name, field: fieldLabel(field.label) })}
            isSelected={isSelected}
            onChange={onSelect}
            className="p-1"
          />
        )}
        <PersonAvatar id={teammate.id} name={teammate.name} />
        <div className="min-w-0 flex-1 basis-40">
          <h3 className="font-medium">
            {t.rich('changeTitle', {
              name: teammate.name,
              field: fieldLabel(field.label),
              person: text => (
                <Link to={`/people/${teammate.id}` as string} className="hover:text-accent hover:underline">
                  {text}
                </Link>
              ),
            })}
          </h3>
          <p className="text-[0.8125rem] text-muted">
            {t(change.requested_via === 'personal_page' ? 'askedOnPage' : 'asked', {
              when: format.relativeTime(new Date(change.requested_at), now),
            })}
          </p>
        </div>
        {canDecide && <ChangeButtons change={change} />}
      </div>
      <BeforeAfter change={change} />
      {!isOpen && (
        <div>
          <Button isSmall icon="eye" onPress={() => setOpen(true)}>
            {t('showSignature')}
          </Button>
        </div>
      )}
      {isOpen && <ChangeComparison change={change} />}
      {change.status === 'pending' && change.changed_meanwhile && (
        <Notice kind="warn">{t('changedMeanwhile', { value: change.before_value ?? t('noValue') })}</Notice>
      )}
      <Decision
        status={change.status}
        by={change.decided_by?.name ?? null}
        at={change.decided_at}
        reason={change.reason}
      />
    </li>
  )
}
