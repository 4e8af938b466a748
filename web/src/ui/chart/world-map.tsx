// Values of countries on a map of the world. It brings the outlines along (36 kB compressed): load it with `onDemand`.
// The pointer or the arrow keys choose a country, by value; Enter or a click opens it. The numbers are in a table beside.
import { geoEqualEarth, geoPath } from 'd3-geo'
import { scaleSqrt } from 'd3-scale'
import { type KeyboardEvent, useMemo, useState } from 'react'
import { feature } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import outlines from 'world-atlas/countries-110m.json'
import { useWidth } from './use-width.ts'

interface CountryValue {
  /** Two letters of ISO 3166. */
  readonly code: string
  readonly value: number
  readonly text: string
}

interface WorldMapProps {
  readonly label: string
  readonly values: readonly CountryValue[]
  readonly onOpen: (code: string) => void
}

type Countries = Topology<{ countries: GeometryCollection<{ name: string }> }>

/** The atlas numbers countries; the browser knows which letters belong to a number. */
function codeOfNumber(number: string | undefined): string | undefined {
  return number === undefined ? undefined : Intl.getCanonicalLocales(`und-${number}`)[0]?.slice(4)
}

const world = outlines as unknown as Countries
const shapes = feature(world, world.objects.countries)
  .features.filter(({ id }) => id !== '010') // Antarctica
  .map(shape => ({ shape, code: codeOfNumber(shape.id as string | undefined) }))

function drawShapes(width: number, height: number) {
  const collection = { type: 'FeatureCollection' as const, features: shapes.map(({ shape }) => shape) }
  const path = geoPath(geoEqualEarth().fitSize([width, height], collection))
  return shapes.map(({ shape, code }, index) => ({
    key: `${code ?? ''}-${index}`,
    code,
    path: path(shape) ?? '',
    centre: path.centroid(shape),
  }))
}

export default function WorldMap({ label, values, onOpen }: WorldMapProps) {
  const [holder, width] = useWidth<HTMLDivElement>()
  const height = Math.round(width * 0.48)
  const drawn = useMemo(() => drawShapes(width, height), [width, height])
  const [chosen, setChosen] = useState<string>()
  const byCode = new Map(values.map(each => [each.code, each]))
  const strength = scaleSqrt([0, Math.max(1, ...values.map(({ value }) => value))], [0.18, 1])
  const at = chosen === undefined ? undefined : byCode.get(chosen)
  const centre = drawn.find(({ code }) => code === chosen)?.centre
  const current = at ?? values[0]
  const move = (event: KeyboardEvent) => {
    const position = values.findIndex(({ code }) => code === current?.code)
    const steps: Readonly<Record<string, number>> = {
      ArrowRight: position + 1,
      ArrowDown: position + 1,
      ArrowLeft: position - 1,
      ArrowUp: position - 1,
      Home: 0,
      End: values.length - 1,
    }
    const next = steps[event.key]
    if (event.key === 'Enter' && current) onOpen(current.code)
    else if (next !== undefined) setChosen(values[Math.min(values.length - 1, Math.max(0, next))]?.code)
    else return
    event.preventDefault()
  }
  return (
    <div
      ref={holder}
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={Math.max(0, values.length - 1)}
      aria-valuenow={Math.max(
        0,
        values.findIndex(({ code }) => code === current?.code),
      )}
      aria-valuetext={current?.text ?? ''}
      className="relative rounded-lg"
      onKeyDown={move}
      onFocus={() => setChosen(code => code ?? values[0]?.code)}
      onBlur={() => setChosen(undefined)}
      onPointerLeave={() => setChosen(undefined)}
    >
      {width > 0 && (
        <svg aria-hidden="true" width={width} height={height} className="block max-w-full">
          {drawn.map(({ key, code, path }) => {
            const country = code === undefined ? undefined : byCode.get(code)
            return (
              <path
                key={key}
                d={path}
                className={country ? 'fill-accent stroke-card' : 'fill-sunken stroke-line'}
                strokeWidth={code === chosen && country ? 2 : 0.5}
                {...(country && {
                  fillOpacity: strength(country.value),
                  onPointerEnter: () => setChosen(code),
                  onClick: () => onOpen(country.code),
                })}
              />
            )
          })}
        </svg>
      )}
      {at && centre && (
        <div
          aria-hidden="true"
          className="pointer-events-none absolute rounded-lg border border-line bg-card px-2.5 py-1.5 text-xs whitespace-nowrap shadow-floating"
          style={{
            top: Math.max(0, centre[1] - 44),
            ...(centre[0] > width / 2 ? { right: width - centre[0] + 8 } : { left: centre[0] + 8 }),
          }}
        >
          {at.text}
        </div>
      )}
    </div>
  )
}
