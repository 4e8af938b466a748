// The tables that the growth bench prints, as Markdown.

import type { CountedRows, IndexSize } from './sizes.ts'
import { eventBytes, eventTables, type Stage, sizeOf } from './stages.ts'

type Cell = string | number

function printTable(head: readonly string[], lines: readonly (readonly Cell[])[]): void {
  for (const line of [head, head.map(() => '---'), ...lines]) console.log(`  | ${line.join(' | ')} |`)
  console.log()
}

export const thousands = (value: number): string => Math.round(value).toLocaleString('en')
const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1)

/** One column per stage. */
export function printStages(stages: readonly Stage[]): void {
  const line = (what: string, cellOf: (stage: Stage) => Cell): Cell[] => [what, ...stages.map(cellOf)]
  const requestLines = (which: 'large' | 'small') =>
    [...(stages[0]?.[which].keys() ?? [])].map(kind =>
      line(`${kind}: ${which} workspace, ms`, stage => (stage[which].get(kind) ?? 0).toFixed(1)),
    )
  printTable(
    ['', ...stages.map(stage => `${thousands(stage.events)} events`)],
    [
      line('folded events/s', ({ newEvents, foldMilliseconds }) =>
        thousands((newEvents / foldMilliseconds) * 1_000),
      ),
      line('WAL of folding, bytes per event', ({ walBytes, newEvents }) => thousands(walBytes / newEvents)),
      line('bytes per event, all of these tables', stage => thousands(eventBytes(stage) / stage.events)),
      ...eventTables.flatMap(table => [
        line(`${table}: rows`, stage => thousands(sizeOf(stage, table).rows)),
        line(`${table}: MB of rows, of indexes`, stage => {
          const { heapBytes, indexBytes } = sizeOf(stage, table)
          return `${megabytes(heapBytes)}, ${megabytes(indexBytes)}`
        }),
        line(`${table}: levels of the deepest index`, stage => sizeOf(stage, table).depth),
      ]),
      ...requestLines('large'),
      ...requestLines('small'),
    ],
  )
}

/** `divisor` times these rows and bytes is the full size, of the tables that grow with people and events. */
export function printTables({ sizes }: Stage, divisor: number): void {
  const largest = sizes.filter(({ heapBytes }) => heapBytes > 16 * 8192)
  printTable(
    ['table', 'rows', 'MB of rows', 'MB of indexes', 'levels', 'rows at full size', 'GB at full size'],
    largest.map(({ table, rows, heapBytes, indexBytes, depth }) => [
      table,
      thousands(rows),
      megabytes(heapBytes),
      megabytes(indexBytes),
      depth,
      thousands(rows * divisor),
      (((heapBytes + indexBytes) * divisor) / 1e9).toFixed(1),
    ]),
  )
}

export const printIndexes = (indexes: readonly IndexSize[]): void =>
  printTable(
    ['index', 'MB', 'levels'],
    indexes.map(({ index, bytes, depth }) => [index, megabytes(bytes), depth]),
  )

export const printDimensions = (counts: readonly CountedRows[], events: number): void =>
  printTable(
    ['rows of event_counts per 1,000 events', '1 day', '8 days', '64 days'],
    counts.map(({ dimension, days, weeks, months }) => [
      dimension,
      ...[days, weeks, months].map(count => ((count / events) * 1_000).toFixed(1)),
    ]),
  )
