// The state machine of the editor's saving. `Autosave` turns what happens into events and runs the actions.
//
// State     Meaning
// saved     the service has the tree, as far as the browser knows
// waiting   the tree has changed; it is saved a second after the last change, or when the person wants it (`isManual`)
// saving    a request is under way; there is never more than one
// offline   the request had no answer: the service can have the tree all the same
// conflict  another person has saved; a merge has to decide (use-merging.ts, `mergeAfterLeaving`)
// refused   the service does not take this tree: another one, or a person who tries again, is worth a request
//
// Event        Cause
// edited       the tree is not the one that the service has
// repeated     the same, and it is the tree that was refused last
// reverted     the tree is the one that the service has again
// started      a request begins
// accepted     the service has stored the tree
// lost         no answer, a fault of the service, or too many requests
// stale        the service has another version than the one that the request began with
// rejected     the service refuses the content, the person or the address
// rebased      a merge, or another read, says what the service has: it is the present tree
// rebasedOver  the same, and the present tree is to be saved over it
export const saveStatuses = ['saved', 'waiting', 'saving', 'offline', 'conflict', 'refused'] as const
export type SaveStatus = (typeof saveStatuses)[number]

export type SaveEvent =
  | 'edited'
  | 'repeated'
  | 'reverted'
  | 'started'
  | 'accepted'
  | 'lost'
  | 'stale'
  | 'rejected'
  | 'rebased'
  | 'rebasedOver'

export type SaveAction =
  /** Save a second from now. Nothing while a request is under way, whose end is followed by `edited`, or with `isManual`. */
  | 'saveSoon'
  /** Try again after a back-off. */
  | 'tryLater'
  /** All trees that were sent are settled: the service has this one. */
  | 'settle'
  /** The service does not have the tree that was sent. */
  | 'takeBack'
  /** Remember the tree: it is not sent again by itself. */
  | 'holdBack'

export interface SaveTransition {
  readonly to: SaveStatus
  readonly actions: readonly SaveAction[]
}

type Transitions = Partial<Readonly<Record<SaveEvent, SaveTransition>>>

const begin: SaveTransition = { to: 'waiting', actions: ['saveSoon'] }

/** In every state: a merge can come between a request and its answer. */
const always: Transitions = {
  started: { to: 'saving', actions: [] },
  accepted: { to: 'saved', actions: ['settle'] },
  lost: { to: 'offline', actions: ['tryLater'] },
  stale: { to: 'conflict', actions: ['takeBack'] },
  rejected: { to: 'refused', actions: ['takeBack', 'holdBack'] },
  rebased: { to: 'saved', actions: [] },
  rebasedOver: begin,
}

const transitions: Readonly<Record<SaveStatus, Transitions>> = {
  saved: { ...always, edited: begin, repeated: begin },
  waiting: { ...always, edited: begin, repeated: begin, reverted: { to: 'saved', actions: [] } },
  // `edited` comes again after the answer.
  saving: always,
  // The next try has its time already, which grows with each failure.
  offline: always,
  conflict: always,
  refused: { ...always, edited: begin },
}

/** Undefined: the event changes nothing. */
export const transitionOf = (status: SaveStatus, event: SaveEvent): SaveTransition | undefined =>
  transitions[status][event]
