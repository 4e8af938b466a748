import { useQuery } from '@tanstack/react-query'
import { useFormatter, useTranslations } from 'use-intl'
import { api } from '../../../api/client.ts'
import { useCan, useMe } from '../../../api/session.tsx'

/** How the signature reaches the mailboxes. */
export function ChannelsLine() {
  const t = useTranslations('signatures')
  const format = useFormatter()
  const can = useCan()
  const { workspace } = useMe()
  const { data = [] } = useQuery({
    queryKey: ['integrations', 'active'],
    queryFn: () => api.integrations.list({ limit: 100 }),
    enabled: can('integrations:read'),
    staleTime: 60_000,
  })
  const names = [
    ...new Set(data.filter(({ status }) => status === 'active').map(({ name }) => name)),
    ...(workspace.personal_page_enabled ? [t('personalPage')] : []),
  ]
  return (
    <p className="mt-1 text-[0.8125rem] text-muted">
      {names.length === 0
        ? t('noChannel')
        : t('channels', { count: names.length, names: format.list(names) })}
    </p>
  )
}
