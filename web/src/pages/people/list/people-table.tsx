// The table of people, with what is ticked in it.
import type { SmartField, Teammate } from '@signoff/sdk'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { useCan } from '#api/session.ts'
import { useNameOf } from '#api/teammates.ts'
import { apiFiltersOf, type PeopleFilters, peopleKey } from '#records/people/people-data.ts'
import { Button, LinkButton } from '#ui/base/button.tsx'
import { EmptyState } from '#ui/layout/page.tsx'
import { type TableSelection, VirtualTable } from '#ui/table/virtual-table.tsx'
import { BulkBar } from './bulk-bar.tsx'
import { usePeopleColumns } from './people-columns.tsx'
import { type PeopleSelection, usePeopleSelection } from './use-people-selection.ts'

interface PeopleTableProps {
  readonly fields: readonly SmartField[]
  readonly filters: PeopleFilters
  readonly chosen: readonly string[]
  readonly onSort: (sort: string) => void
  readonly onClear: () => void
  readonly onAdd: () => void
}

function NoPeople({ filters, onClear, onAdd }: Pick<PeopleTableProps, 'filters' | 'onClear' | 'onAdd'>) {
  const t = useTranslations('people')
  const can = useCan()
  if (Object.keys(apiFiltersOf(filters)).length > 0)
    return (
      <EmptyState
        icon="search"
        title={t('noneFound')}
        action={<Button onPress={onClear}>{t('clearFilters')}</Button>}
      >
        {t('noneFoundText')}
      </EmptyState>
    )
  return (
    <EmptyState
      icon="users"
      title={t('empty')}
      action={
        can('teammates:write') && (
          <>
            <LinkButton to="/people/import" variant="primary">
              {t('import.open')}
            </LinkButton>
            <Button onPress={onAdd}>{t('add')}</Button>
          </>
        )
      }
    >
      {t('emptyText')}
    </EmptyState>
  )
}

function useTableSelection(selection: PeopleSelection): TableSelection<Teammate> {
  const t = useTranslations('people')
  const nameOf = useNameOf()
  return {
    isSelected: selection.isSelected,
    onToggle: selection.toggle,
    state: selection.isWholeList ? 'all' : selection.count > 0 ? 'some' : 'none',
    onToggleAll: selection.toggleAll,
    labelOf: person => t('select', { name: nameOf(person) }),
    allLabel: t('selectAll'),
  }
}

export function PeopleTable({ fields, filters, chosen, onSort, onClear, onAdd }: PeopleTableProps) {
  const t = useTranslations('people')
  const can = useCan()
  const navigate = useNavigate()
  const [total, setTotal] = useState<number>()
  const columns = usePeopleColumns(fields, chosen)
  const selection = usePeopleSelection(filters, total)
  const tableSelection = useTableSelection(selection)
  const { sort = 'name' } = filters
  const query = { ...apiFiltersOf(filters), sort }
  const loadPage = async (page: number, limit: number, signal: AbortSignal) => {
    const { body } = await api.teammates.list({ ...query, page, limit }, { signal }).raw()
    return { rows: body.data, total: body.pagination.total_count }
  }
  return (
    <>
      {selection.count > 0 && <BulkBar {...{ selection, filters, fields }} />}
      <VirtualTable
        label={t('title')}
        columns={columns}
        queryKey={[...peopleKey, 'list', query]}
        loadPage={loadPage}
        keyOf={({ id }) => id}
        onOpen={({ id }) => void navigate({ to: `/people/${id}` as string })}
        sort={sort}
        onSort={onSort}
        onTotal={setTotal}
        rowHeight={56}
        minWidth={`${18 + columns.length * 9}rem`}
        empty={<NoPeople {...{ filters, onClear, onAdd }} />}
        {...(can('teammates:write') && { selection: tableSelection })}
      />
      <p className="mt-2 flex flex-wrap justify-between gap-x-4 text-[0.8125rem] text-muted">
        <span>{total === undefined ? '' : t('count', { count: total })}</span>
        <span className="max-md:hidden">{can('teammates:write') ? t('keysEdit') : t('keys')}</span>
      </p>
    </>
  )
}
