// One connection of a sender: who it is, the transaction that is open, and the connection to the next hop that answers it.
import { isDeepStrictEqual } from 'node:util'
import type { SMTPServerDataStream } from 'smtp-server'
import type { RelayClient } from '../clients/clients.ts'
import type { HopCapabilities } from '../next-hop/capabilities.ts'
import { type HopAccess, hopOptionsOf } from '../next-hop/hop-access.ts'
import { HopError } from '../next-hop/hop-socket.ts'
import { type HopTimeouts, NextHop } from '../next-hop/next-hop.ts'
import {
  type EnvelopeAddress,
  mailCommand,
  type PassedCommand,
  recipientCommand,
} from '../next-hop/parameters.ts'
import { isPositive } from '../next-hop/replies.ts'
import type { HopTarget } from '../next-hop/target.ts'
import { type AdmittedRoute, chooseRoute, type RelayRouting } from '../routing.ts'
import { routeOfBounce } from './bounces.ts'
import { type DeliveryDeps, deliverMessage, type RelayTransaction, strangerRefusal } from './delivery.ts'
import { MessagePace } from './pace.ts'
import { asRefusal, RelayRefusal, replyRefusal } from './refusal.ts'
import {
  hasMessage,
  isAtWork,
  isInTransaction,
  type SessionEvent,
  type SessionState,
  sessionRefusal,
  stepOf,
} from './states.ts'

export interface RelaySessionDeps extends DeliveryDeps {
  readonly routing: RelayRouting
  readonly hopAccess: HopAccess
  readonly capabilities: Pick<HopCapabilities, 'note'>
  readonly timeouts: HopTimeouts
  /** The workspace has as many open transactions as one can have. */
  readonly isCrowded: (workspaceId: string) => boolean
}

interface OpenTransaction extends RelayTransaction {
  readonly recipients: string[]
  readonly addRecipient: (recipient: EnvelopeAddress) => Promise<void>
}

interface OpenHop {
  readonly target: HopTarget
  readonly isTrusted: boolean
  readonly hop: NextHop
  /** It has accepted a MAIL whose message it has not answered. */
  hasMail: boolean
}

function lineOf(command: PassedCommand): string {
  if (command.ok) return command.line
  const { problem, parameter } = command
  throw problem === 'unknown'
    ? new RelayRefusal(555, `5.5.4 The parameter ${parameter.slice(0, 40)} is not known`, 'parameter')
    : new RelayRefusal(451, `4.3.0 The next hop does not take ${parameter} now; try again`, 'parameter')
}

const declaredIn = ({ args }: EnvelopeAddress): number | null => {
  const size = args === false ? undefined : args.SIZE
  return typeof size === 'string' && Number(size) > 0 ? Number(size) : null
}

async function recipientToHop(hop: NextHop, recipient: EnvelopeAddress): Promise<void> {
  const reply = await hop.command(lineOf(recipientCommand(recipient, hop.features)))
  if (!isPositive(reply)) throw replyRefusal(reply)
}

async function mailToHop(open: OpenHop, sender: EnvelopeAddress): Promise<NextHop> {
  open.hasMail = false
  const reply = await open.hop.command(lineOf(mailCommand(sender, open.hop.features)))
  if (!isPositive(reply)) throw replyRefusal(reply)
  open.hasMail = true
  return open.hop
}

/** A connection of a sender. Its actions in each state are in states.ts. */
export class RelaySession {
  readonly #deps: RelaySessionDeps
  #client: RelayClient
  #state: SessionState = 'idle'
  #hop: OpenHop | undefined
  #transaction: OpenTransaction | undefined
  #workspaceId: string | undefined
  #progressAt = performance.now()
  #pace = new MessagePace()
  /** Aborts when the sender leaves. */
  readonly #left = new AbortController()

  constructor(address: string, deps: RelaySessionDeps) {
    this.#deps = deps
    this.#client = { address, certificate: null }
  }

  /** The relays that this client may send through, by what it has shown until now. */
  get admitted(): readonly AdmittedRoute[] {
    return this.#deps.routing.of(this.#client)
  }

  /** Milliseconds since the sender last did something that brings mail on; NOOP does not count. */
  get idleMilliseconds(): number {
    return isAtWork(this.#state) ? 0 : performance.now() - this.#progressAt
  }

  /** The sender sends its message too slowly. */
  isSlow(milliseconds: number): boolean {
    return this.#state === 'receiving' && this.#pace.isSlow(milliseconds)
  }

  get isBusy(): boolean {
    return isInTransaction(this.#state)
  }

  /** Workspace of the open transaction. */
  get workspaceId(): string | undefined {
    return isInTransaction(this.#state) ? this.#workspaceId : undefined
  }

  get isReceiving(): boolean {
    return hasMessage(this.#state)
  }

  /** By a certificate that a trusted authority has issued. */
  identify(certificate: RelayClient['certificate']): void {
    this.#client = { ...this.#client, certificate }
    this.#progressAt = performance.now()
  }

  async mail(sender: EnvelopeAddress): Promise<void> {
    this.#progressAt = performance.now()
    this.#transaction = undefined
    this.#workspaceId = undefined
    try {
      const chosen = chooseRoute(this.admitted, sender.address)
      if (chosen === 'none') throw this.#notAdmitted(sender.address)
      if (chosen === 'several') throw this.#ambiguous()
      if (chosen === 'by_message') this.#deferTransaction(sender)
      else await this.#openTransaction(chosen, sender)
    } catch (error) {
      this.#fail(error)
    }
  }

  async recipient(recipient: EnvelopeAddress): Promise<void> {
    this.#progressAt = performance.now()
    const { recipients, addRecipient } = this.#current('recipient')
    try {
      await addRecipient(recipient)
    } catch (error) {
      if (error instanceof HopError) this.#enter('hop_lost', error)
      throw error
    }
    recipients.push(recipient.address)
  }

  /** Returns the words of the next hop's acceptance. Everything else is thrown. */
  async data(stream: SMTPServerDataStream): Promise<string> {
    this.#progressAt = performance.now()
    const transaction = this.#current('data')
    this.#pace = new MessagePace()
    try {
      const words = await deliverMessage(stream, transaction, this.#deps, {
        pace: this.#pace,
        left: this.#left.signal,
        onReceived: () => this.#enter('received'),
        onLastByte: () => this.#enter('last_byte'),
      })
      if (this.#hop) this.#hop.hasMail = false
      this.#enter('delivered')
      return words
    } catch (error) {
      return this.#fail(error)
    } finally {
      this.#transaction = undefined
      this.#progressAt = performance.now()
    }
  }

  close(): void {
    this.#left.abort(sessionRefusal('left'))
    this.#enter('sender_left')
  }

  /** Throws the answer of the step, if it has one. */
  #enter(event: SessionEvent, cause?: unknown): void {
    const { next, hop, answer } = stepOf(this.#state, event)
    this.#state = next
    if (hop !== 'keep') {
      this.#hop?.hop[hop]()
      this.#hop = undefined
    }
    if (answer) throw sessionRefusal(answer, cause)
  }

  #fail(error: unknown): never {
    this.#enter(error instanceof HopError ? 'hop_lost' : 'refused', error)
    throw error
  }

  #current(event: 'recipient' | 'data'): OpenTransaction {
    this.#enter(event)
    if (!this.#transaction) throw sessionRefusal('mail_first')
    return this.#transaction
  }

  async #openTransaction(admitted: AdmittedRoute, sender: EnvelopeAddress): Promise<void> {
    const { workspaceId } = admitted.route
    if (this.#deps.isCrowded(workspaceId))
      throw new RelayRefusal(451, '4.3.2 The relay has too many messages of this sender', 'crowded')
    this.#deps.capabilities.note(this.#client.address, admitted.route)
    this.#workspaceId = workspaceId
    this.#enter('mail')
    const hop = await this.#findHop(admitted, sender)
    this.#enter('accepted')
    this.#transaction = {
      admitted,
      sender: sender.address,
      declaredBytes: declaredIn(sender),
      recipients: [],
      addRecipient: recipient => recipientToHop(hop, recipient),
      connect: async () => ({ admitted, hop }),
    }
  }

  /**
   * A bounce whose message tells which hop it goes to. It has one recipient, because its hop can refuse that one only as
   * the answer to the message. The sender sends the message again for others, as it does for every 452 (RFC 5321).
   */
  #deferTransaction(sender: EnvelopeAddress): void {
    const { admitted: possible } = this
    const taken: EnvelopeAddress[] = []
    this.#enter('bounce')
    this.#transaction = {
      admitted: null,
      sender: sender.address,
      declaredBytes: declaredIn(sender),
      recipients: [],
      addRecipient: async recipient => {
        if (taken.length > 0)
          throw new RelayRefusal(452, '4.5.3 One recipient for each message without a sender', 'next_hop')
        taken.push(recipient)
      },
      connect: async header => {
        const admitted = routeOfBounce(possible, header)
        if (admitted === 'none') throw strangerRefusal()
        if (admitted === 'several') throw this.#ambiguous()
        const hop = await this.#findHop(admitted, sender)
        for (const recipient of taken) await recipientToHop(hop, recipient)
        return { admitted, hop }
      },
    }
  }

  /** Final only for a foreign sender of a known client: a relay that is missing by a mistake makes no mail bounce. */
  #notAdmitted(sender: string): RelayRefusal {
    const mayPassLater = this.admitted.length === 0 || this.#deps.routing.hasLost(this.#client, sender)
    return mayPassLater
      ? new RelayRefusal(450, '4.7.1 This sender may not use the relay now', 'not_admitted')
      : new RelayRefusal(550, '5.7.1 This sender may not use the relay', 'not_admitted')
  }

  #ambiguous(): RelayRefusal {
    this.#deps.log.warn({ client: this.#client.address }, 'several relays claim a sender')
    return new RelayRefusal(451, '4.3.5 Several relays claim this sender', 'ambiguous_relay')
  }

  /** Returns a hop that has accepted MAIL: by the connection of the message before, or by a new one. */
  async #findHop({ route }: AdmittedRoute, sender: EnvelopeAddress): Promise<NextHop> {
    const { nextHop: target, isHopTrusted: isTrusted } = route
    const last = this.#hop
    if (last && !(last.isTrusted === isTrusted && isDeepStrictEqual(last.target, target)))
      this.#enter('other_hop')
    else if (last) {
      try {
        if (last.hasMail) await last.hop.reset()
        return await mailToHop(last, sender)
      } catch (error) {
        if (error instanceof RelayRefusal) throw error
        this.#enter('kept_hop_lost')
      }
    }
    const { hopAccess, timeouts } = this.#deps
    const hop = await NextHop.open(target, { ...hopOptionsOf(hopAccess, route), timeouts })
    this.#hop = { target, isTrusted, hop, hasMail: false }
    if (this.#left.signal.aborted) throw sessionRefusal('left')
    return mailToHop(this.#hop, sender)
  }
}

/** For handlers of the library, which take callbacks. */
export const answering = (
  work: Promise<unknown>,
  callback: (error?: Error | null, message?: string) => void,
  onFault: (error: unknown) => void,
): void => {
  work.then(
    message => callback(null, typeof message === 'string' ? message : undefined),
    error => {
      const refusal = asRefusal(error)
      if (refusal.reason === 'internal' || refusal.reason === 'next_hop_away') onFault(refusal.cause ?? error)
      callback(refusal)
    },
  )
}
