// The shape of a JSON text, read before it is parsed: a megabyte of brackets or of property names takes JSON.parse up
// to thirty times as long as a megabyte of ordinary JSON.
import { type Detail, detail } from '#kernel/base/errors.ts'

/** Far beyond what any route needs. Bodies up to `harmlessBytes` are parsed without this check. */
export const jsonLimits = {
  depth: 1_000,
  objects: 30_000,
  properties: 10_000,
  harmlessBytes: 64 * 1024,
} as const

interface Shape {
  /** Nested arrays and objects. */
  readonly depth: number
  readonly objects: number
  /** Number of properties of the object with the most. */
  readonly properties: number
}

const [quote, comma, backslash] = [0x22, 0x2c, 0x5c]
const [openArray, closeArray, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]

/** For text that is not JSON the result means nothing; JSON.parse refuses that text later. */
function shapeOf(bytes: Buffer): Shape {
  let [depth, deepest, objects, properties] = [0, 0, 0, 0]
  // For each open level: its properties so far, or -1 for an array, whose items are not counted.
  const open: number[] = []
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === quote) at = endOfString(bytes, at)
    else if (byte === openArray || byte === openObject) {
      if (byte === openObject) objects++
      open[depth++] = byte === openObject ? 1 : -1
      if (depth > deepest) deepest = depth
      if (deepest > jsonLimits.depth) break
    } else if (byte === closeArray || byte === closeObject) depth = Math.max(0, depth - 1)
    else if (byte === comma) {
      const count = open[depth - 1] ?? -1
      if (count === -1) continue
      open[depth - 1] = count + 1
      if (count + 1 > properties) properties = count + 1
    }
  }
  return { depth: deepest, objects, properties }
}

function endOfString(bytes: Buffer, start: number): number {
  let at = start + 1
  for (; at < bytes.length && bytes[at] !== quote; at++) if (bytes[at] === backslash) at++
  return at
}

/** The reasons not to parse a body; empty for every body that a route could accept. */
export function shapeProblems(bytes: Buffer): Detail[] {
  if (bytes.length <= jsonLimits.harmlessBytes) return []
  const shape = shapeOf(bytes)
  const problem = (code: 'too_many' | 'invalid', message: string) => [detail('body', code, { message })]
  if (shape.depth > jsonLimits.depth)
    return problem('invalid', `body is nested more than ${jsonLimits.depth} levels deep`)
  if (shape.objects > jsonLimits.objects)
    return problem('too_many', `body holds more than ${jsonLimits.objects} objects`)
  if (shape.properties > jsonLimits.properties)
    return problem('too_many', `body holds an object with more than ${jsonLimits.properties} properties`)
  return []
}
