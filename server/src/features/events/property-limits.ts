// What people put into an event themselves: an object that is not too large, and that comes back as it was sent.
import { type Detail, detail } from '#kernel/errors.ts'
import { clickEvent, viewEvent } from './event.ts'

const atMost = { bytes: 8 * 1024, depth: 20 }

/** JSON can write numbers that JavaScript cannot hold. */
function fault(value: unknown, depth: number): 'too_deep' | 'invalid' | null {
  if (typeof value === 'number' && !Number.isFinite(value)) return 'invalid'
  if (typeof value !== 'object' || value === null) return null
  if (depth > atMost.depth) return 'too_deep'
  for (const inner of Object.values(value)) {
    const found = fault(inner, depth + 1)
    if (found) return found
  }
  return null
}

function problemOf(field: string, value: unknown): Detail[] {
  if (typeof value !== 'object' || value === null) return []
  const found = fault(value, 1)
  if (found === 'too_deep') return [detail(field, found)]
  if (found === 'invalid')
    return [detail(field, found, { message: `${field} holds a number that is too large` })]
  return Buffer.byteLength(JSON.stringify(value)) > atMost.bytes
    ? [detail(field, 'too_long', { message: `${field} is larger than 8 KB` })]
    : []
}

const reserved: readonly unknown[] = [viewEvent, clickEvent]
const reservedName = (field: string): Detail =>
  detail(field, 'invalid', { message: `${field} must not be ${reserved.join(' or ')}: those are ours` })

/** What the schema cannot say, of an event that may break it. `at` is where the event is: `events[2].`, or nothing. */
export function propertyProblems(event: unknown, at = ''): Detail[] {
  if (typeof event !== 'object' || event === null) return []
  const { name, properties, traits } = event as Readonly<Record<string, unknown>>
  return [
    ...(reserved.includes(typeof name === 'string' ? name.trim() : name) ? [reservedName(`${at}name`)] : []),
    ...problemOf(`${at}properties`, properties),
    ...problemOf(`${at}traits`, traits),
  ]
}
