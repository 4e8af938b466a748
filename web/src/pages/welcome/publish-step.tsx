import type { SignatureListItem } from '@signoff/sdk'
import { useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useLoadedChecklist } from '../../api/checklist.ts'
import { api, queryClient } from '../../api/client.ts'
import { useMessageOf } from '../../api/error-texts.ts'
import { isSignoffError } from '../../api/errors.ts'
import { useAddressState } from '../../app/address-state.ts'
import { Button, buttonClasses } from '../../ui/button.tsx'
import { RadioChoice } from '../../ui/choice.tsx'
import { EmptyState, Notice } from '../../ui/page.tsx'
import { SignatureFrame } from '../../ui/signature-frame.tsx'
import { PathLink } from '../../ui/text-link.tsx'
import { Published } from './published.tsx'
import { StepButtons, StepFrame } from './step-frame.tsx'
import { useOwnAddress, usePreviewAddress, useStep } from './steps.ts'

type Audience = 'me' | 'everybody'

interface PublishInput {
  readonly id: string
  readonly audience: Audience
  readonly ownAddress: string | null
  readonly force?: boolean
}

/** Whether it is live; false: an admin has to approve it first. */
async function publish({ id, audience, ownAddress, force = false }: PublishInput): Promise<boolean> {
  await api.signatures.recipientRules.set(id, { everybody: audience === 'everybody' })
  if (audience === 'me' && ownAddress !== null)
    await api.signatures.recipients.add(id, { email_ids: [ownAddress] })
  const answer = await api.signatures.publish(id, { force })
  return !('requested_by' in answer)
}

function Preview({ signature }: { readonly signature: SignatureListItem }) {
  const t = useTranslations('welcome.publish')
  const address = usePreviewAddress()
  const { data } = useQuery({
    queryKey: ['signatures', signature.id, 'preview', address.id],
    queryFn: () =>
      api.signatures.preview(signature.id, address.id === undefined ? {} : { email_id: address.id }),
    enabled: address.isReady,
  })
  return (
    <figure className="overflow-hidden rounded-2xl border border-line bg-white p-5 sm:p-8">
      <p aria-hidden="true" className="mb-4 text-[#5b6270]">
        {t('letter')}
      </p>
      <div className="min-h-32">
        {data && <SignatureFrame html={data.html} title={signature.name} width={560} />}
      </div>
    </figure>
  )
}

function PublishForm({ signature }: { readonly signature: SignatureListItem }) {
  const t = useTranslations('welcome.publish')
  const messageOf = useMessageOf()
  const [, goTo] = useStep()
  const { peopleCount } = useLoadedChecklist()
  const { data: own } = useOwnAddress()
  const ownAddress = own?.id ?? null
  const [chosen, setAudience] = useState<Audience>()
  const audience = chosen ?? (ownAddress === null || peopleCount > 1 ? 'everybody' : 'me')
  const {
    mutate,
    isPending,
    error,
    data: isLive,
  } = useMutation({
    mutationFn: (force: boolean) => publish({ id: signature.id, audience, ownAddress, force }),
    onSuccess: async () => {
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: ['signatures'] }),
        queryClient.invalidateQueries({ queryKey: ['checklist'] }),
        queryClient.invalidateQueries({ queryKey: ['installations'] }),
      ])
    },
  })
  const options = [
    ...(ownAddress === null ? [] : [{ id: 'me' as const, label: t('me'), hint: t('meHint') }]),
    { id: 'everybody' as const, label: t('everybody', { count: peopleCount }), hint: t('everybodyHint') },
  ]
  if (isLive !== undefined)
    return (
      <StepFrame title={t('published')} about={t('publishedAbout')}>
        <Published signature={signature} isLive={isLive} isForAll={audience === 'everybody'} />
      </StepFrame>
    )
  const canForce = isSignoffError(error) && error.details.some(({ code }) => code === 'nothing_to_show')
  return (
    <StepFrame title={t('title')} about={t('about')}>
      <div className="grid items-start gap-8 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <Preview signature={signature} />
        <RadioChoice label={t('who')} options={options} value={audience} onChange={setAudience} />
      </div>
      {error && (
        <div role="alert" className="mt-4 grid justify-items-start gap-2">
          <Notice kind="bad">{messageOf(error)}</Notice>
          {canForce && (
            <Button isSmall onPress={() => mutate(true)}>
              {t('force')}
            </Button>
          )}
        </div>
      )}
      <StepButtons onBack={() => goTo('design')}>
        <Button
          look="primary"
          icon="rocket"
          isPending={isPending}
          isDisabled={peopleCount === 0}
          onPress={() => mutate(false)}
        >
          {t('publish')}
        </Button>
      </StepButtons>
      {peopleCount === 0 && <Notice kind="warn">{t('nobody')}</Notice>}
    </StepFrame>
  )
}

export function PublishStep() {
  const t = useTranslations('welcome.publish')
  const [{ signature: wanted }] = useAddressState<'signature'>()
  const { data: signatures } = useSuspenseQuery({
    queryKey: ['signatures', 'newest'],
    queryFn: () => api.signatures.list({ limit: 20 }),
  })
  const signature =
    signatures.find(({ id }) => id === wanted) ??
    signatures.find(({ last_published_at: published }) => published === null) ??
    signatures[0]
  if (signature) return <PublishForm key={signature.id} signature={signature} />
  return (
    <StepFrame title={t('title')} about={t('about')}>
      <EmptyState
        icon="layout-template"
        title={t('noDesign')}
        action={
          <PathLink to="/welcome" search={{ step: 'design' }} className={buttonClasses('primary')}>
            {t('toDesign')}
          </PathLink>
        }
      />
    </StepFrame>
  )
}
