// Which signature is on which mail of a person, and why.
import type { SignatureExplanation, SmartField, Teammate } from '@signoff/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { useCan } from '#api/session.ts'
import { useNameOf } from '#api/teammates.ts'
import { useSmartFields, valueIn } from '#records/people/people-data.ts'
import { usePersonAction } from '#records/people/person-data.ts'
import { PersonalPageButtons } from '#records/people/personal-links.tsx'
import { Button } from '#ui/base/button.tsx'
import { Icon } from '#ui/base/icon.tsx'
import { PathLink, TextLink } from '#ui/base/text-link.tsx'
import { Segments } from '#ui/form/segments.tsx'
import { Select } from '#ui/form/select.tsx'
import { Card, LoadState, Notice } from '#ui/layout/page.tsx'
import { SignatureFrame } from '#ui/picture/signature-frame.tsx'
import { failedConditions, metConditions, type RuleCondition } from './matching-conditions.ts'

// One signature that reaches an address: why, and whether it is the one.

type SignatureCandidate = SignatureExplanation['candidates'][number]

interface CandidateProps {
  readonly candidate: SignatureCandidate
  readonly winner: SignatureCandidate | undefined
  readonly person: Teammate
  readonly emailId: string
}

/** “Department is Sales” */
function useConditionText(fields: readonly SmartField[], person: Teammate) {
  const t = useTranslations('people.why')
  return ({ smart_field_id, operator = 'is_any_of', values = [] }: RuleCondition): string => {
    const field = fields.find(({ id }) => id === smart_field_id)?.label ?? '…'
    const value = operator === 'is_any_of' ? (valueIn(person, smart_field_id) ?? '') : values.join(', ')
    return t(`operators.${operator}`, { field, value })
  }
}

/** Why the signature reaches the address, one sentence for each way. */
function useSources({ candidate, person }: Pick<CandidateProps, 'candidate' | 'person'>): readonly string[] {
  const t = useTranslations('people.why')
  const textOf = useConditionText(useSmartFields(), person)
  const isByRule = candidate.sources.some(({ kind }) => kind === 'smart_field')
  const { data: conditions = [] } = useQuery({
    queryKey: ['signatures', candidate.signature_id, 'conditions'],
    queryFn: async () =>
      (await api.signatures.recipients.list(candidate.signature_id, { limit: 1 }).raw()).body.selection
        .conditions,
    enabled: isByRule,
  })
  const met = metConditions(person, conditions).map(textOf)
  return candidate.sources.map(({ kind }) =>
    kind === 'smart_field' && met.length > 0
      ? t('byRule', { conditions: met.join(t('and')) })
      : t(`sources.${kind}`),
  )
}

function CandidateRow({ candidate, winner, person, emailId }: CandidateProps) {
  const t = useTranslations('people.why')
  const can = useCan()
  const { signature_id: id, name, priority, chosen, reason_code } = candidate
  const sources = useSources({ candidate, person })
  const isByHand = candidate.sources.some(({ kind }) => kind === 'manual')
  const takeBack = usePersonAction(
    () => api.signatures.recipients.remove(id, emailId),
    t('takenBack', { name }),
    t('failed'),
    {
      label: t('undo'),
      send: () => api.signatures.recipients.add(id, { email_ids: [emailId] }),
    },
  )
  return (
    <li className="flex flex-wrap items-start gap-3 py-3">
      <Icon
        name={chosen ? 'circle-check' : 'circle-dashed'}
        size={18}
        className={chosen ? 'mt-0.5 text-good' : 'mt-0.5 text-muted'}
      />
      <div className="min-w-48 flex-1">
        <PathLink to={`/signatures/${id}`} className="font-medium hover:underline">
          {name}
        </PathLink>
        <p className="text-[0.8125rem] text-muted">
          {sources.join(' ')} {t(`reasons.${reason_code}`, { winner: winner?.name ?? '', priority })}
        </p>
      </div>
      <div className="flex flex-wrap gap-1.5">
        {isByHand && can('signatures:write') && (
          <Button isSmall isPending={takeBack.isPending} onPress={() => takeBack.mutate()}>
            {t('takeBack')}
          </Button>
        )}
        <TextLink
          to={`/signatures/${id}/recipients`}
          className="inline-flex min-h-7 items-center text-[0.8125rem]"
        >
          {t('recipients')}
        </TextLink>
      </div>
    </li>
  )
}

/** More rules would not help to find the fault. */
const shownSignatures = 5

async function rulesOfLive() {
  const signatures = await api.signatures.list({ limit: 100 })
  const live = signatures.filter(
    ({ signature_installation_activated: on, last_published_at: at }) => on && at !== null,
  )
  return Promise.all(
    live.slice(0, shownSignatures).map(async ({ id, name }) => {
      const { body } = await api.signatures.recipients.list(id, { limit: 1 }).raw()
      return { id, name, conditions: body.selection.conditions }
    }),
  )
}

function FailedRules({ person }: { readonly person: Teammate }) {
  const t = useTranslations('people.why')
  const fields = useSmartFields()
  const { data: rules = [] } = useQuery({ queryKey: ['signatures', 'live-rules'], queryFn: rulesOfLive })
  const textOf = ({ smart_field_id, operator = 'is_any_of', values = [] }: RuleCondition) => {
    const field = fields.find(({ id }) => id === smart_field_id)?.label ?? '…'
    const condition = t(`operators.${operator}`, { field, value: values.join(', ') })
    const own = valueIn(person, smart_field_id)
    return own ? t('hasValue', { condition, value: own }) : t('hasNoValue', { condition })
  }
  const failed = rules.filter(({ conditions }) => conditions.length > 0)
  if (failed.length === 0) return null
  return (
    <ul className="mt-2 grid gap-1">
      {failed.map(({ id, name, conditions }) => (
        <li key={id}>
          <TextLink to={`/signatures/${id}/recipients`}>{name}</TextLink>:{' '}
          {failedConditions(person, conditions).map(textOf).join(' ')}
        </li>
      ))}
    </ul>
  )
}

/** Why an address gets no signature: the person is inactive, or the rules of the live signatures do not match. */
function NoSignature({ person }: { readonly person: Teammate }) {
  const t = useTranslations('people')
  const can = useCan()
  const activate = usePersonAction(
    () => api.teammates.activate({ ids: [person.id] }),
    t('activated'),
    t('notDone'),
  )
  if (person.active)
    return (
      <Notice>
        {t('why.noneReaches')}
        <FailedRules person={person} />
      </Notice>
    )
  return (
    <Notice kind="warn">
      <p>{t('why.inactive')}</p>
      {can('teammates:write') && (
        <Button isSmall isPending={activate.isPending} onPress={() => activate.mutate()} className="mt-2">
          {t('bulk.activate')}
        </Button>
      )}
    </Notice>
  )
}

const mailKinds = ['new', 'reply', 'internal'] as const
type PersonMailKind = (typeof mailKinds)[number]

function PageLink({ person, emailId }: { readonly person: Teammate; readonly emailId: string }) {
  const t = useTranslations('people.why')
  const can = useCan()
  const address = person.emails.find(({ id }) => id === emailId)?.address ?? ''
  if (!can('signatures:write')) return null
  return (
    <div className="mt-3 flex flex-wrap items-center gap-2">
      <p className="min-w-48 flex-1 text-[0.8125rem] text-muted">{t('page')}</p>
      <PersonalPageButtons {...{ emailId, address }} />
    </div>
  )
}

export function PersonSignatureCard({ person }: { readonly person: Teammate }) {
  const nameOf = useNameOf()
  const t = useTranslations('people.why')
  const [kind, setKind] = useState<PersonMailKind>('new')
  const primary = person.emails.find(email => email.primary) ?? person.emails[0]
  const [chosenId, setChosenId] = useState<string | null>(null)
  const emailId = (person.emails.some(({ id }) => id === chosenId) && chosenId) || primary?.id || ''
  const { data, error, refetch } = useQuery({
    queryKey: ['emails', emailId, 'signature', kind],
    queryFn: () => api.emails.explainSignature(emailId, { kind }),
    placeholderData: keepPreviousData,
    enabled: emailId !== '',
  })
  const winner = data?.candidates.find(({ chosen }) => chosen)
  const isByHand = data?.candidates.some(({ sources }) => sources.some(({ kind }) => kind === 'manual'))
  return (
    <Card
      title={t('title')}
      about={data && (winner ? t('gets', { name: winner.name }) : t('getsNone'))}
      actions={
        <Segments
          label={t('kind')}
          value={kind}
          onChange={setKind}
          options={mailKinds.map(id => ({ id, label: t(`kinds.${id}`) }))}
        />
      }
    >
      {person.emails.length > 1 && (
        <Select
          label={t('address')}
          value={emailId}
          onChange={setChosenId}
          options={person.emails.map(({ id, address }) => ({ id, label: address }))}
          className="mb-4 max-w-sm"
        />
      )}
      <LoadState query={{ data, error, refetch }} lines={4} />
      {data?.html && (
        <div className="overflow-hidden rounded-xl border border-line bg-white p-4">
          <SignatureFrame html={data.html} title={t('frame', { name: nameOf(person) })} />
        </div>
      )}
      {winner && data?.html === null && <Notice>{t('hidden')}</Notice>}
      {winner && <PageLink {...{ person, emailId }} />}
      {data && (
        <>
          <ul className="mt-3 divide-y divide-line">
            {data.candidates.map(candidate => (
              <CandidateRow key={candidate.signature_id} {...{ candidate, winner, person, emailId }} />
            ))}
          </ul>
          {data.candidates.length > 0 ? (
            <p className="mt-2 text-[0.8125rem] text-muted">{t(isByHand ? 'wrongByHand' : 'wrongOne')}</p>
          ) : (
            <NoSignature person={person} />
          )}
        </>
      )}
    </Card>
  )
}
