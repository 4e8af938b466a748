// Lines over time, drawn as SVG. The pointer and the arrow keys choose a point; its values stand beside it, and screen
// readers hear them. The same numbers are in a table below.
import { scaleLinear } from 'd3-scale'
import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import { LinePaths, MarkedPoint } from './line-paths.tsx'
import { areWhole, type ChartSeries, chartTones, largestOf } from './series.ts'
import { useWidth } from './use-width.ts'

interface ChartTableProps {
  readonly label: string
  /** The words that open it, such as “Show as a table”. */
  readonly summary: string
  /** The head of the first column, such as “Day”. */
  readonly xTitle: string
  readonly xLabels: readonly string[]
  readonly series: readonly ChartSeries[]
  readonly formatValue: (value: number) => string
}

/** The numbers of a chart as a table, for people who do not read the picture. */
const ChartTable = ({ label, summary, xTitle, xLabels, series, formatValue }: ChartTableProps) => (
  <details className="mt-2 text-[0.8125rem]">
    <summary className="inline-block min-h-6 cursor-default rounded text-muted hover:text-ink">
      {summary}
    </summary>
    <section
      aria-label={label}
      tabIndex={0}
      className="mt-2 max-h-72 overflow-auto rounded-xl border border-line"
    >
      <table className="w-full border-collapse">
        <caption className="sr-only">{label}</caption>
        <thead className="sticky top-0 bg-card">
          <tr>
            <th scope="col" className="px-3 py-1.5 text-start font-medium text-muted">
              {xTitle}
            </th>
            {series.map(({ id, label: title }) => (
              <th key={id} scope="col" className="px-3 py-1.5 text-end font-medium text-muted">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {xLabels.map((x, index) => (
            <tr key={x} className="border-t border-line">
              <th scope="row" className="px-3 py-1 text-start font-normal">
                {x}
              </th>
              {series.map(({ id, values }) => (
                <td key={id} className="px-3 py-1 text-end tabular-nums">
                  {formatValue(values[index] ?? 0)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  </details>
)

interface LineChartProps {
  readonly label: string
  readonly series: readonly ChartSeries[]
  /** Short, for the axis. */
  readonly xLabels: readonly string[]
  /** Long, for the chosen point and the table; the short ones unless given. */
  readonly pointLabels?: readonly string[]
  readonly formatValue: (value: number) => string
  readonly formatTick?: (value: number) => string
  readonly height?: number
  /** The words of the table below the chart. */
  readonly table: { readonly summary: string; readonly xTitle: string }
}

const axisHeight = 24
const topSpace = 10

/** The step of the labels on the x axis, so that they do not touch. */
const labelStep = (count: number, width: number): number =>
  Math.max(1, Math.ceil(count / Math.max(2, width / 90)))

export function LineChart(props: LineChartProps) {
  const { label, series, xLabels, pointLabels = xLabels, formatValue, height = 220, table } = props
  const { formatTick = formatValue } = props
  const [holder, width] = useWidth<HTMLDivElement>()
  const [chosen, setChosen] = useState<number>()
  const last = xLabels.length - 1
  const y = scaleLinear([0, largestOf(series) || 1], [height, topSpace]).nice(4)
  const ticks = y.ticks(4).filter(tick => !areWhole(series) || Number.isInteger(tick))
  const start = Math.max(...ticks.map(tick => formatTick(tick).length), 1) * 7 + 12
  const x = (index: number) => start + ((width - start - 8) * index) / Math.max(1, last)
  const valuesAt = (index: number) =>
    [
      pointLabels[index],
      ...series.map(({ label: name, values }) => `${name} ${formatValue(values[index] ?? 0)}`),
    ].join(', ')
  const point = ({ clientX, currentTarget }: PointerEvent) => {
    const inside = clientX - currentTarget.getBoundingClientRect().left - start
    setChosen(Math.min(last, Math.max(0, Math.round((inside / Math.max(1, width - start - 8)) * last))))
  }
  const move = (event: KeyboardEvent) => {
    const at = chosen ?? last
    const steps: Readonly<Record<string, number>> = {
      ArrowLeft: at - 1,
      ArrowRight: at + 1,
      Home: 0,
      End: last,
    }
    const next = steps[event.key]
    if (next === undefined) return
    event.preventDefault()
    setChosen(Math.min(last, Math.max(0, next)))
  }
  return (
    <div>
      <div
        ref={holder}
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, last)}
        aria-valuenow={chosen ?? Math.max(0, last)}
        aria-valuetext={valuesAt(chosen ?? last)}
        className="relative touch-pan-y rounded-lg"
        style={{ height: height + axisHeight }}
        onPointerMove={point}
        onPointerLeave={() => setChosen(undefined)}
        onFocus={() => setChosen(at => at ?? last)}
        onBlur={() => setChosen(undefined)}
        onKeyDown={move}
      >
        {width > 0 && (
          <svg aria-hidden="true" width={width} height={height + axisHeight} className="block">
            {ticks.map(tick => (
              <g key={tick}>
                <line x1={start} x2={width} y1={y(tick)} y2={y(tick)} className="stroke-line" />
                <text x={start - 8} y={y(tick) + 4} textAnchor="end" className="fill-muted text-[11px]">
                  {formatTick(tick)}
                </text>
              </g>
            ))}
            {xLabels.map(
              (text, index) =>
                index % labelStep(xLabels.length, width) === 0 && (
                  <text
                    key={text}
                    x={x(index)}
                    y={height + 18}
                    textAnchor={index === 0 ? 'start' : index === last ? 'end' : 'middle'}
                    className="fill-muted text-[11px]"
                  >
                    {text}
                  </text>
                ),
            )}
            <LinePaths series={series} x={x} y={y} />
            {chosen !== undefined && (
              <MarkedPoint series={series} x={x} y={y} index={chosen} height={height} />
            )}
          </svg>
        )}
        {chosen !== undefined && width > 0 && (
          <PointValues
            title={pointLabels[chosen] ?? ''}
            series={series}
            index={chosen}
            x={x(chosen)}
            width={width}
            formatValue={formatValue}
          />
        )}
      </div>
      <ChartTable label={label} {...table} xLabels={pointLabels} series={series} formatValue={formatValue} />
    </div>
  )
}

interface PointValuesProps extends Pick<LineChartProps, 'series' | 'formatValue'> {
  readonly title: string
  readonly index: number
  readonly x: number
  readonly width: number
}

/** The box beside the chosen point; it stays inside the chart. */
const PointValues = ({ title, series, index, x, width, formatValue }: PointValuesProps) => (
  <div
    aria-hidden="true"
    className="pointer-events-none absolute top-0 grid gap-0.5 rounded-lg border border-line bg-card px-2.5 py-1.5 text-xs whitespace-nowrap shadow-floating"
    style={x > width / 2 ? { right: width - x + 12 } : { left: x + 12 }}
  >
    <span className="text-muted">{title}</span>
    {series.map(({ id, label, values, tone = 'accent' }) => (
      <span key={id} className="flex items-center gap-1.5">
        <span className={`size-2 rounded-full bg-current ${chartTones[tone]}`} />
        {label}{' '}
        <strong className="ms-auto ps-3 font-semibold tabular-nums">{formatValue(values[index] ?? 0)}</strong>
      </span>
    ))}
  </div>
)
