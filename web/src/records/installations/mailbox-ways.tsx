// How a live signature gets into the mailboxes: four ways, with what each of them takes, and how far it is.
import { useMutation, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { useChecklist } from '#api/checklist.ts'
import { api } from '#api/client.ts'
import { useConnected } from '#api/integrations.ts'
import { useCan } from '#api/session.ts'
import { useMessageOf } from '#state/error-messages.ts'
import { Button, LinkButton } from '#ui/base/button.tsx'
import { Icon, type IconName } from '#ui/base/icon.tsx'
import { Badge, Notice } from '#ui/layout/page.tsx'
import { LinkListButton } from '../people/personal-links.tsx'

interface SignatureName {
  readonly id: string
  readonly name: string
}

const systems = [
  { kind: 'google_workspace', icon: 'mail', search: {} },
  { kind: 'microsoft_365', icon: 'building-2', search: { for: 'channel' } },
  { kind: 'smtp_relay', icon: 'server', search: {} },
] as const

type Way = (typeof systems)[number]['kind'] | 'links'

interface WayCardProps {
  readonly way: Way
  readonly icon: IconName
  readonly isConnected?: boolean
  readonly children: ReactNode
}

function WayCard({ way, icon, isConnected = false, children }: WayCardProps) {
  const t = useTranslations('installations.ways')
  return (
    <li className="flex flex-col items-start gap-3 rounded-2xl border border-line bg-card p-5">
      <div className="flex w-full items-start gap-3">
        <span className="grid size-10 shrink-0 place-items-center rounded-xl bg-accent-soft text-accent">
          <Icon name={icon} size={20} />
        </span>
        <div className="min-w-0 flex-1">
          <h3 className="flex flex-wrap items-center gap-2 font-semibold">
            {t(`${way}.title`)}
            {isConnected && <Badge variant="good">{t('connected')}</Badge>}
          </h3>
          <p className="mt-0.5 text-[0.8125rem] text-muted">{t(`${way}.does`)}</p>
        </div>
      </div>
      <p className="text-[0.8125rem] text-muted">{t(`${way}.takes`)}</p>
      <div className="mt-auto grid justify-items-start gap-2">{children}</div>
    </li>
  )
}

function SystemCard({ kind, icon, search }: (typeof systems)[number]) {
  const t = useTranslations('installations.ways')
  const can = useCan()
  const connected = useConnected().find(each => each.kind === kind && each.capabilities.includes('channel'))
  return (
    <WayCard way={kind} icon={icon} isConnected={connected !== undefined}>
      {connected && <LinkButton to={`/integrations/${connected.id}`}>{t('view')}</LinkButton>}
      {!connected && can('integrations:write') && (
        <LinkButton to={`/integrations/new/${kind}`} search={search as never}>
          {t('connect')}
          <span className="sr-only">: {t(`${kind}.title`)}</span>
        </LinkButton>
      )}
      {!connected && !can('integrations:write') && (
        <p className="text-[0.8125rem] text-muted">{t('askAdmin')}</p>
      )}
    </WayCard>
  )
}

function LinksCard({ signature }: { readonly signature: SignatureName }) {
  const t = useTranslations('installations.ways')
  const messageOf = useMessageOf()
  const hasMail = useChecklist().data?.done.mail ?? true
  const { mutate, isPending, data, error } = useMutation({
    mutationFn: () => api.signatures.invite(signature.id),
  })
  return (
    <WayCard way="links" icon="link">
      {hasMail ? (
        <Button
          variant="primary"
          icon="send"
          isPending={isPending}
          isDisabled={data !== undefined}
          onPress={() => mutate()}
        >
          {t('links.send')}
        </Button>
      ) : (
        <p className="text-[0.8125rem] text-muted">{t('links.noMail')}</p>
      )}
      <LinkListButton signature={signature} />
      <div role="status">
        {data && <Notice kind="good">{t('links.sent', { count: data.queued })}</Notice>}
      </div>
      {error && (
        <div role="alert">
          <Notice kind="warn">{messageOf(error)}</Notice>
        </div>
      )}
    </WayCard>
  )
}

/** Read again every five seconds: people copy it while an admin looks. */
function ReachedCount({ signature }: { readonly signature: SignatureName }) {
  const t = useTranslations('installations.ways')
  const { data } = useQuery({
    queryKey: ['installations', 'progress', signature.id],
    queryFn: () => api.signatures.installationProgress(signature.id),
    refetchInterval: 5_000,
  })
  if (!data) return null
  const { installed, drifted, pending, failed } = data
  return (
    <p role="status" className="text-[0.8125rem] text-muted tabular-nums">
      {t('reached', { count: installed, total: installed + drifted + pending + failed })}
    </p>
  )
}

export default function MailboxWays({ signature }: { readonly signature: SignatureName }) {
  const t = useTranslations('installations.ways')
  return (
    <section aria-labelledby="mailbox-ways">
      <header className="mb-3 flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 id="mailbox-ways" className="text-base font-semibold">
          {t('title')}
        </h2>
        <ReachedCount signature={signature} />
      </header>
      <ul className="grid gap-4 sm:grid-cols-2">
        <LinksCard signature={signature} />
        {systems.map(system => (
          <SystemCard key={system.kind} {...system} />
        ))}
      </ul>
    </section>
  )
}
