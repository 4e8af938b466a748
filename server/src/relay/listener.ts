// The SMTP server of the relay. The library speaks the protocol; the answers come from the sessions.
import type { X509Certificate } from 'node:crypto'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import {
  SMTPServer,
  type SMTPServerAddress,
  type SMTPServerDataStream,
  type SMTPServerOptions,
  type SMTPServerSession,
} from 'smtp-server'
import { SMTPConnection } from 'smtp-server/lib/smtp-connection.js'
import { minute } from '#kernel/base/durations.ts'
import type { HopFeatures } from './next-hop/parameters.ts'
import { IncomingStream } from './receiving/incoming-stream.ts'

type Answer = (error?: Error | null, message?: string) => void

/** Handlers of the relay for the commands of senders. */
export interface RelayHandlers {
  onConnect(session: SMTPServerSession, answer: Answer): void
  onSecure(session: SMTPServerSession, certificate: X509Certificate | null, answer: Answer): void
  onMail(session: SMTPServerSession, sender: SMTPServerAddress, answer: Answer): void
  onRecipient(session: SMTPServerSession, recipient: SMTPServerAddress, answer: Answer): void
  onData(session: SMTPServerSession, stream: SMTPServerDataStream, answer: Answer): void
  onClose(session: SMTPServerSession): void
  onError(error: Error): void
}

export interface RelayListenerOptions {
  readonly name: string
  readonly maxBytes: number
  readonly maxClients: number
  readonly isSecure: boolean
  readonly tls: { readonly cert: Buffer; readonly key: Buffer; readonly ca: readonly Buffer[] | null } | null
  readonly idleMilliseconds: number
}

/** A certificate counts only if an authority that the relay trusts has issued it. */
const certificateOf = (socket: Socket | TLSSocket): X509Certificate | null =>
  'getPeerX509Certificate' in socket && socket.authorized ? (socket.getPeerX509Certificate() ?? null) : null

const libraryOptions = (options: RelayListenerOptions, handlers: RelayHandlers): SMTPServerOptions => ({
  name: options.name,
  banner: 'Signoff relay',
  size: options.maxBytes,
  maxClients: options.maxClients,
  socketTimeout: options.idleMilliseconds,
  // The process ends connections itself, and earlier.
  closeTimeout: minute,
  secure: options.isSecure,
  disabledCommands: [
    'AUTH',
    'WIZ',
    'SHELL',
    'KILL',
    'XCLIENT',
    'XFORWARD',
    ...(options.tls ? [] : ['STARTTLS']),
  ],
  disableReverseLookup: true,
  // The next hop judges addresses, by its own rules.
  lenientAddressParsing: true,
  maxRecipients: 2_000,
  maxCommandLength: 4_096,
  logger: false,
  ...(options.tls && {
    key: options.tls.key,
    cert: options.tls.cert,
    ...(options.tls.ca && { ca: [...options.tls.ca] }),
    requestCert: true,
    // A client without a certificate can still be known by its address.
    rejectUnauthorized: false,
    minVersion: 'TLSv1.2',
  }),
  onConnect: (session, answer) => handlers.onConnect(session, answer),
  onSecure: (socket, session, answer) => handlers.onSecure(session, certificateOf(socket), answer),
  onMailFrom: (sender, session, answer) => handlers.onMail(session, sender, answer),
  onRcptTo: (recipient, session, answer) => handlers.onRecipient(session, recipient, answer),
  onData: (stream, session, answer) => handlers.onData(session, stream, answer),
  onClose: session => handlers.onClose(session),
})

/** RFC 5321 allows 64 bytes. A bracket would end the address for other readers. */
const quotedRecipient = /^(RCPT TO: {0,9}<)("(?:[ !#-;=?-[\]-~]|\\[ -;=?-~]){0,62}")@/i

class RelayConnection extends SMTPConnection {
  override _createParser(): IncomingStream {
    const stream = new IncomingStream({ maxCommandLength: this._server.options.maxCommandLength })
    stream.oncommand = (command, done) => this._onCommand(command, done)
    stream.on('error', ({ message }) => this.send(421, `Error: ${message}`))
    return stream
  }

  /** Recipients can have quoted names with spaces and `@`, which the library refuses. They go on as they came. */
  override _parseAddressCommand(name: string, command: Buffer | string) {
    const text = command.toString()
    const [all = '', start, quoted] = quotedRecipient.exec(text) ?? []
    if (quoted === undefined) return super._parseAddressCommand(name, command)
    const parsed = super._parseAddressCommand(name, `${start}quoted@${text.slice(all.length)}`)
    return parsed && { ...parsed, address: parsed.address.replace('quoted', () => quoted) }
  }
}

export class RelayListener extends SMTPServer {
  readonly #optionsOf = new WeakMap<SMTPServerSession, SMTPServerOptions>()
  readonly #connectionOf = new WeakMap<SMTPServerSession, SMTPConnection>()

  constructor(options: RelayListenerOptions, handlers: RelayHandlers) {
    super(libraryOptions(options, handlers))
    // Scanners that fail at TLS would otherwise end the process.
    this.on('error', error => handlers.onError(error))
  }

  /** Each connection has options of its own: what is announced to a sender depends on its next hop. */
  override connect(socket: Socket | TLSSocket, socketOptions?: object | null): void {
    const view: SMTPServer = Object.create(this)
    view.options = Object.create(this.options)
    Object.assign(view.options, { hide8BITMIME: true, hideSMTPUTF8: true, hideDSN: true })
    const connection = new RelayConnection(view, socket, socketOptions ?? {})
    this.connections.add(connection)
    this.#optionsOf.set(connection.session, view.options)
    this.#connectionOf.set(connection.session, connection)
    connection.on('error', error => this.emit('error', error))
    connection.init()
  }

  /**
   * Announces only what the next hop has too. SIZE stays that of the relay: a client of several workspaces would give up
   * a message for the hop of one because of the limit of another. The hop judges the size in MAIL.
   */
  announce(session: SMTPServerSession, features: HopFeatures): void {
    const options = this.#optionsOf.get(session)
    if (!options) return
    options.hide8BITMIME = !features.has('8BITMIME')
    options.hideSMTPUTF8 = !features.has('SMTPUTF8')
    options.hideDSN = !features.has('DSN')
  }

  /** Says why, and closes the connection. */
  dismiss(session: SMTPServerSession, reason: string): void {
    this.#connectionOf.get(session)?.send(421, reason)
  }

  /** Ends a connection that does not even take an answer. */
  cut(session: SMTPServerSession): void {
    const connection = this.#connectionOf.get(session)
    connection?.close()
    connection?._socket.destroy()
  }
}
