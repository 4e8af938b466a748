// Draws the countries of the world at build time: the browser needs no projection and no library for it.
import { readFile } from 'node:fs/promises'
import { geoEqualEarth, geoPath } from 'd3-geo'
import { feature } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import type { Plugin } from 'vite'

type Atlas = Topology<{ countries: GeometryCollection }>

/** Twice the width of the map on a usual page: whole numbers are exact enough. */
const [width, height] = [2000, 960]

/** The atlas numbers countries; ICU knows which letters belong to a number. */
const codeOfNumber = (number: string): string | undefined =>
  Intl.getCanonicalLocales(`und-${number}`)[0]?.slice(4)

const antarctica = '010'

/** `M5,7L8,9L8,9Z` → `m5,7l3,2z`: steps are shorter than places, and compress better. */
const relative = (path: string): string => {
  let [fromX, fromY] = [0, 0]
  return path.replaceAll(
    /([ML])([\d.-]+),([\d.-]+)|Z/g,
    (command, letter?: string, x?: string, y?: string) => {
      if (letter === undefined) return command
      const [stepX, stepY] = [Number(x) - fromX, Number(y) - fromY]
      ;[fromX, fromY] = [Number(x), Number(y)]
      return letter === 'M' ? command : stepX === 0 && stepY === 0 ? '' : `l${stepX},${stepY}`
    },
  )
}

export function drawCountries(atlas: Atlas) {
  const shapes = feature(atlas, atlas.objects.countries).features.filter(({ id }) => id !== antarctica)
  const projection = geoEqualEarth().fitSize([width, height], { type: 'FeatureCollection', features: shapes })
  const path = geoPath(projection).digits(0)
  return shapes.map(shape => ({
    code: shape.id === undefined ? undefined : codeOfNumber(String(shape.id)),
    path: relative(path(shape) ?? ''),
    centre: path.centroid(shape).map(Math.round),
  }))
}

export const worldOutlines = (): Plugin => ({
  name: 'world-outlines',
  enforce: 'pre',
  load: {
    filter: { id: /\/world-atlas\/countries-110m\.json$/ },
    handler: async id =>
      JSON.stringify({ width, height, countries: drawCountries(JSON.parse(await readFile(id, 'utf8'))) }),
  },
})
