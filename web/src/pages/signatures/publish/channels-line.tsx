// How a change of signatures reaches the mailboxes: by itself, or by people who copy it.
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { api } from '../../../api/client.ts'
import { pushedCount } from '../../../api/installation-progress.ts'
import { useCan, useMe } from '../../../api/session.tsx'

/** More signatures are not asked: the sentence then gives the numbers of these. */
const maxSignatures = 30

interface WaysOfSignatures {
  /** Mailboxes that Signoff writes. */
  readonly pushed: number
  /** People who have copied the signature from their personal page. */
  readonly copied: number
}

export const waysQuery = (signatureIds: readonly string[]) => ({
  queryKey: ['installations', 'ways', signatureIds] as const,
  queryFn: async (): Promise<WaysOfSignatures> => {
    const all = await Promise.all(
      signatureIds.slice(0, maxSignatures).map(id => api.signatures.installationProgress(id)),
    )
    return {
      pushed: all.reduce((sum, progress) => sum + pushedCount(progress), 0),
      copied: all.reduce((sum, { personal_page: { installed } }) => sum + installed, 0),
    }
  },
  staleTime: 30_000,
})

interface ChannelsLineProps {
  readonly signatureIds: readonly string[]
}

export function ChannelsLine({ signatureIds }: ChannelsLineProps) {
  const t = useTranslations('signatures')
  const can = useCan()
  const { workspace } = useMe()
  const { data: integrations } = useQuery({
    queryKey: ['integrations', 'active'],
    queryFn: () => api.integrations.list({ limit: 100 }),
    enabled: can('integrations:read'),
    staleTime: 60_000,
  })
  const { data: ways } = useQuery({ ...waysQuery(signatureIds), enabled: can('installations:read') })
  const isConnected = integrations?.some(({ status }) => status === 'active') ?? (ways?.pushed ?? 0) > 0
  const copied = ways?.copied ?? 0
  const lines = [
    isConnected
      ? t('waysPushed', { count: ways?.pushed ?? 0 })
      : t(workspace.personal_page_enabled ? 'waysByHand' : 'noChannel'),
    ...(copied > 0 ? [t('waysCopied', { count: copied })] : []),
  ]
  return <p className="mt-1 text-[0.8125rem] text-muted">{lines.join(' ')}</p>
}
