// A mail server in front of the relay, which says one command at a time.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { type ConnectionOptions, connect as connectTls } from 'node:tls'

export class SmtpSender {
  #socket: Socket
  #text = ''
  #isClosed = false
  #wake: () => void = () => undefined

  private constructor(socket: Socket) {
    this.#socket = socket
    this.#listen()
  }

  /** Says EHLO too, unless the relay refuses the connection; `greeting` is what it said first. */
  static async connect(port: number, localAddress?: string): Promise<SmtpSender & { greeting: string }> {
    const socket = connect({ host: '127.0.0.1', port, ...(localAddress !== undefined && { localAddress }) })
    const sender = new SmtpSender(socket)
    const greeting = await sender.reply()
    return Object.assign(sender, { greeting })
  }

  /** TLS from the first byte. */
  static async connectSecure(
    port: number,
    tls: ConnectionOptions,
  ): Promise<SmtpSender & { greeting: string }> {
    const socket = connectTls({ host: '127.0.0.1', port, rejectUnauthorized: false, ...tls })
    socket.on('error', () => undefined)
    await once(socket, 'secureConnect')
    const sender = new SmtpSender(socket)
    return Object.assign(sender, { greeting: await sender.reply() })
  }

  #listen(): void {
    this.#socket.on('data', chunk => {
      this.#text += chunk.toString('utf8')
      this.#wake()
    })
    this.#socket.on('error', () => undefined)
    this.#socket.on('close', () => {
      this.#isClosed = true
      this.#wake()
    })
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** One reply, its lines joined by LF. Empty when the connection was closed without one. */
  async reply(): Promise<string> {
    for (;;) {
      const [match] = /^(?:\d{3}-.*\r\n)*\d{3}(?: .*)?\r\n/.exec(this.#text) ?? []
      if (match !== undefined) {
        this.#text = this.#text.slice(match.length)
        return match.trimEnd().replaceAll('\r\n', '\n')
      }
      if (this.#isClosed) return ''
      await new Promise<void>(resolve => {
        this.#wake = resolve
      })
    }
  }

  say(line: string): Promise<string> {
    this.write(`${line}\r\n`)
    return this.reply()
  }

  write(bytes: string | Buffer): boolean {
    return this.#socket.write(bytes)
  }

  async startTls(tls: ConnectionOptions = {}): Promise<string> {
    const ready = await this.say('STARTTLS')
    if (!ready.startsWith('220')) return ready
    this.#socket.removeAllListeners()
    this.#socket = connectTls({ socket: this.#socket, rejectUnauthorized: false, ...tls })
    this.#socket.on('error', () => undefined)
    await once(this.#socket, 'secureConnect')
    this.#listen()
    return ready
  }

  /** The message with its final dot. Returns the answer to it. */
  async data(message: string | Buffer): Promise<string> {
    const go = await this.say('DATA')
    if (!go.startsWith('354')) return go
    const text = message.toString('latin1').replace(/(^|\r\n)\./g, '$1..')
    this.write(Buffer.from(`${text}${text.endsWith('\r\n') ? '' : '\r\n'}.\r\n`, 'latin1'))
    return this.reply()
  }

  /** MAIL, RCPT of each and DATA. Returns all replies. */
  async send(from: string, to: readonly string[], message: string | Buffer): Promise<string[]> {
    const replies = [await this.say(`MAIL FROM:<${from}>`)]
    for (const address of to) replies.push(await this.say(`RCPT TO:<${address}>`))
    replies.push(await this.data(message))
    return replies
  }

  cut(): void {
    this.#socket.destroy()
  }

  quit(): void {
    this.#socket.end('QUIT\r\n')
  }
}
