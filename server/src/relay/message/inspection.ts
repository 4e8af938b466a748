import type { BodyPlan } from './place/plan.ts'

/** Why a message passes without a signature. The relay shows these words in its log and metrics. */
export const leaveReasons = [
  'already_processed', // our header is there: the message comes back from the mail system
  'already_signed', // another channel put our signature above the quote
  'too_many_hops', // more than 25 Received lines
  'no_sender', // no From, or one that cannot be read
  'several_senders',
  'resent', // redirected as it is: From is the author of another company
  'auto_reply',
  'mailing_list',
  'signed', // S/MIME or PGP: a change breaks the signature
  'encrypted',
  'rights_protected', // message.rpmsg of Microsoft
  'tnef', // winmail.dat
  'invitation',
  'report', // bounces and read receipts
  'no_text', // no part that a reader shows as the text of the message
  'ambiguous', // two alternatives of one type
  'malformed', // unclosed, empty or contradictory structure
  'unsupported_encoding', // UTF-16, UTF-7 and transfer encodings that no standard names
  'header_too_large',
  'too_many_parts',
  'too_deep',
  'body_too_large',
] as const

export type LeaveReason = (typeof leaveReasons)[number]

/** Places of the signature: offsets into the message that was inspected. Meaningless for other bytes. */
export interface StampPlan {
  readonly message: Buffer
  readonly newline: '\r\n' | '\n'
  readonly bodies: readonly BodyPlan[]
}

export type MessageInspection =
  | { readonly action: 'leave'; readonly reason: LeaveReason; readonly from: string | null }
  | {
      readonly action: 'stamp'
      /** The address of the header From, as written. */
      readonly from: string
      /** The addresses of the headers To and Cc, as written. */
      readonly recipients: readonly string[]
      /** A reply or a forward: by its headers, or because it quotes a message. */
      readonly isReply: boolean
      readonly plan: StampPlan
    }

export interface InspectionOptions {
  /** The name of this service in the processed header. */
  readonly instance: string
  /** Hosts of tracked links: a link to one of them above the quote is a signature of ours. */
  readonly linkHosts: readonly string[]
  readonly stampsAutoReplies: boolean
}

export interface StampSignature {
  readonly html: string
  readonly text: string
}
