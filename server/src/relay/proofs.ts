// What a message shows of its client: the tenant or the secret that a header names.
import { timingSafeEqual } from 'node:crypto'
import type { ClientProof } from './clients.ts'
import { headerValues } from './message-headers.ts'
import type { AdmittedRoute } from './routing.ts'

const hasSameBytes = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one, 'latin1'), Buffer.from(other, 'latin1'))

function isProven(message: Buffer, { header, value, isSecret }: ClientProof): boolean {
  const [shown, ...others] = headerValues(message, header)
  if (shown === undefined || others.length > 0) return false
  return isSecret ? hasSameBytes(shown, value) : shown.toLowerCase() === value
}

export const showsProof = (message: Buffer, { proofs }: AdmittedRoute): boolean =>
  proofs === null || proofs.some(proof => isProven(message, proof))
