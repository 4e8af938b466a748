// The drawing of a line chart: grid, areas and lines. It knows no text and no pointer.
import type { ScaleLinear } from 'd3-scale'
import { area, curveMonotoneX, line } from 'd3-shape'
import { type ChartSeries, chartTones } from './series.ts'

interface LinePathsProps {
  readonly series: readonly ChartSeries[]
  readonly x: (index: number) => number
  readonly y: ScaleLinear<number, number>
}

export const LinePaths = ({ series, x, y }: LinePathsProps) => (
  <>
    {series.map(({ id, values, tone = 'accent', isDashed, isFilled }) => {
      const points = [...values]
      const drawArea = area<number>((_, index) => x(index), y(0), y).curve(curveMonotoneX)
      const drawLine = line<number>((_, index) => x(index), y).curve(curveMonotoneX)
      return (
        <g key={id} className={chartTones[tone]}>
          {isFilled && <path d={drawArea(points) ?? ''} fill="currentColor" opacity={0.1} />}
          <path
            d={drawLine(points) ?? ''}
            fill="none"
            stroke="currentColor"
            strokeWidth={isDashed ? 1.5 : 2}
            strokeLinejoin="round"
            strokeLinecap="round"
            {...(isDashed && { strokeDasharray: '2 5' })}
          />
        </g>
      )
    })}
  </>
)

export const MarkedPoint = ({
  series,
  index,
  x,
  y,
  height,
}: LinePathsProps & { readonly index: number; readonly height: number }) => (
  <>
    <line x1={x(index)} x2={x(index)} y1={0} y2={height} className="stroke-edge" strokeDasharray="3 3" />
    {series.map(({ id, values, tone = 'accent' }) => (
      <circle
        key={id}
        cx={x(index)}
        cy={y(values[index] ?? 0)}
        r={4}
        className={`${chartTones[tone]} stroke-card`}
        fill="currentColor"
        strokeWidth={2}
      />
    ))}
  </>
)
