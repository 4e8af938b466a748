// A table of any length over pages of the API. Only the rows in view are in the document, and only their pages are
// requested: 100,000 people scroll like ten.
import { type UseQueryResult, useQueries } from '@tanstack/react-query'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type CSSProperties, type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { classes } from './classes.ts'
import { Icon } from './icon.tsx'
import { LoadError } from './page.tsx'
import { useIsNarrow } from './use-narrow.ts'

export interface ListPage<Row> {
  readonly rows: readonly Row[]
  readonly total: number
}

export interface VirtualColumn<Row> {
  readonly id: string
  readonly title: string
  /** A CSS grid track, such as `minmax(12rem, 2fr)`. */
  readonly width: string
  readonly cell: (row: Row) => ReactNode
  /** The name for `sort`; a column without one cannot be sorted by. */
  readonly sort?: string
  readonly isSecondary?: boolean
}

interface VirtualTableProps<Row> {
  readonly label: string
  readonly columns: readonly VirtualColumn<Row>[]
  /** Everything that decides about the rows: resource, search, filters, sort. */
  readonly queryKey: readonly unknown[]
  readonly loadPage: (page: number, limit: number, signal: AbortSignal) => Promise<ListPage<Row>>
  readonly keyOf: (row: Row) => string
  readonly onOpen?: (row: Row) => void
  readonly sort?: string | undefined
  readonly onSort?: (sort: string) => void
  readonly empty: ReactNode
  readonly rowHeight?: number
}

const pageSize = 100

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

/** `name` → `-name` → `name`: a header that is pressed again turns the order. */
const turned = (sort: string | undefined, column: string): string => (sort === column ? `-${column}` : column)

const ariaSort = (sort: string | undefined, column: string | undefined) => {
  if (column === undefined) return undefined
  return sort === column ? 'ascending' : sort === `-${column}` ? 'descending' : 'none'
}

function HeaderCell<Row>({
  column,
  sort,
  onSort,
}: { readonly column: VirtualColumn<Row> } & Pick<VirtualTableProps<Row>, 'sort' | 'onSort'>) {
  const { title, sort: by, isSecondary } = column
  const direction = ariaSort(sort, by)
  return (
    <div
      role="columnheader"
      aria-sort={direction}
      className={classes(
        'flex min-w-0 items-center px-3 text-xs font-medium text-muted',
        isSecondary && 'max-md:hidden',
      )}
    >
      {by !== undefined && onSort ? (
        <button
          type="button"
          className="flex items-center gap-1 rounded hover:text-ink"
          onClick={() => onSort(turned(sort, by))}
        >
          {title}
          <Icon
            name={direction === 'descending' ? 'arrow-down' : 'arrow-up'}
            size={12}
            className={direction === 'none' ? 'invisible' : ''}
          />
        </button>
      ) : (
        title
      )}
    </div>
  )
}

/** The tracks of the grid. Phones leave out the secondary columns, and their tracks with them. */
const tracksOf = (columns: readonly Pick<VirtualColumn<never>, 'width' | 'isSecondary'>[]): CSSProperties => {
  const join = (some: typeof columns) => some.map(({ width }) => width).join(' ')
  return {
    '--tracks': join(columns),
    '--few-tracks': join(columns.filter(({ isSecondary }) => !isSecondary)),
  } as CSSProperties
}
const tracks = 'grid grid-cols-(--few-tracks) md:grid-cols-(--tracks)'

export function VirtualTable<Row>(props: VirtualTableProps<Row>) {
  const { label, keyOf, onOpen, sort, onSort, empty, rowHeight = 52, queryKey } = props
  const t = useTranslations('shell')
  const isNarrow = useIsNarrow()
  // A hidden cell would leave its track empty, so secondary columns are taken out as a whole.
  const columns = props.columns.filter(column => !(isNarrow && column.isSecondary))
  const frame = useRef<HTMLDivElement>(null)
  const [known, setKnown] = useState<{ key: string; total: number }>()
  const key = JSON.stringify(queryKey)
  const estimate = known?.key === key ? known.total : pageSize
  const virtualizer = useVirtualizer({
    count: estimate,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    overscan: 8,
  })
  const items = virtualizer.getVirtualItems()
  const pages = [...new Set([1, ...items.map(({ index }) => Math.floor(index / pageSize) + 1)])]
  const { total, rowAt, error, retry } = useRows(props, pages)
  if (total !== undefined && (known?.key !== key || known.total !== total)) setKnown({ key, total })
  const [active, setActive] = useState(0)
  if (error) return <LoadError error={error} onRetry={retry} />
  if (total === 0) return <>{empty}</>
  const template = tracksOf(columns)
  const move = (event: KeyboardEvent) => {
    const last = estimate - 1
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: Math.min(active + 1, last),
      ArrowUp: Math.max(active - 1, 0),
      PageDown: Math.min(active + 10, last),
      PageUp: Math.max(active - 10, 0),
      Home: 0,
      End: last,
    }
    const row = rowAt(active)
    const next = steps[event.key]
    if (event.target !== event.currentTarget) return
    if (event.key === 'Enter' && row) onOpen?.(row)
    else if (next !== undefined) {
      setActive(next)
      virtualizer.scrollToIndex(next)
    } else return
    event.preventDefault()
  }
  return (
    <div className="rounded-2xl border border-line bg-card">
      <p className="sr-only" role="status">
        {total === undefined ? t('loading') : t('rowCount', { count: total })}
      </p>
      <div
        role="grid"
        aria-label={label}
        aria-rowcount={estimate + 1}
        className="flex max-h-[max(20rem,calc(100dvh-16rem))] flex-col"
      >
        <div
          role="row"
          aria-rowindex={1}
          className={classes(
            tracks,
            'h-10 shrink-0 overflow-hidden border-b border-line [scrollbar-gutter:stable]',
          )}
          style={template}
        >
          {columns.map(column => (
            <HeaderCell
              key={column.id}
              column={column}
              {...(sort !== undefined && { sort })}
              {...(onSort && { onSort })}
            />
          ))}
        </div>
        <div
          ref={frame}
          role="rowgroup"
          tabIndex={0}
          onKeyDown={move}
          className="overflow-y-auto [scrollbar-gutter:stable] focus-visible:-outline-offset-2"
        >
          <div role="presentation" className="relative" style={{ height: virtualizer.getTotalSize() }}>
            {items.map(({ index, start }) => {
              const row = rowAt(index)
              return (
                <div
                  key={row === undefined ? `row-${index}` : keyOf(row)}
                  role="row"
                  aria-rowindex={index + 2}
                  className={classes(
                    tracks,
                    'absolute inset-x-0 items-center border-b border-line',
                    onOpen && 'hover:bg-sunken/60',
                    index === active && 'in-focus-visible:bg-accent-soft',
                  )}
                  style={{ ...template, height: rowHeight, transform: `translateY(${start}px)` }}
                >
                  {columns.map(({ id, cell, isSecondary }) => (
                    <div
                      key={id}
                      role="gridcell"
                      className={classes('min-w-0 truncate px-3', isSecondary && 'max-md:hidden')}
                    >
                      {row === undefined ? (
                        <span className="block h-3 w-2/3 animate-pulse rounded bg-sunken" />
                      ) : (
                        cell(row)
                      )}
                    </div>
                  ))}
                </div>
              )
            })}
          </div>
        </div>
      </div>
    </div>
  )
}
