// Which signature is on which mail of a person, and why.
import type { Teammate } from '@signoff/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { useCan } from '#api/session.tsx'
import { useNameOf } from '#api/teammates.ts'
import { PersonalPageButtons } from '#records/people/personal-links.tsx'
import { Card, LoadError, Notice, Skeleton } from '#ui/page.tsx'
import { Segments } from '#ui/segments.tsx'
import { Select } from '#ui/select.tsx'
import { SignatureFrame } from '#ui/signature-frame.tsx'
import { CandidateRow } from './candidate-row.tsx'
import { NoSignature } from './no-signature.tsx'

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
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton lines={4} />}
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
