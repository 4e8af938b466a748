// Publishing: who is affected before, progress while, and the way back after.
import type { CheckProblem, Signature } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { useMe } from '#api/session.ts'
import { useNameOf } from '#api/teammates.ts'
import { useMessageOf } from '#state/error-messages.ts'
import { isStale } from '#state/errors.ts'
import { Button, LinkButton } from '#ui/base/button.tsx'
import { TextLink } from '#ui/base/text-link.tsx'
import { LoadError, Notice, Skeleton } from '#ui/layout/page.tsx'
import { Actions, Dialog } from '#ui/overlay/dialog.tsx'
import { checkQuery, ProblemList, withOneContrast } from '../signatures/problems-card.tsx'
import { selectionQuery, signaturePath } from '../signatures/signature-data.ts'
import { ChannelsLine } from './channels-line.tsx'
import { PublishProgress } from './publish-progress.tsx'
import { KeptNotice, keptCount } from './reach.tsx'
import { type PublishChoice, type PublishTarget, usePublish } from './use-publish.ts'
import { useVariant, VariantNotes } from './variant-notes.tsx'

// The first people who are reached, by name, and which of them keep another signature.

const shownCount = 5

interface FirstRecipientsProps {
  readonly signature: Signature
  readonly total: number
  /** True if some of the recipients keep another signature. */
  readonly hasKept: boolean
}

const firstRecipientsQuery = (signature: Signature, hasKept: boolean) => ({
  queryKey: ['signatures', 'recipients', signature.id, 'first', hasKept] as const,
  queryFn: async () => {
    const recipients = await api.signatures.recipients.list(signature.id, { limit: shownCount })
    return Promise.all(
      recipients.map(async ({ id, address, teammate_id }) => {
        const [person, explained] = await Promise.all([
          api.teammates.get(teammate_id),
          hasKept ? api.emails.explainSignature(id) : undefined,
        ])
        const winner = explained?.candidates.find(({ chosen }) => chosen)
        const isKept = winner && winner.signature_id !== signature.id && winner.priority <= signature.priority
        return { id, address, person, keeps: isKept ? winner.name : undefined }
      }),
    )
  },
})

function FirstRecipients({ signature, total, hasKept }: FirstRecipientsProps) {
  const t = useTranslations('signatures')
  const nameOf = useNameOf()
  const { data = [] } = useQuery(firstRecipientsQuery(signature, hasKept))
  if (data.length === 0) return null
  return (
    <ul
      aria-label={t('publishPeople')}
      className="mt-3 grid gap-1 border-t border-line pt-3 text-[0.8125rem]"
    >
      {data.map(({ id, address, person, keeps }) => (
        <li key={id} className="flex flex-wrap gap-x-2">
          <span className="font-medium">{nameOf(person)}</span>
          <span className="min-w-0 truncate text-muted">{address}</span>
          {keeps !== undefined && <span className="text-warn">{t('getsOther', { name: keeps })}</span>}
        </li>
      ))}
      {total > data.length && (
        <li>
          <TextLink to={signaturePath(signature.id, 'recipients')}>
            {t('publishMore', { count: total - data.length })}
          </TextLink>
        </li>
      )}
    </ul>
  )
}

interface PublishDialogProps extends PublishTarget {
  readonly onClose: () => void
}

export function PublishDialog({ onClose, ...target }: PublishDialogProps) {
  const { signature, variant } = target
  const t = useTranslations('signatures')
  const publish = usePublish(target)
  const name = variant ? `${signature.name} · ${t(`kinds.${variant}`)}` : signature.name
  if (publish.data)
    return (
      <Dialog title={publish.data.isRequest ? t('requestSent') : t('publishedTitle')} onClose={onClose}>
        {publish.data.isRequest ? (
          <>
            <p className="text-muted">{t('requestSentText')}</p>
            <Actions>
              <Button variant="primary" onPress={onClose}>
                {t('done')}
              </Button>
            </Actions>
          </>
        ) : (
          <PublishProgress signature={signature} onClose={onClose} />
        )}
      </Dialog>
    )
  return (
    <Dialog title={t('publishTitle', { name })} onClose={onClose}>
      <BeforePublish
        signature={signature}
        variant={variant}
        onClose={onClose}
        onPublish={choice => publish.mutate(choice)}
        isPending={publish.isPending}
        error={publish.error}
      />
    </Dialog>
  )
}

/** The variant and the signature can have the same problem. */
const withoutRepeats = (problems: readonly CheckProblem[]): readonly CheckProblem[] =>
  problems.filter(
    ({ code, message }, index) =>
      problems.findIndex(other => other.code === code && other.message === message) === index,
  )

interface BeforePublishProps extends Pick<PublishDialogProps, 'signature' | 'variant' | 'onClose'> {
  readonly onPublish: (choice: PublishChoice) => void
  readonly isPending: boolean
  readonly error: unknown
}

function BeforePublish({ signature, variant, onClose, onPublish, isPending, error }: BeforePublishProps) {
  const t = useTranslations('signatures')
  const shell = useTranslations('shell')
  const messageOf = useMessageOf()
  const me = useMe()
  const [isPutFirst, setPutFirst] = useState(false)
  const [isBoth, setBoth] = useState(false)
  const selection = useQuery(selectionQuery(signature.id))
  const variants = useVariant(signature.id, variant)
  const check = useQuery(checkQuery(signature, variants.data?.exists ? variant : undefined))
  // Only the check of the signature itself tells who keeps another one.
  const reach = useQuery(checkQuery(signature))
  const failed = selection.error ?? check.error ?? reach.error
  if (failed)
    return (
      <LoadError
        error={failed}
        onRetry={() => void Promise.all([selection.refetch(), check.refetch(), reach.refetch()])}
      />
    )
  if (!selection.data || !check.data || !reach.data || (variant && !variants.data))
    return <Skeleton lines={5} />
  const count = selection.data.matching_emails_count
  const { recipients } = check.data
  const problems = isBoth
    ? withoutRepeats([...check.data.problems, ...reach.data.problems])
    : check.data.problems
  const unreachedCount = isPutFirst ? 0 : keptCount(reach.data)
  const hasErrors = problems.some(problem => problem.severity === 'error')
  const needsApproval = me.workspace.publish_approval === 'required' && me.member.role === 'manager'
  return (
    <>
      <div className="rounded-xl bg-sunken p-4">
        <p className="text-base font-semibold">
          {count > 0 && unreachedCount >= count
            ? t('publishAllKept')
            : t('publishReach', { count: Math.max(count - unreachedCount, 0) })}
        </p>
        {variant && <p className="mt-1 text-[0.8125rem] text-muted">{t(`publishOnly.${variant}`)}</p>}
        {count > unreachedCount && <ChannelsLine signatureIds={[signature.id]} />}
        {count > 0 && (
          <FirstRecipients
            signature={signature}
            total={count}
            hasKept={!isPutFirst && keptCount(reach.data) > 0}
          />
        )}
        {count === 0 && (
          <p className="mt-2">
            <LinkButton isSmall to={signaturePath(signature.id, 'recipients')} onClick={onClose}>
              {t('chooseRecipients')}
            </LinkButton>
          </p>
        )}
      </div>
      {keptCount(reach.data) > 0 && (
        <div className="mt-4">
          <KeptNotice
            signature={signature}
            check={reach.data}
            isPutFirst={isPutFirst}
            onPutFirst={variant ? undefined : setPutFirst}
          />
        </div>
      )}
      {variants.data && (
        <VariantNotes signature={signature} variant={variants.data} isBoth={isBoth} onBoth={setBoth} />
      )}
      {needsApproval && (
        <div className="mt-4">
          <Notice>{t('needsApproval')}</Notice>
        </div>
      )}
      {problems.length > 0 && (
        <section className="mt-5 grid gap-3">
          <h3 className="font-medium">{t('publishProblems', { count: withOneContrast(problems).length })}</h3>
          <div className="max-h-56 overflow-y-auto">
            <ProblemList problems={problems} recipients={recipients} />
          </div>
        </section>
      )}
      {error !== null && (
        <div role="alert" className="mt-4">
          <Notice kind="bad">{isStale(error) ? t('draftChanged') : messageOf(error)}</Notice>
        </div>
      )}
      <Actions>
        <Button onPress={onClose}>{shell('cancel')}</Button>
        <Button
          variant={hasErrors ? 'danger' : 'primary'}
          icon="rocket"
          isPending={isPending}
          onPress={() => onPublish({ force: hasErrors, isPutFirst, isBoth })}
        >
          {hasErrors ? t('publishAnyway') : needsApproval ? t('askApproval') : t('publishNow')}
        </Button>
      </Actions>
    </>
  )
}
