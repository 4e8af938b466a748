// What a message shows of its client: the tenant or the secret that a header names.
import { timingSafeEqual } from 'node:crypto'
import type { ClientProof } from '../clients/clients.ts'
import type { MessageHeader } from '../receiving/message-header.ts'
import type { AdmittedRoute } from '../routing.ts'

const hasSameBytes = (text: string, other: string): boolean =>
  text.length === other.length && timingSafeEqual(Buffer.from(text, 'latin1'), Buffer.from(other, 'latin1'))

function isProven(fields: MessageHeader, { header, value, isSecret }: ClientProof): boolean {
  const [first, ...others] = fields.values(header)
  if (value === null || first === undefined || others.length > 0) return false
  return isSecret ? hasSameBytes(first, value) : first.toLowerCase() === value
}

export const showsProof = (fields: MessageHeader, { proofs }: AdmittedRoute): boolean =>
  proofs === null || proofs.some(proof => isProven(fields, proof))
