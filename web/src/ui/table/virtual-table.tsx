// A table of any length over pages of the API. Only the rows in view are in the document, and only their pages are
// requested: 100,000 people scroll like ten.
import { type UseQueryResult, useQueries } from '@tanstack/react-query'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type CSSProperties, useCallback, useEffect, useId, useMemo, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useIsNarrow } from '../base/use-narrow.ts'
import { LoadError } from '../layout/page.tsx'
import { useTableKeys } from './virtual-table-keys.ts'
import { cellId, HeaderRow, TableRow } from './virtual-table-parts.tsx'
import type { CellPosition, ListPage, VirtualColumn, VirtualTableProps } from './virtual-table-types.ts'

export type { ListPage, TableSelection, VirtualColumn } from './virtual-table-types.ts'

const pageSize = 100
/** Rows before and behind those in view whose page is requested early, so that scrolling meets rows that are there. */
const rowsAhead = 50
const headerHeight = 40

function useRows<Row>(
  { queryKey, loadPage }: Pick<VirtualTableProps<Row>, 'queryKey' | 'loadPage'>,
  pages: readonly number[],
) {
  const results = useQueries({
    queries: pages.map(page => ({
      queryKey: [...queryKey, { page, pageSize }],
      queryFn: ({ signal }: { signal: AbortSignal }) => loadPage(page, pageSize, signal),
    })),
  }) as UseQueryResult<ListPage<Row>>[]
  const loaded = new Map(pages.map((page, index) => [page, results[index]?.data]))
  const failed = results.find(result => result.isError)
  return {
    total: results.find(result => result.data)?.data?.total,
    rowAt: (index: number) => loaded.get(Math.floor(index / pageSize) + 1)?.rows[index % pageSize],
    error: failed?.error ?? null,
    retry: () => void failed?.refetch(),
  }
}

/** The first page too, because it says how many rows there are. */
function pagesAround(first: number, last: number, count: number): readonly number[] {
  const pageOf = (index: number) => Math.floor(Math.max(0, Math.min(count - 1, index)) / pageSize) + 1
  const [from, to] = [pageOf(first - rowsAhead), pageOf(last + rowsAhead)]
  return [...new Set([1, ...Array.from({ length: to - from + 1 }, (_, n) => from + n)])]
}

const tracksOf = <Row,>(
  columns: readonly VirtualColumn<Row>[],
  minWidth: string,
  hasSelection: boolean,
): CSSProperties => {
  const widths = [...(hasSelection ? ['2.75rem'] : []), ...columns.map(({ width }) => width)]
  return { '--tracks': widths.join(' '), '--table-width': minWidth } as CSSProperties
}

/** Number of rows; while it is not known, as many as a page has. */
function useKnownTotal(key: string) {
  const [counted, setCounted] = useState<{ key: string; total: number }>()
  return {
    estimate: counted?.key === key ? counted.total : pageSize,
    learn: (total: number | undefined) => {
      if (total !== undefined && (counted?.key !== key || counted.total !== total)) setCounted({ key, total })
    },
  }
}

export function VirtualTable<Row>(props: VirtualTableProps<Row>) {
  const { label, keyOf, onOpen, sort, onSort, empty, rowHeight = 52, queryKey, selection, onTotal } = props
  const t = useTranslations('shell')
  const isNarrow = useIsNarrow()
  // A hidden cell would leave its track empty, so secondary columns are taken out as a whole.
  const columns = useMemo(
    () => props.columns.filter(column => !(isNarrow && column.isSecondary)),
    [props.columns, isNarrow],
  )
  const minWidth = (!isNarrow && props.minWidth) || '100%'
  const frame = useRef<HTMLDivElement>(null)
  const id = useId()
  const { estimate, learn } = useKnownTotal(JSON.stringify(queryKey))
  const virtualizer = useVirtualizer({
    count: estimate,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    overscan: 8,
    scrollMargin: headerHeight,
    scrollPaddingStart: headerHeight,
  })
  const items = virtualizer.getVirtualItems()
  const pages = pagesAround(items.at(0)?.index ?? 0, items.at(-1)?.index ?? 0, estimate)
  const { total, rowAt, error, retry } = useRows(props, pages)
  learn(total)
  useEffect(() => {
    if (total !== undefined) onTotal?.(total)
  }, [total])
  const [active, setActive] = useState<CellPosition>({ row: 0, column: 0 })
  const [edited, setEdited] = useState<CellPosition | null>(null)
  const onKeyDown = useTableKeys({
    columns,
    active,
    last: estimate - 1,
    rowAt,
    onMove: next => {
      setActive(next)
      if (next.row !== active.row) virtualizer.scrollToIndex(next.row)
    },
    onEdit: setEdited,
    ...(onOpen && { onOpen }),
    ...(selection && { onSelect: (row: Row) => selection.onToggle(row) }),
  })
  const endEdit = useCallback(() => {
    setEdited(null)
    frame.current?.focus({ preventScroll: true })
  }, [])
  if (error) return <LoadError error={error} onRetry={retry} />
  if (total === 0) return <>{empty}</>
  const isShown = items.some(({ index }) => index === active.row)
  return (
    <div className="overflow-hidden rounded-2xl border border-line bg-card">
      <p className="sr-only" role="status">
        {total === undefined ? t('loading') : t('rowCount', { count: total })}
      </p>
      <div
        ref={frame}
        role="grid"
        aria-label={label}
        aria-rowcount={estimate + 1}
        aria-multiselectable={selection !== undefined}
        {...(isShown && { 'aria-activedescendant': cellId(id, active) })}
        tabIndex={0}
        onKeyDown={onKeyDown}
        className="group/table max-h-[max(20rem,calc(100dvh-16rem))] overflow-auto focus-visible:-outline-offset-2"
        style={tracksOf(columns, minWidth, selection !== undefined)}
      >
        <HeaderRow {...{ columns, sort, onSort, selection }} height={headerHeight} />
        <div
          role="rowgroup"
          className="relative min-w-(--table-width)"
          style={{ height: virtualizer.getTotalSize() }}
        >
          {items.map(({ index, start }) => {
            const row = rowAt(index)
            return (
              <TableRow
                key={row === undefined ? `row-${index}` : keyOf(row)}
                {...{ columns, row, index, rowHeight, selection, onOpen, endEdit }}
                tableId={id}
                start={start - headerHeight}
                activeColumn={active.row === index ? active.column : null}
                editedColumn={edited?.row === index ? edited.column : null}
                onActivate={setActive}
                onEdit={setEdited}
              />
            )
          })}
        </div>
      </div>
    </div>
  )
}
