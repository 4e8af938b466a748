import type { SignatureListItem } from '@signoff/sdk'
import { useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useLoadedChecklist } from '#api/checklist.ts'
import { api, readAgain } from '#api/client.ts'
import { selectionQuery } from '#records/signatures/signature-data.ts'
import { useMessageOf } from '#state/error-messages.ts'
import { isSignoffError } from '#state/errors.ts'
import { Button, buttonClasses } from '#ui/base/button.tsx'
import { PathLink } from '#ui/base/text-link.tsx'
import { RadioChoice } from '#ui/form/choice.tsx'
import { EmptyState, Notice, Skeleton } from '#ui/layout/page.tsx'
import { SignatureFrame } from '#ui/picture/signature-frame.tsx'
import { Published } from './published.tsx'
import { StepButtons, StepFrame } from './step-frame.tsx'
import { unpublishedQuery, useOwnAddress, useOwnDraft, usePreviewAddress, useStep } from './steps.ts'

/** `chosen`: the recipients that the signature has already. */
type Audience = 'me' | 'everybody' | 'chosen'

interface PublishInput {
  readonly id: string
  readonly audience: Audience
  readonly ownAddress: string | null
  readonly force?: boolean
}

/**
 * True if it is live; false: an admin has to approve it first. Recipients that a person has chosen already stay as they
 * are.
 */
async function publish({ id, audience, ownAddress, force = false }: PublishInput): Promise<boolean> {
  if (audience === 'everybody') await api.signatures.recipientRules.set(id, { everybody: true })
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

/** The recipients that the person can choose; a signature that has recipients keeps them. */
function useAudience({ id }: SignatureListItem) {
  const t = useTranslations('welcome.publish')
  const { peopleCount, done } = useLoadedChecklist()
  const { data: own } = useOwnAddress()
  const { data: selection } = useQuery(selectionQuery(id))
  const [picked, setPicked] = useState<Audience>()
  const ownAddress = own?.id ?? null
  const hasRecipients =
    selection !== undefined &&
    (selection.everybody ||
      selection.email_ids_count > 0 ||
      selection.conditions.length > 0 ||
      selection.integration_entity_ids.length > 0)
  // In a workspace that sends signatures already, all people are never the choice that is made for the person.
  const usual = ownAddress !== null && (done.publish || peopleCount <= 1) ? 'me' : 'everybody'
  const audience: Audience | undefined = hasRecipients
    ? 'chosen'
    : (picked ?? (done.publish && ownAddress === null ? undefined : usual))
  const options = [
    ...(ownAddress === null ? [] : [{ id: 'me' as const, label: t('me'), hint: t('meHint') }]),
    { id: 'everybody' as const, label: t('everybody', { count: peopleCount }), hint: t('everybodyHint') },
  ]
  const count = selection?.matching_emails_count ?? 0
  return { audience, options, setPicked, ownAddress, count, isReady: selection !== undefined, peopleCount }
}

function AudienceChoice({ choice }: { readonly choice: ReturnType<typeof useAudience> }) {
  const t = useTranslations('welcome.publish')
  if (!choice.isReady) return <Skeleton lines={4} />
  if (choice.audience === 'chosen') return <Notice>{t('chosen', { count: choice.count })}</Notice>
  return (
    <RadioChoice<'me' | 'everybody'>
      label={t('who')}
      options={choice.options}
      value={choice.audience ?? null}
      onChange={choice.setPicked}
    />
  )
}

function PublishForm({ signature }: { readonly signature: SignatureListItem }) {
  const t = useTranslations('welcome.publish')
  const messageOf = useMessageOf()
  const navigate = useNavigate()
  const [, goTo] = useStep()
  const choice = useAudience(signature)
  const { audience, ownAddress, peopleCount } = choice
  const {
    mutate,
    isPending,
    error,
    data: published,
  } = useMutation({
    mutationFn: async (force: boolean) => ({
      isLive: await publish({ id: signature.id, audience: audience ?? 'chosen', ownAddress, force }),
      isForOthers: audience !== 'me',
    }),
    onSuccess: async () => {
      await readAgain('checklist', 'installations')
    },
  })
  if (published)
    return (
      <StepFrame title={t('published')} about={t('publishedAbout')}>
        <Published signature={signature} {...published} />
      </StepFrame>
    )
  const canForce = isSignoffError(error) && error.details.some(({ code }) => code === 'nothing_to_show')
  return (
    <StepFrame title={t('title')} about={t('about')}>
      <p className="mb-4 text-base font-semibold">{signature.name}</p>
      <div className="grid items-start gap-8 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <Preview signature={signature} />
        <AudienceChoice choice={choice} />
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
      <StepButtons onBack={() => goTo('design')} onSkip={() => void navigate({ to: '/' as string })}>
        <Button
          variant="primary"
          icon="rocket"
          isPending={isPending}
          isDisabled={peopleCount === 0 || audience === undefined || !choice.isReady}
          onPress={() => mutate(false)}
        >
          {t('publish')}
        </Button>
      </StepButtons>
      {peopleCount === 0 && <Notice kind="warn">{t('nobody')}</Notice>}
    </StepFrame>
  )
}

/** No signature of the set-up itself: a person chooses a draft by its name, or makes one. */
function DraftChoice({ drafts }: { readonly drafts: readonly SignatureListItem[] }) {
  const t = useTranslations('welcome.publish')
  const [, goTo] = useStep()
  const isEmpty = drafts.length === 0
  const toDesign = (
    <PathLink
      to="/welcome"
      search={{ step: 'design' }}
      className={buttonClasses(isEmpty ? 'primary' : 'secondary')}
    >
      {t('toDesign')}
    </PathLink>
  )
  if (isEmpty)
    return (
      <StepFrame title={t('title')} about={t('about')}>
        <EmptyState icon="layout-template" title={t('noDesign')} action={toDesign} />
      </StepFrame>
    )
  return (
    <StepFrame title={t('which')} about={t('whichAbout')}>
      <ul className="mb-6 grid gap-2 sm:max-w-md">
        {drafts.map(({ id, name }) => (
          <li key={id}>
            <Button icon="pen-line" onPress={() => goTo('publish', id)} className="w-full justify-start!">
              <span className="truncate">{name}</span>
            </Button>
          </li>
        ))}
      </ul>
      {toDesign}
    </StepFrame>
  )
}

/** Only drafts that were never published: a live signature is published on its own page. */
export function PublishStep() {
  const { data: drafts } = useSuspenseQuery(unpublishedQuery)
  const draft = useOwnDraft()
  // The draft is no draft any more when it is published; the page goes on to show how it gets into the mailboxes.
  const [opened] = useState(draft)
  const signature = opened ?? draft
  return signature ? (
    <PublishForm key={signature.id} signature={signature} />
  ) : (
    <DraftChoice drafts={drafts} />
  )
}
