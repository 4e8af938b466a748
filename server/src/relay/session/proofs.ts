// What a message shows of its client: the tenant or the secret that a header names.
import { timingSafeEqual } from 'node:crypto'
import type { ClientProof } from '../clients/clients.ts'
import type { MessageHeader } from '../receiving/message-header.ts'
import type { AdmittedRoute } from '../routing.ts'

const hasSameBytes = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one, 'latin1'), Buffer.from(other, 'latin1'))

function isProven(fields: MessageHeader, { header, value, isSecret }: ClientProof): boolean {
  const [shown, ...others] = fields.values(header)
  if (value === null || shown === undefined || others.length > 0) return false
  return isSecret ? hasSameBytes(shown, value) : shown.toLowerCase() === value
}

export const showsProof = (fields: MessageHeader, { proofs }: AdmittedRoute): boolean =>
  proofs === null || proofs.some(proof => isProven(fields, proof))
