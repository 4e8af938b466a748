// An answer to the sender that is no success. 4xx: the sender keeps the message and tries again. 5xx: it gives up.
import { HopError } from '../next-hop/hop-socket.ts'
import { replyText, type SmtpReply } from '../next-hop/replies.ts'

/** Why a message was not passed on, as the list of messages shows it. */
export type RefusalReason =
  | 'next_hop' // the next hop has answered so
  | 'next_hop_away'
  | 'not_admitted' // the client or the sender's domain is unknown
  | 'ambiguous_relay' // several workspaces claim the sender
  | 'wrong_tenant'
  | 'too_large'
  | 'memory'
  | 'crowded' // too many connections of a network, or messages of a workspace, at once
  | 'loop'
  | 'parameter' // of MAIL or RCPT
  | 'disconnected' // the sender went away before the end of the message
  | 'stopping'
  | 'internal'

export class RelayRefusal extends Error {
  readonly responseCode: number
  readonly reason: RefusalReason

  constructor(responseCode: number, message: string, reason: RefusalReason, cause?: unknown) {
    super(message, { cause })
    this.responseCode = responseCode
    this.reason = reason
  }
}

/** The hop's own words, so that the sender sees what it would see without the relay. */
export const replyRefusal = (reply: SmtpReply): RelayRefusal =>
  new RelayRefusal(reply.code, replyText(reply) || 'The next hop refused it', 'next_hop')

export const hopAwayRefusal = (cause: unknown): RelayRefusal =>
  new RelayRefusal(451, '4.4.1 The next hop cannot be used now; try again', 'next_hop_away', cause)

/** Whatever goes wrong on the way to the hop, the sender keeps the message. */
export function asRefusal(error: unknown): RelayRefusal {
  if (error instanceof RelayRefusal) return error
  if (error instanceof HopError) return hopAwayRefusal(error)
  return new RelayRefusal(451, '4.3.0 The relay failed; try again', 'internal', error)
}
