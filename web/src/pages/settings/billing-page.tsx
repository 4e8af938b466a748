import type { FinancialDocument, Workspace } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { allRows } from '../../api/all-pages.ts'
import { api } from '../../api/client.ts'
import { useMe } from '../../api/session.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Badge, Card, EmptyState, LoadError, Skeleton } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import { SettingsFrame } from './settings-frame.tsx'

const Fact = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  <div>
    <dt className="text-[0.8125rem] text-muted">{label}</dt>
    <dd className="mt-1 text-lg font-semibold">{children}</dd>
  </div>
)

function PlanCard({ plan, seats }: { readonly plan: Workspace['plan']; readonly seats: number }) {
  const t = useTranslations('settings.billing')
  const format = useFormatter()
  const day = (at: string) => format.dateTime(new Date(at), { dateStyle: 'medium' })
  const isSelfHosted = plan.kind === 'self_hosted'
  return (
    <Card title={t('plan')} about={isSelfHosted ? t('selfHostedAbout') : undefined}>
      <dl className="grid gap-5 sm:grid-cols-3">
        <Fact label={t('tier')}>
          <span className="flex flex-wrap items-center gap-2">
            {isSelfHosted ? t('selfHosted') : plan.tier}
            <Badge look={plan.status === 'active' ? 'good' : 'warn'}>
              {plan.status === 'active' ? t('active') : plan.status}
            </Badge>
          </span>
        </Fact>
        <Fact label={t('seats')}>{format.number(seats)}</Fact>
        <Fact label={plan.ends_at === null ? t('since') : t('until')}>
          {plan.ends_at === null ? plan.started_at && day(plan.started_at) : day(plan.ends_at)}
        </Fact>
      </dl>
    </Card>
  )
}

const FileLink = ({
  url,
  name,
  label,
}: {
  readonly url: string
  readonly name: string
  readonly label: string
}) => (
  <a
    href={url}
    download={name}
    className="inline-flex min-h-6 items-center gap-1.5 text-accent underline-offset-2 hover:underline"
  >
    <Icon name="download" size={14} />
    {label}
  </a>
)

function DocumentTable({ documents }: { readonly documents: readonly FinancialDocument[] }) {
  const t = useTranslations('settings.billing')
  const format = useFormatter()
  const day = (at: string | null) =>
    at === null ? '–' : format.dateTime(new Date(at), { dateStyle: 'medium' })
  return (
    <Table
      label={t('documents')}
      rows={documents}
      keyOf={({ id }) => id}
      columns={[
        {
          id: 'number',
          title: t('number'),
          cell: ({ number }) => <span className="font-medium">{number}</span>,
        },
        {
          id: 'period',
          title: t('period'),
          isSecondary: true,
          cell: ({ period_start, period_end }) => `${day(period_start)} – ${day(period_end)}`,
        },
        { id: 'due', title: t('due'), isSecondary: true, cell: ({ due_date }) => day(due_date) },
        {
          id: 'amount',
          title: t('amount'),
          isNumber: true,
          cell: ({ total_amount_cents }) =>
            format.number(total_amount_cents / 100, { minimumFractionDigits: 2, maximumFractionDigits: 2 }),
        },
        {
          id: 'files',
          title: t('files'),
          cell: ({ file, receipt }) => (
            <span className="flex flex-wrap gap-x-4 gap-y-1">
              {file && <FileLink url={file.url} name={file.filename} label={t('invoice')} />}
              {receipt && <FileLink url={receipt.url} name={receipt.filename} label={t('receipt')} />}
            </span>
          ),
        },
      ]}
    />
  )
}

function Documents() {
  const t = useTranslations('settings.billing')
  const { data, error, refetch } = useQuery({
    queryKey: ['financial_documents', 'all'],
    queryFn: () => allRows(page => api.financialDocuments.list(page)),
  })
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton lines={4} />
  if (data.length > 0) return <DocumentTable documents={data} />
  return (
    <EmptyState icon="receipt" title={t('emptyTitle')}>
      {t('emptyText')}
    </EmptyState>
  )
}

export default function BillingSettingsPage() {
  const t = useTranslations('settings.billing')
  const { workspace } = useMe()
  return (
    <SettingsFrame section="billing">
      <div className="grid grid-cols-1 gap-8">
        <PlanCard plan={workspace.plan} seats={workspace.seat_count} />
        <section>
          <h2 className="mb-3 text-base font-semibold">{t('documents')}</h2>
          <Documents />
        </section>
      </div>
    </SettingsFrame>
  )
}
