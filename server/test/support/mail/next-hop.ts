// A mail server behind the relay: strict about the protocol, and as difficult as a test wants it.
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { afterFile } from '../after-file.ts'

/** A text is the reply; null closes the connection without one. */
type HopReply = string | null
type Decide = (line: string) => HopReply | Promise<HopReply>

export interface HopScript {
  greeting?: Decide
  mail?: Decide
  recipient?: Decide
  data?: Decide
  /** The answer to a message, which it gets in whole. */
  message?: (message: ReceivedMessage) => HopReply | Promise<HopReply>
  /** Closes the connection after so many bytes of the message. */
  diesAfterBytes?: number
  /** Writes every reply byte by byte. */
  dribbles?: boolean
  /** Behind the name in the answer to EHLO; STARTTLS is added when there is a certificate. */
  features?: readonly string[]
}

export interface ReceivedMessage {
  readonly mail: string
  readonly recipients: readonly string[]
  /** Without the dots that were added for the way. */
  readonly data: Buffer
  readonly isSecure: boolean
  /** The subject of the client's certificate, if it showed a valid one. */
  readonly clientName: string | null
}

export interface HopCertificate {
  readonly cert: string
  readonly key: string
  readonly ca?: string
}

export interface StandInHopOptions {
  readonly certificate?: HopCertificate
  readonly isImplicit?: boolean
  readonly script?: HopScript
}

export class StandInHop {
  readonly messages: ReceivedMessage[] = []
  /** Input that was not SMTP. */
  readonly faults: string[] = []
  readonly commands: string[] = []
  script: HopScript
  port = 0
  readonly #options: StandInHopOptions
  readonly #server: Server
  readonly #sockets = new Set<Socket>()

  constructor(options: StandInHopOptions) {
    this.#options = options
    this.script = options.script ?? {}
    this.#server = createServer(socket => {
      this.#sockets.add(socket)
      socket.on('error', () => undefined).on('close', () => this.#sockets.delete(socket))
      const secured = options.isImplicit ? this.#secure(socket) : socket
      this.#serve(secured, options.isImplicit === true).catch(() => socket.destroy())
    })
  }

  get url(): string {
    return `smtp://127.0.0.1:${this.port}`
  }

  get openConnections(): number {
    return this.#sockets.size
  }

  async listen(port = 0): Promise<void> {
    this.#server.listen(port, '127.0.0.1')
    await once(this.#server, 'listening')
    this.port = (this.#server.address() as AddressInfo).port
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    await new Promise(done => this.#server.close(done))
  }

  #secure(socket: Socket): TLSSocket {
    const { certificate } = this.#options
    if (!certificate) throw new Error('the hop has no certificate')
    const { cert, key, ca } = certificate
    const secured = new TLSSocket(socket, {
      isServer: true,
      cert,
      key,
      ...(ca !== undefined && { ca, requestCert: true, rejectUnauthorized: false }),
    })
    return secured.on('error', () => undefined)
  }

  async #write(socket: Socket, reply: HopReply): Promise<void> {
    if (reply === null) {
      socket.destroy()
      throw new Error('closed')
    }
    const bytes = Buffer.from(`${reply}\r\n`)
    if (!this.script.dribbles) {
      socket.write(bytes)
      return
    }
    for (const byte of bytes) {
      socket.write(Buffer.of(byte))
      await new Promise(setImmediate)
    }
  }

  async #serve(first: Socket, startsSecure: boolean): Promise<void> {
    let socket = first
    let isSecure = startsSecure
    let lines = readLines(socket)
    let mail: string | undefined
    let recipients: string[] = []
    let hasGreeted = false
    const { script } = this
    await this.#write(socket, orElse(await script.greeting?.(''), '220 hop.test ESMTP'))
    for (;;) {
      const line = await lines.line()
      if (line === undefined) return
      this.commands.push(line)
      if (/[\r\n]/.test(line)) this.faults.push(`a bare line break in ${line}`)
      const verb = line.split(/[ :]/)[0]?.toUpperCase()
      if (verb === 'EHLO') {
        hasGreeted = true
        mail = undefined
        const offers = [
          ...(this.script.features ?? ['8BITMIME', 'SMTPUTF8', 'DSN', 'SIZE 52428800']),
          ...(this.#options.certificate && !isSecure ? ['STARTTLS'] : []),
        ]
        const all = ['hop.test', ...offers]
        await this.#write(
          socket,
          all.map((text, at) => `250${at < all.length - 1 ? '-' : ' '}${text}`).join('\r\n'),
        )
      } else if (verb === 'STARTTLS') {
        await this.#write(socket, '220 go')
        lines.end()
        socket = this.#secure(socket)
        lines = readLines(socket)
        isSecure = true
        hasGreeted = false
      } else if (!hasGreeted) {
        this.faults.push(`${verb} before EHLO`)
        await this.#write(socket, '503 EHLO first')
      } else if (verb === 'MAIL') {
        if (mail !== undefined) this.faults.push('MAIL inside a transaction')
        const reply = orElse(await this.script.mail?.(line), '250 2.1.0 sender ok')
        if (reply?.startsWith('2')) {
          mail = line
          recipients = []
        }
        await this.#write(socket, reply)
      } else if (verb === 'RCPT') {
        if (mail === undefined) this.faults.push('RCPT without MAIL')
        const reply = orElse(await this.script.recipient?.(line), '250 2.1.5 recipient ok')
        if (reply?.startsWith('2')) recipients.push(line)
        await this.#write(socket, reply)
      } else if (verb === 'DATA') {
        if (recipients.length === 0) this.faults.push('DATA without recipients')
        const go = orElse(await this.script.data?.(line), '354 go')
        await this.#write(socket, go)
        if (!go?.startsWith('3')) continue
        const data = await lines.message(this.script.diesAfterBytes)
        if (!data) return void socket.destroy()
        const clientName =
          socket instanceof TLSSocket && peerOf(socket) !== undefined ? (peerOf(socket) ?? null) : null
        const message = { mail: mail ?? '', recipients, data, isSecure, clientName }
        const reply = orElse(await this.script.message?.(message), '250 2.0.0 queued as 1')
        if (reply?.startsWith('2')) this.messages.push(message)
        mail = undefined
        await this.#write(socket, reply)
      } else if (verb === 'RSET') {
        mail = undefined
        await this.#write(socket, '250 reset')
      } else if (verb === 'QUIT') {
        socket.end('221 bye\r\n')
        return
      } else {
        this.faults.push(`unknown ${line}`)
        await this.#write(socket, '500 what')
      }
    }
  }
}

/** Null is an answer, too. */
const orElse = (reply: HopReply | undefined, usual: string): HopReply => (reply === undefined ? usual : reply)

function peerOf(socket: TLSSocket): string | undefined {
  const cn = socket.getPeerCertificate().subject?.CN
  return typeof cn === 'string' ? cn : undefined
}

/** Lines end with CRLF alone: what the relay passes on must not be read in another way. */
function readLines(socket: Socket) {
  let buffer = Buffer.alloc(0)
  let isEnded = false
  let wake: () => void = () => undefined
  const onData = (chunk: Buffer) => {
    buffer = Buffer.concat([buffer, chunk])
    wake()
  }
  const onEnd = () => {
    isEnded = true
    wake()
  }
  socket.on('data', onData).on('end', onEnd).on('close', onEnd)
  const more = () =>
    new Promise<void>(resolve => {
      wake = resolve
      if (isEnded) resolve()
    })
  return {
    end() {
      socket.off('data', onData)
    },
    async line(): Promise<string | undefined> {
      for (;;) {
        const at = buffer.indexOf('\r\n')
        if (at !== -1) {
          const line = buffer.toString('utf8', 0, at)
          buffer = buffer.subarray(at + 2)
          return line
        }
        if (isEnded) return undefined
        await more()
      }
    },
    async message(diesAfterBytes = Number.POSITIVE_INFINITY): Promise<Buffer | undefined> {
      for (;;) {
        if (buffer.length >= diesAfterBytes) return undefined
        const isEmpty = buffer.indexOf('.\r\n') === 0
        const end = isEmpty ? 0 : buffer.indexOf('\r\n.\r\n')
        if (end !== -1) {
          const body = buffer.subarray(0, isEmpty ? 0 : end + 2)
          buffer = buffer.subarray(isEmpty ? 3 : end + 5)
          return Buffer.from(body.toString('latin1').replace(/(^|\r\n)\.\./g, '$1.'), 'latin1')
        }
        if (isEnded) return undefined
        await more()
      }
    },
  }
}

/** Stopped after the tests of the file. */
export async function standInHop(options: StandInHopOptions = {}): Promise<StandInHop> {
  const hop = new StandInHop(options)
  await hop.listen()
  afterFile(() => hop.stop())
  return hop
}
