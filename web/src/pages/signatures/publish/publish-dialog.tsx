// Publishing: who is affected before, progress while, and the way back after.
import type { Signature } from '@signoff/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { api } from '../../../api/client.ts'
import { useMessageOf } from '../../../api/error-texts.ts'
import { useMe } from '../../../api/session.tsx'
import { Button, LinkButton } from '../../../ui/button.tsx'
import { Actions, Dialog } from '../../../ui/dialog.tsx'
import { LoadError, Notice, Skeleton } from '../../../ui/page.tsx'
import { toast } from '../../../ui/toast.tsx'
import { checkQuery, ProblemList } from '../preview/problems-card.tsx'
import { moveSignature } from '../priorities.ts'
import { refreshSignatures, selectionQuery, signaturePath } from '../signature-data.ts'
import { ChannelsLine } from './channels-line.tsx'
import { PublishProgress } from './publish-progress.tsx'
import { KeptNotice, keptCount } from './reach.tsx'

interface PublishDialogProps {
  readonly signature: Signature
  readonly onClose: () => void
}

interface PublishChoice {
  readonly force: boolean
  /** Before the signatures that its recipients would keep otherwise. */
  readonly isPutFirst: boolean
}

/** Publishes, and offers the way back to the version that was live before. */
function usePublish(signature: Signature) {
  const t = useTranslations('signatures')
  const navigate = useNavigate()
  return useMutation({
    mutationFn: async ({ force, isPutFirst }: PublishChoice) => {
      if (isPutFirst) await moveSignature(signature.id, 'first')
      const [previous] = signature.content
        ? await api.signatures.versions.list(signature.id, { limit: 1 })
        : []
      const { status } = await api.signatures.publish(signature.id, { force }).raw()
      return { isRequest: status === 202, previous }
    },
    onSuccess: async ({ isRequest, previous }) => {
      const restore = () =>
        void navigate({
          to: signaturePath(signature.id, 'versions'),
          search: { restore: previous?.id } as never,
        })
      toast(isRequest ? t('requestSent') : t('published', { name: signature.name }), {
        ...(!isRequest && previous && { action: { label: t('restorePrevious'), onPress: restore } }),
      })
      await refreshSignatures()
    },
  })
}

export default function PublishDialog({ signature, onClose }: PublishDialogProps) {
  const t = useTranslations('signatures')
  const publish = usePublish(signature)
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
              <Button look="primary" onPress={onClose}>
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
    <Dialog title={t('publishTitle', { name: signature.name })} isOpen onClose={onClose}>
      <BeforePublish
        signature={signature}
        onClose={onClose}
        onPublish={choice => publish.mutate(choice)}
        isPending={publish.isPending}
        error={publish.error}
      />
    </Dialog>
  )
}

interface BeforePublishProps extends PublishDialogProps {
  readonly onPublish: (choice: PublishChoice) => void
  readonly isPending: boolean
  readonly error: unknown
}

function BeforePublish({ signature, onClose, onPublish, isPending, error }: BeforePublishProps) {
  const t = useTranslations('signatures')
  const shell = useTranslations('shell')
  const messageOf = useMessageOf()
  const me = useMe()
  const [isPutFirst, setPutFirst] = useState(false)
  const selection = useQuery(selectionQuery(signature.id))
  const check = useQuery(checkQuery(signature))
  const failed = selection.error ?? check.error
  if (failed)
    return (
      <LoadError error={failed} onRetry={() => void Promise.all([selection.refetch(), check.refetch()])} />
    )
  if (!selection.data || !check.data) return <Skeleton lines={5} />
  const count = selection.data.matching_emails_count
  const { problems, recipients } = check.data
  const kept = isPutFirst ? 0 : keptCount(check.data)
  const hasErrors = problems.some(problem => problem.severity === 'error')
  const needsApproval = me.workspace.publish_approval === 'required' && me.member.role === 'manager'
  return (
    <>
      <div className="rounded-xl bg-sunken p-4">
        <p className="text-base font-semibold">{t('publishReach', { count: Math.max(count - kept, 0) })}</p>
        {count > kept && <ChannelsLine signatureIds={[signature.id]} />}
        {count === 0 && (
          <p className="mt-2">
            <LinkButton isSmall to={signaturePath(signature.id, 'recipients')} onClick={onClose}>
              {t('chooseRecipients')}
            </LinkButton>
          </p>
        )}
      </div>
      {keptCount(check.data) > 0 && (
        <div className="mt-4">
          <KeptNotice
            signature={signature}
            check={check.data}
            isPutFirst={isPutFirst}
            onPutFirst={setPutFirst}
          />
        </div>
      )}
      {needsApproval && (
        <div className="mt-4">
          <Notice>{t('needsApproval')}</Notice>
        </div>
      )}
      {problems.length > 0 && (
        <section className="mt-5 grid gap-3">
          <h3 className="font-medium">{t('publishProblems', { count: problems.length })}</h3>
          <div className="max-h-56 overflow-y-auto">
            <ProblemList problems={problems} recipients={recipients} />
          </div>
        </section>
      )}
      {error !== null && (
        <div role="alert" className="mt-4">
          <Notice kind="bad">{messageOf(error)}</Notice>
        </div>
      )}
      <Actions>
        <Button onPress={onClose}>{shell('cancel')}</Button>
        <Button
          look={hasErrors ? 'danger' : 'primary'}
          icon="rocket"
          isPending={isPending}
          onPress={() => onPublish({ force: hasErrors, isPutFirst })}
        >
          {hasErrors ? t('publishAnyway') : needsApproval ? t('askApproval') : t('publishNow')}
        </Button>
      </Actions>
    </>
  )
}
