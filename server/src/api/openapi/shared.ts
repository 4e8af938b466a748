// Parts that the document repeats, as components.
import type { Json } from './json.ts'

interface Part {
  readonly name: string
  readonly value: Json
}

/**
 * Parts that are equal become a component. Further components of the same name get a number. `refTo` takes a value of
 * the parts, and returns it unless it has a component.
 */
export function shareParts(kind: string, parts: readonly Part[]) {
  const components: Record<string, Json> = {}
  const references = new Map<Json, Json>()
  const numbers = new Map<string, number>()
  for (const equal of Map.groupBy(parts, ({ value }) => JSON.stringify(value)).values()) {
    const [{ name, value }, second] = equal as [Part, Part?]
    if (!second) continue
    const number = (numbers.get(name) ?? 0) + 1
    numbers.set(name, number)
    const component = number === 1 ? name : `${name}-${number}`
    components[component] = value
    for (const part of equal) references.set(part.value, { $ref: `#/components/${kind}/${component}` })
  }
  return { components, refTo: (value: Json): Json => references.get(value) ?? value }
}
