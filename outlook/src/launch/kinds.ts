import type { MailSignature, SignatureAnswer } from '../wire.ts'

/** The same rule as `isInternalMail` of the service. */
const isInternal = (recipients: readonly string[], domains: readonly string[]): boolean =>
  recipients.length > 0 &&
  recipients.every(address => domains.indexOf(address.slice(address.lastIndexOf('@') + 1).toLowerCase()) >= 0)

export interface MailNow {
  readonly isReply: boolean
  readonly recipients: readonly string[]
}

export type KindOfMail = 'new' | 'reply' | 'internal'

/** `internal` only where the answer has a signature of its own for internal mail. */
export function kindOfMail(answer: SignatureAnswer, { isReply, recipients }: MailNow): KindOfMail {
  if (answer.internal && isInternal(recipients, answer.domains)) return 'internal'
  return isReply ? 'reply' : 'new'
}

export const signaturesOf = (answer: SignatureAnswer): MailSignature[] =>
  [answer.new, answer.reply, answer.internal].filter(
    (signature): signature is MailSignature => signature !== null,
  )
