// A connected system: whether it works, what it does, and what it did.
import type { Integration } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useFormatter, useNow, useTranslations } from 'use-intl'
import { api } from '../../api/client.ts'
import { totalOf } from '../../api/counts.ts'
import { useCan } from '../../api/session.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyField } from '../../ui/copy-field.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Badge, Notice } from '../../ui/page.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { disconnectCommand, isAvailable, kindIcons } from './kinds.ts'

async function loadActivity(id: string) {
  const count = (status: 'installed' | 'pending' | 'failed') =>
    totalOf(api.installations.list({ integration_id: id, status, limit: 1 }))
  const [installed, pending, failed, groups, [last]] = await Promise.all([
    count('installed'),
    count('pending'),
    count('failed'),
    totalOf(api.integrationEntities.list({ integration_id: id, limit: 1 })),
    api.installations.list({ integration_id: id, sort: '-updated_at', limit: 1 }),
  ])
  return { counts: { installed, pending, failed }, groups, lastAt: last?.updated_at }
}

function Activity({ integration }: { readonly integration: Integration }) {
  const t = useTranslations('integrations')
  const format = useFormatter()
  const now = useNow({ updateInterval: 60_000 })
  const { data } = useQuery({
    queryKey: ['integrations', integration.id, 'activity'],
    queryFn: () => loadActivity(integration.id),
  })
  const since = format.dateTime(new Date(integration.created_at), { dateStyle: 'medium' })
  const rows = [
    [t('since'), since],
    [t('lastActivity'), data?.lastAt ? format.relativeTime(new Date(data.lastAt), now) : t('none')],
    [t('mailboxes'), data && t('mailboxCounts', data.counts)],
    ...(data && data.groups > 0 ? [[t('groups'), format.number(data.groups)] as const] : []),
  ] as const
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-[0.8125rem]">
      {rows.map(([label, value]) => (
        <div key={label} className="contents">
          <dt className="text-muted">{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function DisconnectButton({ integration }: { readonly integration: Integration }) {
  const t = useTranslations('integrations')
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button isSmall look="quiet" onPress={() => setOpen(true)}>
        {t('disconnect')}
        <span className="sr-only">: {integration.name}</span>
      </Button>
      <Dialog
        title={t('disconnectTitle', { name: integration.name })}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
      >
        <p className="mb-4 text-muted">{t('disconnectAbout')}</p>
        <CopyField label={t('command')} value={disconnectCommand(integration.id)} />
      </Dialog>
    </>
  )
}

export function ConnectedCard({ integration }: { readonly integration: Integration }) {
  const t = useTranslations('integrations')
  const format = useFormatter()
  const can = useCan()
  const { id, kind, name, status, error_message: problem, error_since: since } = integration
  const known = isAvailable(kind) ? kind : undefined
  return (
    <li className="grid content-start gap-4 rounded-2xl border border-line bg-card p-5">
      <div className="flex items-start gap-3">
        <span className="grid size-10 shrink-0 place-items-center rounded-xl bg-accent-soft text-accent">
          <Icon name={known ? kindIcons[known] : 'plug'} size={20} />
        </span>
        <div className="min-w-0 flex-1">
          <h3 className="font-semibold">{name}</h3>
          <p className="text-[0.8125rem] text-muted">{known ? t(`kinds.${known}.title`) : kind}</p>
        </div>
        <Badge look={status === 'active' ? 'good' : 'bad'}>{t(`statuses.${status}`)}</Badge>
      </div>
      {problem !== null && (
        <Notice kind="bad">
          <p className="font-medium">{problem}</p>
          {since !== null && (
            <p>
              {t('errorSince', {
                when: format.dateTime(new Date(since), { dateStyle: 'medium', timeStyle: 'short' }),
              })}
            </p>
          )}
        </Notice>
      )}
      {known && <p>{t(`kinds.${known}.does`)}</p>}
      <Activity integration={integration} />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line pt-3 text-[0.8125rem]">
        <TextLink to="/installations" search={{ integration: id }}>
          {t('toInstallations')}
        </TextLink>
        {integration.dashboard_url !== null && (
          <a
            href={integration.dashboard_url}
            target="_blank"
            rel="noreferrer"
            className="inline-flex items-center gap-1 font-medium text-accent hover:underline"
          >
            {t('itsConsole')}
            <Icon name="external-link" size={13} />
          </a>
        )}
        <span className="flex-1" />
        {can('integrations:write') && <DisconnectButton integration={integration} />}
      </div>
    </li>
  )
}
