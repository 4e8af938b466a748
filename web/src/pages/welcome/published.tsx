// After publishing: how the signature gets into the own mail program, and to the others.
import type { SignatureListItem } from '@signoff/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { useChecklist } from '#api/checklist.ts'
import { api } from '#api/client.ts'
import { LinkListButton } from '#records/people/personal-links.tsx'
import { useMessageOf } from '#state/error-messages.ts'
import { Button, buttonClasses } from '#ui/base/button.tsx'
import { CopyField } from '#ui/base/copy-field.tsx'
import { Icon } from '#ui/base/icon.tsx'
import { PathLink, TextLink } from '#ui/base/text-link.tsx'
import { Card, Notice } from '#ui/layout/page.tsx'
import { useOwnAddress } from './steps.ts'

function OwnPage({ addressId }: { readonly addressId: string }) {
  const t = useTranslations('welcome.published')
  const { data: page } = useQuery({
    queryKey: ['emails', addressId, 'personal-page'],
    queryFn: () => api.emails.personalPage.get(addressId),
  })
  return (
    <Card title={t('own')} about={t('ownHint')}>
      {page && (
        <div className="grid gap-4">
          <div>
            <a href={page.url} target="_blank" rel="noreferrer" className={buttonClasses('primary')}>
              {t('open')}
              <Icon name="external-link" />
            </a>
          </div>
          <CopyField label={t('link')} value={page.url} />
        </div>
      )}
    </Card>
  )
}

function Others({ signature }: { readonly signature: SignatureListItem }) {
  const t = useTranslations('welcome.published')
  const messageOf = useMessageOf()
  const hasMail = useChecklist().data?.done.mail ?? true
  const { mutate, isPending, data, error } = useMutation({
    mutationFn: () => api.signatures.invite(signature.id),
  })
  return (
    <Card title={t('others')} about={t('othersHint')}>
      <div className="grid justify-items-start gap-3">
        {hasMail ? (
          <Button icon="send" isPending={isPending} isDisabled={data !== undefined} onPress={() => mutate()}>
            {t('invite')}
          </Button>
        ) : (
          <Notice>{t('noMail')}</Notice>
        )}
        <LinkListButton signature={signature} />
        <div role="status">{data && <Notice kind="good">{t('invited', { count: data.queued })}</Notice>}</div>
        {error && (
          <div role="alert">
            <Notice kind="warn">{messageOf(error)}</Notice>
          </div>
        )}
        <p className="text-[0.8125rem] text-muted">
          {t.rich('google', { link: words => <TextLink to="/integrations">{words}</TextLink> })}
        </p>
      </div>
    </Card>
  )
}

interface PublishedProps {
  readonly signature: SignatureListItem
  readonly isLive: boolean
  readonly isForAll: boolean
}

export function Published({ signature, isLive, isForAll }: PublishedProps) {
  const t = useTranslations('welcome.published')
  const { data: own } = useOwnAddress()
  return (
    <div className="grid gap-4">
      <div role="status" className="flex items-center gap-3 rounded-2xl bg-good-soft p-5 text-good">
        <Icon name={isLive ? 'circle-check' : 'clock'} size={24} />
        <div>
          <p className="text-base font-semibold">{isLive ? t('live') : t('waits')}</p>
          <p className="text-[0.8125rem]">{isLive ? t('liveHint') : t('waitsHint')}</p>
        </div>
      </div>
      {isLive && (
        <div className="grid items-start gap-4 md:grid-cols-2">
          {own && <OwnPage addressId={own.id} />}
          {isForAll && <Others signature={signature} />}
        </div>
      )}
      <div className="flex flex-wrap gap-2">
        <PathLink to={`/signatures/${signature.id}`} className={buttonClasses('secondary')}>
          {t('toSignature')}
        </PathLink>
        <PathLink to="/" className={buttonClasses('secondary')}>
          {t('toHome')}
        </PathLink>
      </div>
    </div>
  )
}
