import type { Installation } from '@signoff/sdk'
import { useFormatter, useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { useCan } from '#api/session.ts'
import { reasonOfCode, troubleOfCode, waitsForMail } from '#records/installations/reasons.ts'
import { useAddressState } from '#state/address-state.ts'
import { IconButton } from '#ui/base/button.tsx'
import { toast, toastError } from '#ui/feedback/toast.tsx'
import { FilterSelect } from '#ui/form/filter-select.tsx'
import { Badge, type BadgeVariant, EmptyState } from '#ui/layout/page.tsx'
import { type VirtualColumn, VirtualTable } from '#ui/table/virtual-table.tsx'
import { installAgain, useIntegrations, useSignatures } from './data.ts'

const statuses = ['installed', 'pending', 'drifted', 'failed', 'uninstalled'] as const
type Status = (typeof statuses)[number]

const moment = { day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' } as const
const sorts = ['status', '-status', 'updated_at', '-updated_at'] as const

const variants: Readonly<Record<Status, BadgeVariant>> = {
  installed: 'good',
  pending: 'neutral',
  drifted: 'warn',
  failed: 'bad',
  uninstalled: 'neutral',
}

const stateTextOf = (row: Installation) => {
  if (waitsForMail(row)) return 'withNextMail'
  return row.channel === 'personal_page'
    ? (`copyStates.${row.status}` as const)
    : (`statuses.${row.status}` as const)
}

function Filters() {
  const t = useTranslations('installations')
  const [{ status, signature, integration }, setState] = useAddressState<
    'status' | 'signature' | 'integration'
  >()
  const { data: signatures = [] } = useSignatures()
  const integrations = useIntegrations()
  const named = (all: readonly { id: string; name: string }[]) =>
    all.map(({ id, name }) => ({ id, label: name }))
  return (
    <div className="mb-3 flex flex-wrap gap-2">
      <FilterSelect
        label={t('filters.status')}
        value={status ?? 'all'}
        onChange={id => setState({ status: id === 'all' ? undefined : id })}
        options={['all' as const, ...statuses].map(id => ({ id: id as string, label: t(`statuses.${id}`) }))}
        className="w-40"
      />
      <FilterSelect
        label={t('filters.signature')}
        value={signature ?? 'all'}
        onChange={id => setState({ signature: id === 'all' ? undefined : id })}
        options={[{ id: 'all', label: t('filters.allSignatures') }, ...named(signatures)]}
        className="w-52"
      />
      {integrations.length > 0 && (
        <FilterSelect
          label={t('filters.channel')}
          value={integration ?? 'all'}
          onChange={id => setState({ integration: id === 'all' ? undefined : id })}
          options={[{ id: 'all', label: t('filters.allChannels') }, ...named(integrations)]}
          className="w-52"
        />
      )}
    </div>
  )
}

function useColumns(): readonly VirtualColumn<Installation>[] {
  const t = useTranslations('installations')
  const format = useFormatter()
  const mayInstall = useCan()('signatures:write')
  const { data: signatures = [] } = useSignatures()
  const names = new Map(signatures.map(({ id, name }) => [id, name]))
  const aboutOf = (row: Installation) => {
    if (row.error_message !== null) return row.error_message
    if (row.trouble === null) return waitsForMail(row) ? t('withNextMailAbout') : ''
    const key = `troubles.${troubleOfCode(row.trouble.code)}` as const
    return `${t(`${key}.title`)}. ${t(`${key}.remedy`)}`
  }
  const again = async ({ email_id: id, email_address: address }: Installation) => {
    const refused = await installAgain([id])
    if (refused > 0) toastError(t('notQueued'))
    else toast(t('queuedOne', { address }))
  }
  return [
    {
      id: 'address',
      title: t('columns.address'),
      width: 'minmax(0, 2fr)',
      cell: row => row.email_address,
    },
    {
      id: 'signature',
      title: t('columns.signature'),
      width: 'minmax(0, 1.5fr)',
      isSecondary: true,
      cell: row => names.get(row.signature_template_id) ?? t('unknownSignature'),
    },
    {
      id: 'channel',
      title: t('columns.channel'),
      width: 'minmax(0, 1.2fr)',
      isSecondary: true,
      cell: row => t(`channels.${row.channel}`),
    },
    {
      id: 'status',
      title: t('columns.status'),
      sort: 'status',
      width: 'minmax(8rem, 1.6fr)',
      cell: row => (
        <span className="flex min-w-0 items-center gap-x-2 gap-y-0.5 max-md:flex-wrap" title={aboutOf(row)}>
          <Badge variant={variants[row.status]}>{t(stateTextOf(row))}</Badge>
          {(row.status === 'failed' || row.status === 'drifted') && (
            <span className="truncate text-[0.8125rem] text-muted max-md:hidden">
              {t(`reasons.${reasonOfCode(row.error_code)}.title`)}
            </span>
          )}
          {row.trouble !== null && <Badge variant="warn">{t('troubled')}</Badge>}
        </span>
      ),
    },
    {
      id: 'changed',
      title: t('columns.changed'),
      sort: 'updated_at',
      width: 'minmax(0, 1.2fr)',
      isSecondary: true,
      cell: row => (
        <time dateTime={row.updated_at} className="text-muted">
          {format.dateTime(new Date(row.updated_at), moment)}
        </time>
      ),
    },
    ...(mayInstall
      ? [
          {
            id: 'again',
            title: t('columns.again'),
            width: '4rem',
            // Into a copied signature nothing can be written.
            cell: (row: Installation) =>
              row.channel === 'personal_page' ? null : (
                <IconButton
                  icon="refresh-cw"
                  label={t('installAgainFor', { address: row.email_address })}
                  onPress={() => void again(row)}
                />
              ),
          },
        ]
      : []),
  ]
}

export function InstallationTable() {
  const t = useTranslations('installations')
  const [{ status, signature, integration, sort }, setState] = useAddressState<
    'status' | 'signature' | 'integration' | 'sort'
  >()
  const filters = {
    status: statuses.find(each => each === status),
    signature_template_id: signature,
    integration_id: integration,
    sort: sorts.find(each => each === sort),
  }
  const columns = useColumns()
  return (
    <section aria-labelledby="single-installations">
      <h2 id="single-installations" className="mb-3 text-base font-semibold">
        {t('single')}
      </h2>
      <Filters />
      <VirtualTable
        label={t('single')}
        columns={columns}
        queryKey={['installations', 'table', filters]}
        loadPage={async (page, limit, signal) => {
          const { body } = await api.installations.list({ page, limit, ...filters }, { signal }).raw()
          return { rows: body.data, total: body.pagination.total_count }
        }}
        keyOf={({ id }) => id}
        sort={sort}
        onSort={by => setState({ sort: by })}
        rowHeight={48}
        empty={<EmptyState icon="layers" title={t('noneFit')} />}
      />
    </section>
  )
}
