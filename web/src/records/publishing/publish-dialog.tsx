// Publishing: who is affected before, progress while, and the way back after.
import type { CheckProblem } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useMe } from '#api/session.ts'
import { useMessageOf } from '#state/error-messages.ts'
import { isStale } from '#state/errors.ts'
import { Button, LinkButton } from '#ui/base/button.tsx'
import { LoadError, Notice, Skeleton } from '#ui/layout/page.tsx'
import { Actions, Dialog } from '#ui/overlay/dialog.tsx'
import { checkQuery, ProblemList, withOneContrast } from '../signatures/problems-card.tsx'
import { selectionQuery, signaturePath } from '../signatures/signature-data.ts'
import { ChannelsLine } from './channels-line.tsx'
import { FirstRecipients } from './first-recipients.tsx'
import { PublishProgress } from './publish-progress.tsx'
import { KeptNotice, keptCount } from './reach.tsx'
import { type PublishChoice, type PublishTarget, usePublish } from './use-publish.ts'
import { useVariant, VariantNotes } from './variant-notes.tsx'

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
      <Dialog
        title={publish.data.isRequest ? t('requestSent') : t('publishedTitle')}
        isOpen
        onClose={onClose}
      >
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
    <Dialog title={t('publishTitle', { name })} isOpen onClose={onClose}>
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
