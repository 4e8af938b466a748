// Limits of the free-form objects of an event (properties and traits): not too large, and the API returns them as they
// were sent.
import { type Detail, detail } from '#kernel/base/errors.ts'
import { clickEvent, viewEvent } from './event.ts'

const limits = { bytes: 8 * 1024, depth: 20 }

/** `invalid`: JSON can write numbers that JavaScript cannot hold. */
function findFault(value: unknown, depth: number): 'too_deep' | 'invalid' | null {
  if (typeof value === 'number' && !Number.isFinite(value)) return 'invalid'
  if (typeof value !== 'object' || value === null) return null
  if (depth > limits.depth) return 'too_deep'
  for (const inner of Object.values(value)) {
    const fault = findFault(inner, depth + 1)
    if (fault) return fault
  }
  return null
}

function objectProblems(field: string, value: unknown): Detail[] {
  if (typeof value !== 'object' || value === null) return []
  const fault = findFault(value, 1)
  if (fault === 'too_deep') return [detail(field, fault)]
  if (fault === 'invalid')
    return [detail(field, fault, { message: `${field} holds a number that is too large` })]
  return Buffer.byteLength(JSON.stringify(value)) > limits.bytes
    ? [detail(field, 'too_long', { message: `${field} is larger than 8 KB` })]
    : []
}

const reserved: readonly unknown[] = [viewEvent, clickEvent]
const reservedName: Detail = detail('name', 'invalid', {
  message: `name must not be ${reserved.join(' or ')}: those are ours`,
})

/** The problems that the schema cannot express. `event` need not match the schema. */
export function propertyProblems(event: unknown): Detail[] {
  if (typeof event !== 'object' || event === null) return []
  const { name, properties, traits } = event as Readonly<Record<string, unknown>>
  return [
    ...(reserved.includes(typeof name === 'string' ? name.trim() : name) ? [reservedName] : []),
    ...objectProblems('properties', properties),
    ...objectProblems('traits', traits),
  ]
}
