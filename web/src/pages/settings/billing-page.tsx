import type { FinancialDocument, Workspace } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { allRows } from '#api/lists.ts'
import { useMe } from '#api/session.ts'
import { Icon } from '#ui/base/icon.tsx'
import { DownloadButton } from '#ui/feedback/download-button.tsx'
import { Badge, Card, EmptyState, LoadError, Skeleton } from '#ui/layout/page.tsx'
import { Table } from '#ui/table/table.tsx'
import { SettingsFrame } from './settings-frame.tsx'

type LinkedFile = NonNullable<FinancialDocument['file']>

const FileLink = ({ file, label }: { readonly file: LinkedFile; readonly label: string }) => (
  <a
    href={file.url}
    download={file.filename}
    className="inline-flex min-h-6 items-center gap-1.5 text-accent underline-offset-2 hover:underline"
  >
    <Icon name="download" size={14} />
    {label}
  </a>
)

/** A link would not say which workspace this tab shows. */
function KeptFile({ id, number, file }: Pick<FinancialDocument, 'id' | 'number'> & { file: LinkedFile }) {
  const t = useTranslations('settings.billing')
  return (
    <DownloadButton
      isSmall
      name={file.filename}
      read={() => api.financialDocuments.file(id)}
      aria-label={t('downloadOne', { number })}
    >
      {t('download')}
    </DownloadButton>
  )
}

/** The file of an invoice. The service keeps most of them; others are at the system that issued them. */
function DocumentFile({ document }: { readonly document: FinancialDocument }) {
  const t = useTranslations('settings.billing')
  const { id, number, file } = document
  if (!file) return null
  const isKept = file.url.endsWith(`/v1/financial_documents/${id}/file`)
  return isKept ? <KeptFile {...{ id, number, file }} /> : <FileLink file={file} label={t('invoice')} />
}

const Fact = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  <div>
    <dt className="text-[0.8125rem] text-muted">{label}</dt>
    <dd className="mt-1 text-lg font-semibold">{children}</dd>
  </div>
)

function PlanCard({ plan }: Pick<Workspace, 'plan'>) {
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
            <Badge variant={plan.status === 'active' ? 'good' : 'warn'}>
              {plan.status === 'active' ? t('active') : plan.status}
            </Badge>
          </span>
        </Fact>
        <Fact label={plan.ends_at === null ? t('since') : t('until')}>
          {plan.ends_at === null ? plan.started_at && day(plan.started_at) : day(plan.ends_at)}
        </Fact>
      </dl>
    </Card>
  )
}

function SeatsCard({ now, max_this_month: most, limit }: Workspace['seats']) {
  const t = useTranslations('settings.billing')
  const format = useFormatter()
  const isFull = limit !== null && now >= limit
  return (
    <Card title={t('seatsTitle')} about={t('seatsAbout')}>
      <dl className="grid gap-5 sm:grid-cols-3">
        <Fact label={t('seats')}>
          <span className="flex flex-wrap items-center gap-2">
            {format.number(now)}
            {isFull && <Badge variant="warn">{t('full')}</Badge>}
          </span>
        </Fact>
        <Fact label={t('mostSeats')}>{format.number(most)}</Fact>
        <Fact label={t('seatLimit')}>{limit === null ? t('noLimit') : format.number(limit)}</Fact>
      </dl>
      {isFull && <p className="mt-4 text-sm text-muted">{t('fullText')}</p>}
    </Card>
  )
}

function DocumentTable({ documents }: { readonly documents: readonly FinancialDocument[] }) {
  const t = useTranslations('settings.billing')
  const format = useFormatter()
  const day = (at: string | null) =>
    at === null ? '–' : format.dateTime(new Date(at), { dateStyle: 'medium', timeZone: 'UTC' })
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
          cell: ({ period_start, period_end }) =>
            period_start === null && period_end === null ? '–' : `${day(period_start)} – ${day(period_end)}`,
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
          cell: document => (
            <span className="flex flex-wrap gap-x-4 gap-y-1">
              <DocumentFile document={document} />
              {document.receipt && <FileLink file={document.receipt} label={t('receipt')} />}
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
        <PlanCard plan={workspace.plan} />
        <SeatsCard {...workspace.seats} />
        <section>
          <h2 className="mb-3 text-base font-semibold">{t('documents')}</h2>
          <Documents />
        </section>
      </div>
    </SettingsFrame>
  )
}
