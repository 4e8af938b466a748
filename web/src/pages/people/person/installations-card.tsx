// Whether the signature has arrived in the mailboxes of a person.
import type { Installation, Teammate } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { useFormatter, useNow, useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { useCan } from '#api/session.ts'
import { troubleOfCode, waitsForMail } from '#records/installations/reasons.ts'
import { usePersonAction } from '#records/people/person-data.ts'
import { Button } from '#ui/base/button.tsx'
import { Badge, type BadgeVariant, Card, LoadState } from '#ui/layout/page.tsx'

const variants: Readonly<Record<Installation['status'], BadgeVariant>> = {
  pending: 'accent',
  installed: 'good',
  drifted: 'warn',
  failed: 'bad',
  uninstalled: 'neutral',
}

/** Codes of what happened to a signature in a mailbox after it was written. */
const changes = ['changed', 'removed', 'overwritten'] as const

interface InstallationRowProps {
  readonly installation: Installation
  /** The name of the signature; undefined when it is deleted. */
  readonly signature: string | undefined
}

function InstallationRow({ installation, signature }: InstallationRowProps) {
  const t = useTranslations('people.installations')
  const can = useCan()
  const format = useFormatter()
  const now = useNow({ updateInterval: 60_000 })
  const words = useTranslations('installations')
  const { email_id, email_address, channel, status, error_code, error_message, installed_at, trouble } =
    installation
  const change = status === 'drifted' && changes.find(code => code === error_code)
  const retry = usePersonAction(() => api.emails.install(email_id), t('queued'), t('failed'))
  return (
    <li className="grid gap-1 py-2.5">
      <div className="flex items-center justify-between gap-2">
        <span className="min-w-0 font-medium">{words(`channels.${channel}`)}</span>
        <Badge variant={waitsForMail(installation) ? 'neutral' : variants[status]}>
          {waitsForMail(installation)
            ? words('withNextMail')
            : t(channel === 'personal_page' ? `copyStates.${status}` : `states.${status}`)}
        </Badge>
      </div>
      {signature !== undefined && <p className="text-[0.8125rem]">{signature}</p>}
      <p className="text-[0.8125rem] text-muted">
        {email_address}
        {installed_at && ` · ${format.relativeTime(new Date(installed_at), now)}`}
      </p>
      {waitsForMail(installation) && trouble === null && (
        <p className="text-[0.8125rem] text-muted">{words('withNextMailAbout')}</p>
      )}
      {trouble !== null && (
        <p className="text-[0.8125rem] text-warn">
          {words(`troubles.${troubleOfCode(trouble.code)}.title`)}.{' '}
          {words(`troubles.${troubleOfCode(trouble.code)}.remedy`)}
        </p>
      )}
      {(status === 'failed' || status === 'drifted') && (
        <div className="grid justify-items-start gap-2">
          <p className={`text-[0.8125rem] ${status === 'failed' ? 'text-bad' : 'text-muted'}`}>
            {change ? t(`drift.${change}`) : error_message}
          </p>
          {can('signatures:write') && (
            <Button isSmall icon="refresh-cw" isPending={retry.isPending} onPress={() => retry.mutate()}>
              {t(status === 'failed' ? 'retry' : 'restore')}
            </Button>
          )}
        </div>
      )}
    </li>
  )
}

async function installationsOf(person: Teammate): Promise<readonly Installation[]> {
  const lists = await Promise.all(
    person.emails.slice(0, 20).map(({ id }) => api.installations.list({ email_id: id, limit: 20 })),
  )
  return lists.flat()
}

export function InstallationsCard({ person }: { readonly person: Teammate }) {
  const t = useTranslations('people.installations')
  const { data, error, refetch } = useQuery({
    queryKey: ['emails', person.id, 'installations', person.emails.map(({ id }) => id)],
    queryFn: () => installationsOf(person),
  })
  const { data: signatures = [] } = useQuery({
    queryKey: ['signatures', 'all-names'],
    queryFn: () => api.signatures.list({ limit: 100 }),
    enabled: useCan()('signatures:read'),
  })
  return (
    <Card title={t('title')}>
      <LoadState query={{ data, error, refetch }} lines={2} />
      {data?.length === 0 && <p className="text-[0.8125rem] text-muted">{t('empty')}</p>}
      {data && data.length > 0 && (
        <ul className="-my-2.5 divide-y divide-line">
          {data.map(installation => (
            <InstallationRow
              key={installation.id}
              installation={installation}
              signature={signatures.find(({ id }) => id === installation.signature_template_id)?.name}
            />
          ))}
        </ul>
      )}
    </Card>
  )
}
