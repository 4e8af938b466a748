// What Outlooks report about signatures that they could not set, each with what to do about it.
import type { Installation } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { useFormatter, useNow, useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { troubleOfCode } from '#records/installations/reasons.ts'
import { Icon } from '#ui/icon.tsx'
import { Card, LoadError, Skeleton } from '#ui/page.tsx'
import { TextLink } from '#ui/text-link.tsx'

const maxTroubles = 5

type Trouble = NonNullable<Installation['trouble']>

function TroubleRow({ address, trouble }: { readonly address: string; readonly trouble: Trouble }) {
  const t = useTranslations('installations.troubles')
  const outlook = useTranslations('integrations.outlook')
  const format = useFormatter()
  const now = useNow({ updateInterval: 30_000 })
  return (
    <li className="flex gap-3 py-3 first:pt-0 last:pb-0">
      <Icon name="triangle-alert" size={18} className="mt-px text-warn" />
      <div className="min-w-0 flex-1">
        <p className="font-medium break-words">{t(`${troubleOfCode(trouble.code)}.title`)}</p>
        <p className="text-[0.8125rem]">{t(`${troubleOfCode(trouble.code)}.remedy`)}</p>
        <p className="mt-0.5 text-[0.8125rem] break-words text-muted">
          {outlook('reportedBy', {
            address,
            host: trouble.host,
            platform: trouble.platform,
            when: format.relativeTime(new Date(trouble.at), now),
          })}
        </p>
      </div>
    </li>
  )
}

function Troubles({ integrationId }: { readonly integrationId: string }) {
  const t = useTranslations('integrations.outlook')
  const filters = { integration_id: integrationId, trouble: 'any', limit: maxTroubles + 1 } as const
  const { data, error, refetch } = useQuery({
    queryKey: ['installations', 'troubles', filters],
    queryFn: () => api.installations.list(filters),
  })
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton lines={3} />
  if (data.length === 0) return <p className="text-[0.8125rem] text-muted">{t('noTroubles')}</p>
  return (
    <>
      <ul className="divide-y divide-line">
        {data
          .slice(0, maxTroubles)
          .map(
            ({ id, email_address, trouble }) =>
              trouble && <TroubleRow key={id} address={email_address} trouble={trouble} />,
          )}
      </ul>
      {data.length > maxTroubles && (
        <p className="mt-3 text-[0.8125rem]">
          <TextLink to="/installations" search={{ integration: integrationId }}>
            {t('moreTroubles')}
          </TextLink>
        </p>
      )}
    </>
  )
}

export function TroublesCard({ integrationId }: { readonly integrationId: string }) {
  const t = useTranslations('integrations.outlook')
  return (
    <Card title={t('troubles')} about={t('troublesAbout')}>
      <Troubles integrationId={integrationId} />
    </Card>
  )
}
