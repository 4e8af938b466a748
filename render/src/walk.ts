// Content as plain JSON: checks the limits, before any recursive code runs, and fills in ids.
import { type Content, limits } from './content.ts'
import type { Problem } from './types.ts'

type Json = Record<string, unknown>
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

interface Position {
  readonly value: unknown
  readonly depth: number
  readonly parent: Position | null
  readonly index: number
}

function pathOf(position: Position, field: string): string {
  const steps: string[] = []
  for (let at: Position | null = position; at?.parent; at = at.parent) steps.unshift(`.children[${at.index}]`)
  return field + steps.join('')
}

/** Checks depth, number of blocks and size without recursion, so that deep input cannot overflow the call stack. */
export function beyondLimits(content: unknown, field: string): Problem | null {
  const open: Position[] = [{ value: content, depth: 1, parent: null, index: 0 }]
  let blocks = 0
  for (let position = open.pop(); position; position = open.pop()) {
    if (!isObject(position.value)) continue
    blocks += 1
    if (position.depth > limits.depth)
      return {
        field: pathOf(position, field),
        code: 'too_deep',
        message: `is nested deeper than ${limits.depth} levels`,
      }
    if (blocks > limits.blocks)
      return { field, code: 'too_many', message: `has more than ${limits.blocks} blocks` }
    const { children } = position.value
    if (!Array.isArray(children)) continue
    if (blocks + open.length + children.length > limits.blocks * 2)
      return { field, code: 'too_many', message: `has more than ${limits.blocks} blocks` }
    for (let index = children.length - 1; index >= 0; index--)
      open.push({ value: children[index], depth: position.depth + 1, parent: position, index })
  }
  return isTooLarge(content)
    ? { field, code: 'too_long', message: `has more than ${limits.bytes / 1024} KB of JSON` }
    : null
}

/** Counts the bytes of the JSON in UTF-8, without making it. Stops at the limit. */
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

const plainPattern = /^[ !#-[\]-~]*$/
const encoder = new TextEncoder()
const jsonLength = (text: string): number =>
  plainPattern.test(text) ? text.length + 2 : encoder.encode(JSON.stringify(text)).length

/** Copies the content and gives an id to every block and token without one. Everything else stays unchanged. */
export function fillIds(content: Content, newId: () => string): Content {
  const fill = (item: Json): Json => {
    const filled: Json = item.id === undefined ? { id: newId(), ...item } : { ...item }
    for (const key of ['children', 'tokens'])
      if (Array.isArray(filled[key])) filled[key] = (filled[key] as Json[]).map(fill)
    return filled
  }
  return fill(content as unknown as Json) as unknown as Content
}
