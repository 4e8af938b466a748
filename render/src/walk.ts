// Trees as plain data: limits before anything recursive, ids, references.
import { type Content, limits } from './content.ts'
import type { Problem } from './types.ts'

type Json = Record<string, unknown>
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

interface Place {
  readonly value: unknown
  readonly depth: number
  readonly parent: Place | null
  readonly index: number
}

function pathOf(place: Place, field: string): string {
  const steps: string[] = []
  for (let at: Place | null = place; at?.parent; at = at.parent) steps.unshift(`.children[${at.index}]`)
  return field + steps.join('')
}

/** Depth, number and size, told without recursion: whatever is sent, the stack stays flat. */
export function beyondLimits(content: unknown, field: string): Problem | null {
  const open: Place[] = [{ value: content, depth: 1, parent: null, index: 0 }]
  let blocks = 0
  for (let place = open.pop(); place; place = open.pop()) {
    if (!isObject(place.value)) continue
    blocks += 1
    if (place.depth > limits.depth)
      return {
        field: pathOf(place, field),
        code: 'too_deep',
        message: `is nested deeper than ${limits.depth} levels`,
      }
    if (blocks > limits.blocks)
      return { field, code: 'too_many', message: `has more than ${limits.blocks} blocks` }
    const { children } = place.value
    if (!Array.isArray(children)) continue
    if (blocks + open.length + children.length > limits.blocks * 2)
      return { field, code: 'too_many', message: `has more than ${limits.blocks} blocks` }
    for (let index = children.length - 1; index >= 0; index--)
      open.push({ value: children[index], depth: place.depth + 1, parent: place, index })
  }
  return isTooLarge(content)
    ? { field, code: 'too_long', message: `has more than ${limits.bytes / 1024} KB of JSON` }
    : null
}

/** Counts the JSON of a value, in UTF-8, without making it; stops when it is enough. */
function isTooLarge(content: unknown): boolean {
  let bytes = 0
  const open: unknown[] = [content]
  while (open.length > 0 && bytes <= limits.bytes) {
    const value = open.pop()
    if (typeof value === 'string') bytes += jsonLength(value)
    else if (typeof value !== 'object' || value === null) bytes += String(value).length
    else if (Array.isArray(value)) {
      bytes += 2 + Math.max(0, value.length - 1)
      for (const item of value) open.push(item)
    } else {
      bytes += 2
      let commas = -1
      for (const key in value) {
        bytes += jsonLength(key) + 1
        commas += 1
        open.push((value as Json)[key])
      }
      bytes += Math.max(0, commas)
    }
  }
  return bytes > limits.bytes
}

const isPlain = /^[ !#-[\]-~]*$/
const encoder = new TextEncoder()
const jsonLength = (text: string): number =>
  isPlain.test(text) ? text.length + 2 : encoder.encode(JSON.stringify(text)).length

/** The same tree, with an id on every block and token that came without. Everything else stays as it was sent. */
export function fillIds(content: Content, newId: () => string): Content {
  const fill = (item: Json): Json => {
    const filled: Json = item.id === undefined ? { id: newId(), ...item } : { ...item }
    for (const key of ['children', 'tokens'])
      if (Array.isArray(filled[key])) filled[key] = (filled[key] as Json[]).map(fill)
    return filled
  }
  return fill(content as unknown as Json) as unknown as Content
}
