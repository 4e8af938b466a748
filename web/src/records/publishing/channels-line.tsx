// How a change of signatures reaches the mailboxes: by itself, or by people who copy it.
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { pushedCount } from '#api/installation-progress.ts'
import { useCan, useMe } from '#api/session.ts'

/** More signatures are not asked: the sentence then gives the numbers of these. */
const maxSignatures = 30

interface WaysOfSignatures {
  /** Mailboxes that Signoff writes. */
  readonly pushed: number
  /** People who have copied the signature from their personal page. */
  readonly copied: number
}

const waysQuery = (signatureIds: readonly string[]) => ({
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
  /** Only some of their recipients are concerned: then numbers are left out. */
  readonly isPart?: boolean
}

/** True if a channel that writes into mailboxes is connected; undefined while that is not known. */
export function useIsConnected(): boolean | undefined {
  const can = useCan()
  const { data } = useQuery({
    queryKey: ['integrations', 'active'],
    queryFn: () => api.integrations.list({ limit: 100 }),
    enabled: can('integrations:read'),
    staleTime: 60_000,
  })
  return data?.some(({ status }) => status === 'active')
}

export function ChannelsLine({ signatureIds, isPart = false }: ChannelsLineProps) {
  const t = useTranslations('signatures')
  const can = useCan()
  const { workspace } = useMe()
  const { data: ways } = useQuery({ ...waysQuery(signatureIds), enabled: can('installations:read') })
  const pushed = ways?.pushed ?? 0
  const isConnected = useIsConnected() ?? pushed > 0
  const copied = ways?.copied ?? 0
  const lines = [
    isConnected
      ? t('waysPushed', { count: isPart ? 0 : pushed })
      : t(workspace.personal_page_enabled ? 'waysByHand' : 'noChannel'),
    ...(copied > 0 ? [isPart ? t('waysCopiedSome') : t('waysCopied', { count: copied })] : []),
  ]
  return <p className="mt-1 text-[0.8125rem] text-muted">{lines.join(' ')}</p>
}
