// The state machine of an SMTP session: one connection of a sender, with the connection to the next hop behind it.
//
// State      Meaning                                                       What the next hop has
// idle       no transaction                                                nothing, or a MAIL that RSET ends before the next one
// opening    MAIL waits for the answer of the next hop                     perhaps the MAIL
// open       MAIL is accepted; each RCPT is answered by the next hop       sender and recipients
// deferred   MAIL and RCPT of a bounce, whose message tells the hop        nothing
// receiving  the message comes from the sender                             no byte of the message
// passing    the message is here in whole: it is stamped and sent          the message without its end
// ending     the final dot is sent                                         perhaps the message
// leaving    the sender has left while a command was being answered        what it had
// closed     the session is over                                           nothing
//
// `steps` says for each state and event: the next state, what happens to the connection to the next hop, and what the sender
// is answered. An answer of the next hop is passed on with its code and words, and is no part of the table.
//
// When the next hop drops its connection (`hop_lost`): before the final dot the message has not arrived there, and the sender
// is told to try again. After it the message can have arrived; the sender is told the same, because a message that comes
// twice is better than one that is lost. A connection that was kept from the message before (`kept_hop_lost`) is replaced
// once, by the next MAIL, and the sender does not notice.
import { hopAwayRefusal, RelayRefusal } from './refusal.ts'

export type SessionState =
  | 'idle'
  | 'opening'
  | 'open'
  | 'deferred'
  | 'receiving'
  | 'passing'
  | 'ending'
  | 'leaving'
  | 'closed'

export type SessionEvent =
  | 'mail' // MAIL
  | 'bounce' // MAIL of a bounce whose message tells the hop
  | 'other_hop' // the connection kept from the message before leads to another hop
  | 'kept_hop_lost' // the hop has dropped that connection
  | 'accepted' // the hop has accepted MAIL
  | 'refused' // the hop or the relay has refused MAIL or the message
  | 'recipient' // RCPT
  | 'data' // DATA
  | 'received' // the last byte of the message has come
  | 'last_byte' // the final dot goes to the hop
  | 'delivered' // the hop has accepted the message
  | 'hop_lost' // the hop has dropped its connection, or does not answer in time
  | 'sender_left'

/** `quit`: QUIT, and close. `destroy`: close at once, so that half a message is no message. */
export type HopDeed = 'keep' | 'quit' | 'destroy'

export type SessionAnswer = 'mail_first' | 'hop_away' | 'left'

const answers: Readonly<Record<SessionAnswer, (cause?: unknown) => RelayRefusal>> = {
  mail_first: () => new RelayRefusal(503, '5.5.1 Send MAIL first', 'internal'),
  hop_away: hopAwayRefusal,
  left: () => new RelayRefusal(451, '4.4.2 The sender has left', 'disconnected'),
}

export interface SessionStep {
  readonly next: SessionState
  readonly hop: HopDeed
  /** Null: none, or that of the hop or of the relay's rules. */
  readonly answer: SessionAnswer | null
}

const to = (next: SessionState, answer: SessionAnswer | null = null, hop: HopDeed = 'keep'): SessionStep => ({
  next,
  hop,
  answer,
})

type Row = Readonly<Partial<Record<SessionEvent, SessionStep>>>

/** MAIL, which a sender can send again after RSET. */
const mail: Row = {
  mail: to('opening'),
  bounce: to('deferred'),
  refused: to('idle'),
  sender_left: to('closed', null, 'quit'),
}

/** While the relay says MAIL to the hop. */
const replacing = (state: SessionState): Row => ({
  other_hop: to(state, null, 'quit'),
  kept_hop_lost: to(state, null, 'quit'),
})

/** Events that cannot happen in a state have no entry. */
export const steps: Readonly<Record<SessionState, Row>> = {
  idle: {
    ...mail,
    recipient: to('idle', 'mail_first'),
    data: to('idle', 'mail_first'),
  },
  opening: {
    ...replacing('opening'),
    accepted: to('open'),
    refused: to('idle'),
    hop_lost: to('idle', 'hop_away'),
    sender_left: to('leaving'),
  },
  open: {
    ...mail,
    recipient: to('open'),
    data: to('receiving'),
    hop_lost: to('open', 'hop_away'), // each RCPT, and then the message
  },
  deferred: {
    ...mail,
    recipient: to('deferred'),
    data: to('receiving'),
  },
  receiving: {
    received: to('passing'),
    refused: to('idle'),
    sender_left: to('leaving', null, 'destroy'),
  },
  passing: {
    ...replacing('passing'),
    last_byte: to('ending'),
    refused: to('idle'),
    hop_lost: to('idle', 'hop_away'),
    sender_left: to('leaving', null, 'destroy'),
  },
  ending: {
    delivered: to('idle'),
    refused: to('idle'),
    hop_lost: to('idle', 'hop_away'),
    sender_left: to('leaving'), // the hop answers, and the answer is noted
  },
  leaving: {
    ...replacing('leaving'),
    accepted: to('closed', 'left', 'quit'),
    refused: to('closed', null, 'quit'),
    received: to('leaving'),
    last_byte: to('leaving'),
    delivered: to('closed', null, 'quit'),
    hop_lost: to('closed', 'hop_away', 'quit'),
  },
  // The answers to commands that the sender did not wait for.
  closed: {
    refused: to('closed'),
    hop_lost: to('closed', 'hop_away'),
  },
}

/** Throws for an event that the state cannot meet: a fault of the relay. */
export function stepOf(state: SessionState, event: SessionEvent): SessionStep {
  const step = steps[state][event]
  if (!step) throw new Error(`a session that is ${state} cannot meet ${event}`)
  return step
}

export const sessionRefusal = (answer: SessionAnswer, cause?: unknown): RelayRefusal => answers[answer](cause)

/** Between MAIL and the answer to the message. */
export const isInTransaction = (state: SessionState): boolean => state !== 'idle' && state !== 'closed'

const receivingStates: readonly SessionState[] = ['receiving', 'passing', 'ending']

/** A message is being received or passed on. */
export const hasMessage = (state: SessionState): boolean => receivingStates.includes(state)

/** The relay and the hop are at work: the sender has nothing to bring. */
export const isAtWork = (state: SessionState): boolean => state === 'passing' || state === 'ending'
