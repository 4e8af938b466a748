// One connection to an LDAP server, with one request at a time. The messages are those of ldapts; its client is not used,
// because it connects again without a bind when a connection is lost, ends a search at an empty page although the server
// has more, and reads answers of any size.
import type { Socket } from 'node:net'
import {
  BindRequest,
  type Control,
  ExtendedRequest,
  type Filter,
  MessageParser,
  PagedResultsControl,
  PresenceFilter,
  SearchEntry,
  SearchReference,
  SearchRequest,
  UnbindRequest,
} from 'ldapts'
import { encrypt, endpointOf, type LdapTarget, openSocket } from './connecting.ts'
import { entryOf, type LdapEntry } from './entry.ts'
import { bindError, LdapError, refusalError, unreachableError } from './errors.ts'
import { MessageFramer } from './framing.ts'

export interface LdapSearch {
  readonly base: string
  readonly scope?: 'base' | 'sub'
  readonly filter?: Filter
  readonly attributes: readonly string[]
  readonly pageSize?: number
  /** False for a search of known size. A connection of OpenLDAP can have only one search in pages. */
  readonly isPaged?: boolean
  readonly controls?: readonly Control[]
}

const requestSeconds = 60
/** Limit of one answer: a page with photos has some megabytes. */
const maxAnswerBytes = 64 * 1024 * 1024
/** A server that ignores the size of pages. */
const maxAnswerEntries = 100_000
/** Endless pages of a server that is broken. */
const maxPages = 1_000_000
const tooLarge = new Error(`it has more than ${maxAnswerBytes / 1024 / 1024} MB`)
const startTlsOid = '1.3.6.1.4.1.1466.20037'

type LdapRequest = BindRequest | ExtendedRequest | SearchRequest

interface LdapResponse {
  readonly messageId: number
  readonly status: number
  readonly errorMessage: string
  readonly controls?: readonly Control[]
}

interface Answer {
  readonly response: LdapResponse
  readonly entries: readonly LdapEntry[]
}

interface Waiting {
  readonly request: LdapRequest
  readonly entries: LdapEntry[]
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: Error) => void
}

export class LdapSession {
  readonly #target: LdapTarget
  readonly #signal: AbortSignal
  readonly #address: string
  #socket: Socket
  #parser = new MessageParser()
  #framer = new MessageFramer(maxAnswerBytes)
  #waiting: Waiting | undefined
  #failure: Error | undefined
  #receivedBytes = 0
  #lastId = 0

  private constructor(target: LdapTarget, socket: Socket, signal: AbortSignal) {
    this.#target = target
    this.#socket = socket
    this.#signal = signal
    this.#address = endpointOf(target).address
    this.#listen()
  }

  /** Reaches the server; nothing is encrypted yet. */
  static async connect(target: LdapTarget, signal: AbortSignal): Promise<LdapSession> {
    return new LdapSession(target, await openSocket(target, signal), signal)
  }

  #listen(): void {
    const socket = this.#socket
    const onAbort = () => socket.destroy()
    this.#parser = new MessageParser()
    this.#framer = new MessageFramer(maxAnswerBytes)
    this.#parser.on('message', message => this.#take(message))
    this.#parser.on('error', error => this.#fail(brokenAnswer(this.#address, error)))
    socket.on('data', data => this.#read(data))
    socket.on('error', error => this.#fail(unreachableError(this.#address, error)))
    socket.on('close', () => {
      this.#signal.removeEventListener('abort', onAbort)
      this.#fail(unreachableError(this.#address, new Error('the connection was closed')))
    })
    this.#signal.addEventListener('abort', onAbort, { once: true })
    if (this.#signal.aborted) onAbort()
  }

  #read(data: Buffer): void {
    this.#receivedBytes += data.length
    try {
      if (this.#receivedBytes > maxAnswerBytes) throw tooLarge
      for (const message of this.#framer.messagesIn(data))
        this.#parser.read(
          message,
          new Map(this.#waiting && [[String(this.#lastId), { message: this.#waiting.request }]]),
        )
    } catch (error) {
      this.#fail(brokenAnswer(this.#address, error as Error))
    }
  }

  #take(message: LdapResponse): void {
    const waiting = this.#waiting
    // Messages with the number 0 say that the server ends the connection.
    if (!waiting || message.messageId !== this.#lastId) {
      this.#fail(unreachableError(this.#address, new Error(message.errorMessage || 'the server ends it')))
    } else if (message instanceof SearchEntry) {
      waiting.entries.push(entryOf(message))
      if (waiting.entries.length > maxAnswerEntries)
        this.#fail(brokenAnswer(this.#address, new Error('it has too many entries')))
    } else if (!(message instanceof SearchReference)) {
      this.#waiting = undefined
      waiting.resolve({ response: message, entries: waiting.entries })
    }
  }

  /** The first failure counts: the connection cannot be used any more. */
  #fail(error: Error): void {
    this.#failure ??= error
    this.#socket.destroy()
    this.#waiting?.reject(this.#failure)
    this.#waiting = undefined
  }

  async #ask(make: (messageId: number) => LdapRequest): Promise<Answer> {
    this.#signal.throwIfAborted()
    if (this.#failure) throw this.#failure
    const request = make(++this.#lastId)
    this.#receivedBytes = 0
    const timer = setTimeout(() => {
      const late = Object.assign(new Error('timeout'), { name: 'TimeoutError' })
      this.#fail(unreachableError(this.#address, late))
    }, requestSeconds * 1_000)
    try {
      return await new Promise<Answer>((resolve, reject) => {
        this.#waiting = { request, entries: [], resolve, reject }
        this.#socket.write(request.write())
      })
    } catch (error) {
      this.#signal.throwIfAborted()
      throw error
    } finally {
      clearTimeout(timer)
    }
  }

  /** Encrypts the connection, as the url and StartTLS say. Returns false for a connection that stays plain. */
  async secure(): Promise<boolean> {
    const { isSecure } = endpointOf(this.#target)
    if (!isSecure && !this.#target.startTls) return false
    if (!isSecure) {
      const { response } = await this.#ask(messageId => new ExtendedRequest({ messageId, oid: startTlsOid }))
      if (response.status !== 0)
        throw new LdapError(
          'access_lost',
          `${this.#address} refuses StartTLS (${response.status}).`,
          'Set up TLS on the server, or use ldaps://.',
          response.status,
        )
    }
    const plain = this.#socket
    for (const event of ['data', 'error', 'close']) plain.removeAllListeners(event)
    plain.on('error', () => undefined)
    this.#socket = await encrypt(this.#target, plain, this.#signal)
    this.#listen()
    return true
  }

  /** Signs in. Null is anonymous; an empty password with a name would be so too, and is refused. */
  async bind(bindDn: string | null, password: string | null): Promise<void> {
    if (bindDn !== null && !password)
      throw new LdapError('access_lost', 'The password is missing.', 'Send the password again.')
    const { response } = await this.#ask(
      messageId => new BindRequest({ messageId, dn: bindDn ?? '', password: (bindDn && password) || '' }),
    )
    if (response.status !== 0) throw bindError(bindDn ?? '', response)
  }

  /** All entries, in pages. Without paging the server can refuse more than some entries: that is an error, never an end. */
  async *pages(search: LdapSearch): AsyncGenerator<readonly LdapEntry[]> {
    const { base, scope = 'sub', filter, attributes, pageSize = 500, controls = [] } = search
    const { isPaged = scope !== 'base' } = search
    let cookie: Buffer | undefined
    for (let page = 0; page < maxPages; page++) {
      const paging = new PagedResultsControl({ value: { size: pageSize, ...(cookie && { cookie }) } })
      const { response, entries } = await this.#ask(
        messageId =>
          new SearchRequest({
            messageId,
            baseDN: base,
            scope,
            filter: filter ?? new PresenceFilter({ attribute: 'objectClass' }),
            attributes: [...attributes],
            timeLimit: requestSeconds,
            controls: [...(isPaged ? [paging] : []), ...controls],
          }),
      )
      if (response.status !== 0) throw refusalError(response, `“${base}”`)
      yield entries
      if (!isPaged) return
      const answered = response.controls?.find(control => control instanceof PagedResultsControl)
      cookie = answered?.value?.cookie
      if (!cookie?.length) return
    }
    throw brokenAnswer(this.#address, new Error('its pages have no end'))
  }

  /** One entry, or undefined when it does not exist. */
  async entry(search: Omit<LdapSearch, 'scope' | 'pageSize'>): Promise<LdapEntry | undefined> {
    try {
      for await (const [entry] of this.pages({ ...search, scope: 'base' })) return entry
    } catch (error) {
      if (!(error instanceof LdapError) || error.status !== 32) throw error
    }
    return undefined
  }

  /** The same for entries that some servers hide, and that a run can do without. */
  async entryIfAllowed(base: string, attributes: readonly string[]): Promise<LdapEntry | undefined> {
    try {
      return await this.entry({ base, attributes })
    } catch (error) {
      if (error instanceof LdapError && error.status !== null && error.code !== 'unavailable')
        return undefined
      throw error
    }
  }

  /** Unbinds and closes the connection, which would keep the process alive. */
  close(): void {
    if (!this.#failure && !this.#socket.destroyed)
      this.#socket.end(new UnbindRequest({ messageId: ++this.#lastId }).write())
    this.#failure ??= new Error('the session is closed')
    this.#socket.destroySoon()
    this.#socket.unref()
  }
}

const brokenAnswer = (address: string, error: Error): LdapError =>
  new LdapError(
    'invalid_answer',
    `${address} gave an answer that makes no sense (${error.message.slice(0, 200)}).`,
    'Check whether it is an LDAP server.',
  )
