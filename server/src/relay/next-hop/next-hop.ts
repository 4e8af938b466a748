// The SMTP client of the relay. Each stage is one call, because each answer of the hop is the answer to the sender:
// clients that send MAIL, RCPT and DATA in one call lose recipients that the hop refused or deferred.
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { minute } from '#kernel/base/durations.ts'
import { yieldToEventLoop } from '#kernel/base/time-slice.ts'
import { DotStuffing } from './dot-stuffing.ts'
import { HopError, type HopSocketOptions, openHopSocket, secureHopSocket } from './hop-socket.ts'
import type { HopFeatures } from './parameters.ts'
import { isPositive, ReplyReader, replyText, type SmtpReply } from './replies.ts'
import type { HopTarget } from './target.ts'

export interface HopTimeouts {
  /** Connection, greeting, EHLO and TLS, each. */
  readonly connect: number
  /** The answer to MAIL, RCPT and DATA. */
  readonly command: number
  /** The hop takes no byte of the message. */
  readonly write: number
  /** The answer after the final dot. RFC 5321 wants 10 minutes: a shorter time sends messages twice. */
  readonly final: number
}

export const hopTimeouts: HopTimeouts = {
  connect: 15_000,
  command: 2 * minute,
  write: 2 * minute,
  final: 10 * minute,
}

export interface NextHopOptions extends Omit<HopSocketOptions, 'milliseconds'> {
  /** Name of the relay in EHLO. */
  readonly name: string
  readonly timeouts: HopTimeouts
}

/** A message, as it is read from memory or from a file. */
export type MessagePieces = Iterable<Buffer> | AsyncIterable<Buffer>

type Waiting = (reply: SmtpReply | HopError) => void

/** A message of this size is written before other connections get their turn. */
const yieldBytes = 1024 * 1024

async function* dotStuffed(chunks: MessagePieces): AsyncGenerator<Buffer> {
  const stuffing = new DotStuffing()
  for await (const chunk of chunks) yield* stuffing.blocksOf(chunk)
  yield stuffing.end()
}

/** A connection to the next hop. After an error it is closed and must not be used again. */
export class NextHop {
  readonly #timeouts: HopTimeouts
  readonly #host: string
  #socket: Socket
  #reader = new ReplyReader()
  #waiting: Waiting | undefined
  /** A refusal that no command has asked for: hops say 421 before they close, or refuse a message while it is sent. */
  #early: SmtpReply | undefined
  /** Between DATA and the answer to the message. */
  #isInData = false
  #failure: HopError | undefined
  #features: HopFeatures = new Map()
  #isSecure = false

  private constructor(socket: Socket, host: string, timeouts: HopTimeouts) {
    this.#socket = socket
    this.#host = host
    this.#timeouts = timeouts
  }

  /** Connects, says EHLO, and begins TLS as the target wants it. Throws HopError. */
  static async open(target: HopTarget, options: NextHopOptions): Promise<NextHop> {
    const { timeouts } = options
    const socketOptions = { ...options, milliseconds: timeouts.connect }
    const plain = await openHopSocket(target, socketOptions)
    const isImplicit = target.tls === 'implicit'
    const hop = new NextHop(
      isImplicit ? await secureHopSocket(plain, target, socketOptions) : plain,
      target.host,
      timeouts,
    )
    hop.#isSecure = isImplicit
    hop.#listen()
    try {
      await hop.#greet(options.name)
      if (!isImplicit) await hop.#startTls(target, options)
      return hop
    } catch (error) {
      hop.destroy()
      throw error
    }
  }

  get features(): HopFeatures {
    return this.#features
  }

  get isSecure(): boolean {
    return this.#isSecure
  }

  get isUsable(): boolean {
    return this.#failure === undefined && this.#early === undefined
  }

  /** Sends one command, and returns its answer, which can be a refusal. Throws HopError. */
  async command(line: string): Promise<SmtpReply> {
    return this.#ask(line, this.#timeouts.command)
  }

  /** Ends the open transaction. Throws HopError when the hop does not obey. */
  async reset(): Promise<void> {
    const reply = await this.command('RSET')
    if (!isPositive(reply)) throw this.#fail(new HopError('session', 'the next hop did not reset'))
  }

  /**
   * Sends a message, and returns the answer to it. A positive answer before the final dot is no answer to the message.
   * `onLastByte` runs just before the final dot: from then on the hop can have the message.
   */
  async data(chunks: MessagePieces, onLastByte: () => void = () => undefined): Promise<SmtpReply> {
    this.#isInData = true
    try {
      return await this.#sendMessage(chunks, onLastByte)
    } finally {
      this.#isInData = false
    }
  }

  async #sendMessage(chunks: MessagePieces, onLastByte: () => void): Promise<SmtpReply> {
    const go = await this.command('DATA')
    if (go.code !== 354)
      return isPositive(go) ? Promise.reject(this.#fail(new HopError('session', 'DATA got no 354'))) : go
    const refusal = await this.#write(chunks, onLastByte).catch(error => {
      // Half of a message must not be followed by a command.
      this.destroy()
      throw error
    })
    if (!refusal) {
      const reply = await this.#answer(this.#timeouts.final)
      // Bytes that are still here cannot have been read there.
      if (this.#socket.writableLength === 0 || reply.code >= 400) return reply
    }
    const failure = this.#fail(new HopError('session', 'the next hop answered before the end of the message'))
    if (!refusal) throw failure
    return refusal
  }

  /** Says QUIT, and does not wait for the answer. */
  quit(): void {
    if (this.#failure) return
    this.#socket.end('QUIT\r\n')
    setTimeout(() => this.destroy(), 5_000).unref()
  }

  destroy(): void {
    this.#fail(new HopError('session', 'the connection to the next hop was given up'))
  }

  #listen(): void {
    this.#socket.on('data', chunk => this.#read(chunk))
    const onEnd = (error?: Error) =>
      this.#fail(
        new HopError('session', `${this.#host} closed the connection (${error?.message ?? 'end'})`, error),
      )
    this.#socket.on('error', onEnd)
    this.#socket.on('end', () => onEnd())
    this.#socket.on('close', () => onEnd())
  }

  #read(chunk: Buffer): void {
    try {
      for (const reply of this.#reader.read(chunk)) {
        const waiting = this.#waiting
        this.#waiting = undefined
        if (waiting) waiting(reply)
        else this.#readUnasked(reply)
      }
    } catch (error) {
      this.#fail(new HopError('session', `${this.#host} does not speak SMTP: ${(error as Error).message}`))
    }
  }

  /**
   * A reply too many belongs to no command. If it were taken for the answer to the next one, a recipient that the hop
   * has never seen would count as accepted; so the connection ends. Refusals that end it anyway are passed on first.
   */
  #readUnasked(reply: SmtpReply): void {
    const isRefusal = reply.code === 421 || (this.#isInData && reply.code >= 400)
    if (isRefusal) this.#early ??= reply
    else this.#fail(new HopError('session', `${this.#host} sent a reply that no command had asked for`))
  }

  #fail(error: HopError): HopError {
    if (this.#failure) return this.#failure
    this.#failure = error
    this.#socket.on('error', () => undefined).destroy()
    const waiting = this.#waiting
    this.#waiting = undefined
    waiting?.(error)
    return error
  }

  #answer(milliseconds: number): Promise<SmtpReply> {
    const early = this.#early
    this.#early = undefined
    if (early) {
      this.#fail(new HopError('session', `${this.#host} has refused before it was asked`))
      return Promise.resolve(early)
    }
    if (this.#failure) return Promise.reject(this.#failure)
    const { promise, resolve, reject } = Promise.withResolvers<SmtpReply>()
    const timer = setTimeout(() => {
      this.#fail(new HopError('session', `${this.#host} did not answer in time`))
    }, milliseconds)
    this.#waiting = reply => {
      clearTimeout(timer)
      if (reply instanceof HopError) reject(reply)
      else resolve(reply)
    }
    return promise
  }

  #ask(line: string, milliseconds: number): Promise<SmtpReply> {
    if (this.#failure === undefined && this.#early === undefined) this.#socket.write(`${line}\r\n`)
    return this.#answer(milliseconds)
  }

  async #greet(name: string): Promise<void> {
    const greeting = await this.#answer(this.#timeouts.connect)
    if (greeting.code !== 220)
      throw new HopError('greeting', `${this.#host} does not take connections (${greeting.code})`)
    await this.#hello(name)
  }

  async #hello(name: string): Promise<void> {
    const reply = await this.#ask(`EHLO ${name}`, this.#timeouts.connect)
    if (!isPositive(reply))
      throw new HopError('ehlo', `${this.#host} refused EHLO (${reply.code} ${replyText(reply)})`)
    this.#features = new Map(
      reply.lines.slice(1).map(line => {
        const [keyword = '', ...rest] = line.trim().split(/\s+/)
        return [keyword.toUpperCase(), rest.join(' ')]
      }),
    )
  }

  async #startTls(target: HopTarget, options: NextHopOptions): Promise<void> {
    const isRequired = target.tls === 'required'
    if (!this.#features.has('STARTTLS')) {
      if (!isRequired) return
      throw new HopError('starttls', `${target.host} offers no STARTTLS`)
    }
    const reply = await this.#ask('STARTTLS', this.#timeouts.connect)
    if (reply.code !== 220) {
      if (!isRequired && this.isUsable) return
      throw new HopError('starttls', `${target.host} refused STARTTLS (${reply.code})`)
    }
    // With a reply behind this one, which another machine can have written before TLS.
    if (this.#failure) throw this.#failure
    const plain = this.#socket
    plain.removeAllListeners().on('error', () => undefined)
    // What came before TLS counts for nothing: another machine can have written it.
    this.#reader = new ReplyReader()
    this.#early = undefined
    this.#socket = await secureHopSocket(plain, target, {
      ...options,
      milliseconds: options.timeouts.connect,
    })
    this.#isSecure = true
    this.#listen()
    await this.#hello(options.name)
  }

  /** Returns the reply that arrived before the end, if one did. */
  async #write(chunks: MessagePieces, onLastByte: () => void): Promise<SmtpReply | undefined> {
    let held: Buffer | undefined
    let sinceYield = 0
    for await (const block of dotStuffed(chunks)) {
      if (held) await this.#flush(held)
      if (this.#early) return this.#early
      held = block
      sinceYield += block.length
      if (sinceYield < yieldBytes) continue
      sinceYield = 0
      await yieldToEventLoop()
    }
    // The last block holds the final dot.
    if (this.#early) return this.#early
    onLastByte()
    if (held) await this.#flush(held)
    return undefined
  }

  async #flush(block: Buffer): Promise<void> {
    if (this.#failure) throw this.#failure
    if (this.#socket.write(block)) return
    const end = new AbortController()
    const timer = setTimeout(() => {
      this.#fail(new HopError('session', `${this.#host} takes no more of the message`))
    }, this.#timeouts.write)
    try {
      await Promise.race(
        ['drain', 'close'].map(event => once(this.#socket, event, { signal: end.signal })),
      ).catch(error => {
        throw this.#fail(new HopError('session', `${this.#host} closed the connection`, error))
      })
    } finally {
      clearTimeout(timer)
      end.abort()
    }
    if (this.#failure) throw this.#failure
  }
}
