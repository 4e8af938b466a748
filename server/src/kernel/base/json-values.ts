// JSON values of any shape: which PostgreSQL can store, and how much of a value is checked.
import { type Detail, detail } from './errors.ts'

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * The beginning of a value. A megabyte of invalid JSON values can have hundreds of thousands of problems: an answer
 * names 50 of them, and finding all would take half a gigabyte. A sampled list has one item more than any limit allows,
 * so that "too many" is still found.
 */
export function sample(value: unknown): unknown {
  let left = 5_000
  const copy = (item: unknown, depth: number): unknown => {
    if (typeof item !== 'object' || item === null) return item
    if (--left < 0 || depth > 40) return Array.isArray(item) ? [] : {}
    if (Array.isArray(item)) return item.slice(0, 1_001).map(inner => copy(inner, depth + 1))
    return Object.fromEntries(
      Object.entries(item)
        .slice(0, 1_001)
        .map(([key, inner]) => [key, copy(inner, depth + 1)]),
    )
  }
  return copy(value, 0)
}

/** PostgreSQL stores neither NUL nor half a surrogate pair. Such text is refused, not changed silently. */
const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

/** Without the paths of problems, which cost more than the walk: most bodies have no problem. */
function isAllStorable(value: unknown): boolean {
  const waiting = [value]
  while (waiting.length > 0) {
    const current = waiting.pop()
    if (typeof current === 'string' && !isStorable(current)) return false
    if (Array.isArray(current)) for (const item of current) waiting.push(item)
    else if (isObject(current))
      for (const key in current) {
        if (!isStorable(key)) return false
        waiting.push(current[key])
      }
  }
  return true
}

export function unstorableProblems(value: unknown): Detail[] {
  if (isAllStorable(value)) return []
  const problems = unstorableParts(sample(value))
  return problems.length > 0 ? problems : [unstorablePart('body')] // the problem is beyond the sample
}

const unstorablePart = (field: string): Detail =>
  detail(field, 'invalid', { message: `${field} holds a character that cannot be kept` })

function unstorableParts(value: unknown): Detail[] {
  const problems: Detail[] = []
  const waiting: { value: unknown; at: string }[] = [{ value, at: '' }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { value: current, at: here } = next
    if (typeof current === 'string' && !isStorable(current)) {
      problems.push(unstorablePart(here || 'body'))
    } else if (Array.isArray(current)) {
      current.forEach((item, index) => {
        waiting.push({ value: item, at: `${here}[${index}]` })
      })
    } else if (isObject(current)) {
      for (const [key, item] of Object.entries(current)) {
        if (!isStorable(key))
          problems.push(
            detail(here || 'body', 'invalid', {
              message: 'a property name holds a character that cannot be kept',
            }),
          )
        waiting.push({ value: item, at: here === '' ? key : `${here}.${key}` })
      }
    }
  }
  return problems.reverse()
}
