// Values of countries on a map of the world. It brings the outlines along (15 kB compressed): load it with `onDemand`.
// The pointer or the arrow keys choose a country, by value; Enter or a click opens it. The numbers are in a table beside.
import { type KeyboardEvent, useState } from 'react'
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

interface World {
  readonly width: number
  readonly height: number
  readonly countries: readonly {
    readonly code?: string
    readonly path: string
    readonly centre: readonly [number, number]
  }[]
}

/** The build draws the atlas: `web/build/world-outlines.ts`. */
const world = outlines as unknown as World

export default function WorldMap({ label, values, onOpen }: WorldMapProps) {
  const [holder, width] = useWidth<HTMLDivElement>()
  const scale = width / world.width
  const [chosen, setChosen] = useState<string>()
  const byCode = new Map(values.map(each => [each.code, each]))
  const largest = Math.max(1, ...values.map(({ value }) => value))
  const at = chosen === undefined ? undefined : byCode.get(chosen)
  const centre = world.countries.find(({ code }) => code === chosen)?.centre
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
        <svg
          aria-hidden="true"
          viewBox={`0 0 ${world.width} ${world.height}`}
          width={width}
          height={Math.round(scale * world.height)}
          className="block max-w-full"
        >
          {world.countries.map(({ code, path }, index) => {
            const country = code === undefined ? undefined : byCode.get(code)
            return (
              <path
                key={index}
                d={path}
                className={country ? 'fill-accent stroke-card' : 'fill-sunken stroke-line'}
                strokeWidth={code === chosen && country ? 2 : 0.5}
                vectorEffect="non-scaling-stroke"
                {...(country && {
                  fillOpacity: 0.18 + 0.82 * Math.sqrt(country.value / largest),
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
            top: Math.max(0, scale * centre[1] - 44),
            ...(centre[0] > world.width / 2
              ? { right: width - scale * centre[0] + 8 }
              : { left: scale * centre[0] + 8 }),
          }}
        >
          {at.text}
        </div>
      )}
    </div>
  )
}
