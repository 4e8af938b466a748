// One connection of a sender: who it is, the transaction that is open, and the connection to the next hop that answers it.
import { isDeepStrictEqual } from 'node:util'
import type { SMTPServerDataStream } from 'smtp-server'
import type { RelayClient } from '../clients/clients.ts'
import type { HopCapabilities } from '../next-hop/capabilities.ts'
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
import { type HopAccess, hopOptionsOf } from '../settings/kind.ts'
import { routeOfBounce } from './bounces.ts'
import { type DeliveryDeps, deliverMessage, type RelayTransaction, strangerRefusal } from './delivery.ts'
import { MessagePace } from './pace.ts'
import { asRefusal, RelayRefusal, replyRefusal } from './refusal.ts'

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

export class RelaySession {
  readonly #deps: RelaySessionDeps
  #client: RelayClient
  #open: OpenHop | undefined
  #transaction: OpenTransaction | undefined
  /** The hop has accepted a MAIL whose message it has not answered. */
  #isHopOpen = false
  #abort: (() => void) | undefined
  #progressAt = performance.now()
  #pace: MessagePace | undefined
  /** The message is here, and the hop's turn has come. */
  #isPassing = false
  #isClosed = false
  /** Of a MAIL that waits for the hop's answer. */
  #mailWorkspaceId: string | undefined

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
    return this.#isPassing ? 0 : performance.now() - this.#progressAt
  }

  /** The sender sends its message too slowly. */
  isSlow(milliseconds: number): boolean {
    return !this.#isPassing && this.#pace?.isSlow(milliseconds) === true
  }

  /** Between MAIL and the answer to the message. */
  get isBusy(): boolean {
    return this.#transaction !== undefined || this.#abort !== undefined || this.workspaceId !== undefined
  }

  /** Of the open transaction. */
  get workspaceId(): string | undefined {
    return this.#mailWorkspaceId ?? this.#transaction?.admitted?.route.workspaceId
  }

  /** A message is being received or passed on. */
  get isReceiving(): boolean {
    return this.#abort !== undefined
  }

  /** By a certificate that a trusted authority has issued. */
  identify(certificate: RelayClient['certificate']): void {
    this.#client = { ...this.#client, certificate }
    this.#progressAt = performance.now()
  }

  async mail(sender: EnvelopeAddress): Promise<void> {
    this.#progressAt = performance.now()
    const chosen = chooseRoute(this.admitted, sender.address)
    if (chosen === 'none') throw this.#notAdmitted(sender.address)
    if (chosen === 'several') throw this.#ambiguous()
    if (chosen === 'by_message') this.#transaction = this.#laterTransaction(sender)
    else await this.#openTransaction(chosen, sender)
  }

  async recipient(recipient: EnvelopeAddress): Promise<void> {
    this.#progressAt = performance.now()
    const { recipients, addRecipient } = this.#current()
    await addRecipient(recipient)
    recipients.push(recipient.address)
  }

  async #openTransaction(admitted: AdmittedRoute, sender: EnvelopeAddress): Promise<void> {
    this.#transaction = undefined
    if (this.#deps.isCrowded(admitted.route.workspaceId))
      throw new RelayRefusal(451, '4.3.2 The relay has too many messages of this sender', 'crowded')
    this.#deps.capabilities.note(this.#client.address, admitted.route)
    this.#mailWorkspaceId = admitted.route.workspaceId
    try {
      const hop = await this.#mailToHop(admitted, sender)
      this.#transaction = {
        admitted,
        sender: sender.address,
        declaredBytes: declaredIn(sender),
        recipients: [],
        addRecipient: recipient => recipientToHop(hop, recipient),
        connect: async () => ({ admitted, hop }),
      }
    } finally {
      this.#mailWorkspaceId = undefined
      if (this.#isClosed) this.#leaveHop()
    }
  }

  /**
   * A bounce whose message tells which hop it goes to. It has one recipient, because its hop can refuse that one only as
   * the answer to the message. The sender sends the message again for others, as it does for every 452 (RFC 5321).
   */
  #laterTransaction(sender: EnvelopeAddress): OpenTransaction {
    const { admitted: possible } = this
    const taken: EnvelopeAddress[] = []
    return {
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
        const hop = await this.#mailToHop(admitted, sender)
        for (const recipient of taken) await recipientToHop(hop, recipient)
        return { admitted, hop }
      },
    }
  }

  /** Returns the words of the next hop's acceptance. Everything else is thrown. */
  async data(stream: SMTPServerDataStream): Promise<string> {
    this.#progressAt = performance.now()
    const transaction = this.#current()
    // Until the final dot the hop has nothing: without the sender, the message must not get there.
    this.#abort = () => this.#open?.hop.destroy()
    this.#pace = new MessagePace()
    try {
      const words = await deliverMessage(stream, transaction, this.#deps, {
        pace: this.#pace,
        onReceived: () => {
          this.#isPassing = true
        },
        onEnd: () => {
          this.#abort = () => undefined
        },
      })
      this.#isHopOpen = false
      return words
    } finally {
      this.#abort = undefined
      this.#pace = undefined
      this.#isPassing = false
      this.#transaction = undefined
      this.#progressAt = performance.now()
      if (this.#isClosed) this.#leaveHop()
    }
  }

  /** The sender is gone. A command that waits for the hop leaves the hop itself, when it has its answer. */
  close(): void {
    this.#isClosed = true
    if (this.#abort) this.#abort()
    else this.#leaveHop()
  }

  #leaveHop(): void {
    this.#open?.hop.quit()
    this.#transaction = undefined
    this.#open = undefined
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

  #current(): OpenTransaction {
    if (this.#transaction) return this.#transaction
    throw new RelayRefusal(503, '5.5.1 Send MAIL first', 'internal')
  }

  /** A connection that the hop has closed meanwhile is replaced once. */
  async #mailToHop({ route }: AdmittedRoute, sender: EnvelopeAddress): Promise<NextHop> {
    const { nextHop: target, isHopTrusted: isTrusted } = route
    const kept = this.#open
    const isKept =
      kept?.hop.isUsable && kept.isTrusted === isTrusted && isDeepStrictEqual(kept.target, target)
    if (kept && isKept) {
      try {
        if (this.#isHopOpen) await kept.hop.reset()
        return await this.#sayMail(kept.hop, sender)
      } catch (error) {
        if (error instanceof RelayRefusal) throw error
      }
    } else kept?.hop.quit()
    this.#transaction = undefined
    this.#open = undefined
    const { hopAccess, timeouts } = this.#deps
    const hop = await NextHop.open(target, { ...hopOptionsOf(hopAccess, route), timeouts })
    this.#open = { target, isTrusted, hop }
    if (this.#isClosed) throw new RelayRefusal(451, '4.4.2 The sender has left', 'disconnected')
    return this.#sayMail(hop, sender)
  }

  async #sayMail(hop: NextHop, sender: EnvelopeAddress): Promise<NextHop> {
    this.#transaction = undefined
    this.#isHopOpen = false
    const reply = await hop.command(lineOf(mailCommand(sender, hop.features)))
    if (!isPositive(reply)) throw replyRefusal(reply)
    this.#isHopOpen = true
    return hop
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
      if (refusal.reason === 'internal' || refusal.reason === 'next_hop_away') onFault(error)
      callback(refusal)
    },
  )
}
