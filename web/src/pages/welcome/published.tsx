// After publishing: how the signature gets into the mailboxes of all, and into the own one.
import type { SignatureListItem } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { areaPart } from '#records/area-part.tsx'
import { buttonClasses } from '#ui/base/button.tsx'
import { CopyField } from '#ui/base/copy-field.tsx'
import { Icon } from '#ui/base/icon.tsx'
import { PathLink } from '#ui/base/text-link.tsx'
import { Card } from '#ui/layout/page.tsx'
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

const MailboxWays = areaPart(['installations'], () => import('#records/installations/mailbox-ways.tsx'))

interface PublishedProps {
  readonly signature: SignatureListItem
  readonly isLive: boolean
  readonly isForOthers: boolean
}

export function Published({ signature, isLive, isForOthers }: PublishedProps) {
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
        <>
          {isForOthers && <MailboxWays signature={signature} />}
          {own && <OwnPage addressId={own.id} />}
        </>
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
