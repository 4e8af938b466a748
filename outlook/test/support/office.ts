// A strict stand-in for Office.js. Everything that Outlook forbids to event handlers is recorded as a breach, and
// everything is asynchronous. No imports of Node: it also runs in a page.
import type { StandInMail } from './mail.ts'

export interface OfficeSetup {
  readonly host?: string
  readonly platform?: string
  readonly displayLanguage?: string
  /** Outlook before 1.11, and phones, lack session data; phones also `isClientSignatureEnabledAsync`. */
  readonly lacks?: readonly ('sessionData' | 'from' | 'getComposeTypeAsync' | 'disableClientSignatureAsync')[]
  /** Functions that fail, as `body.getTypeAsync`. */
  readonly fails?: readonly string[]
  /** Outlook refuses signatures with this text. */
  readonly refuses?: string
  /** Functions that do not answer until `release`. */
  readonly hangs?: readonly string[]
  /** Classic Outlook does not run it. */
  readonly hasOnReady?: boolean
}

type Callback = (result: { status: string; value?: unknown; error?: { name: string } }) => void
type Handler = (event: { completed(): void }) => void

const longestSignature = 30_000

export class StandInOffice {
  /** Calls that an event handler must never make. A test fails when there is one. */
  readonly breaches: string[] = []
  readonly calls: string[] = []
  mail: StandInMail
  readonly #setup: OfficeSetup
  readonly #later: (run: () => void) => void
  readonly #handlers = new Map<string, Handler>()
  readonly #held: (() => void)[] = []
  #open = 0

  constructor(mail: StandInMail, setup: OfficeSetup, later: (run: () => void) => void) {
    this.mail = mail
    this.#setup = setup
    this.#later = later
  }

  /** Raises an event. Resolves when the handler calls `completed`. */
  raise(name: string): Promise<void> {
    const handler = this.#handlers.get(name)
    if (!handler) throw new Error(`no handler is associated with ${name}`)
    this.#open += 1
    let times = 0
    return new Promise(resolve => {
      const completed = () => {
        times += 1
        if (times > 1) this.breaches.push(`${name} was completed ${times} times`)
        else this.#open -= 1
        resolve()
      }
      handler({ completed })
    })
  }

  /** Calls are allowed while an event is open. A task pane is open always. */
  keepOpen(): void {
    this.#open = Number.POSITIVE_INFINITY
  }

  #answer(name: string, done: unknown, run: () => unknown): undefined {
    this.calls.push(name)
    if (this.#open === 0) this.breaches.push(`${name} was called after completed`)
    if (typeof done !== 'function') throw new TypeError(`${name} needs a callback`)
    const answer = () => {
      const callback = done as Callback
      if (this.#setup.fails?.includes(name))
        return callback({ status: 'failed', error: { name: 'InternalError' } })
      try {
        callback({ status: 'succeeded', value: run() })
      } catch (error) {
        callback({ status: 'failed', error: { name: (error as Error).message } })
      }
    }
    if (this.#setup.hangs?.includes(name)) this.#held.push(answer)
    else this.#later(answer)
  }

  /** Answers the calls that hung until now. */
  release(): void {
    for (const answer of this.#held.splice(0)) answer()
  }

  #setSignature(data: unknown, options: { coercionType?: string }): void {
    const { mail } = this
    const coercion = options.coercionType ?? 'text'
    if (typeof data !== 'string') throw new Error('InvalidArgument')
    if (data.length > longestSignature) throw new Error('DataExceedsMaximumSize')
    if (this.#setup.refuses && data.includes(this.#setup.refuses)) throw new Error('InternalError')
    if (coercion === 'html' && mail.type === 'text') throw new Error('InvalidFormatError')
    mail.setSignature(data, coercion)
  }

  #body(): object {
    return {
      getTypeAsync: (done: unknown) => this.#answer('body.getTypeAsync', done, () => this.mail.type),
      getAsync: (coercion: string, done: unknown) =>
        this.#answer('body.getAsync', done, () => {
          if (coercion !== this.mail.type) throw new Error('InvalidFormatError')
          return this.mail.body
        }),
      setSignatureAsync: (data: unknown, options: { coercionType?: string }, done: unknown) =>
        this.#answer('body.setSignatureAsync', done, () => this.#setSignature(data, options)),
      setAsync: () => this.breaches.push('the whole body was replaced'),
      prependAsync: () => this.breaches.push('something was put above what the user wrote'),
    }
  }

  #sessionData(): object {
    return {
      getAsync: (key: string, done: unknown) =>
        this.#answer('sessionData.getAsync', done, () => {
          const value = this.mail.session.get(key)
          if (value === undefined) throw new Error('KeyNotFound')
          return value
        }),
      setAsync: (key: string, value: string, done: unknown) =>
        this.#answer('sessionData.setAsync', done, () => void this.mail.session.set(key, value)),
    }
  }

  #recipients(field: 'to' | 'cc' | 'bcc'): object {
    const people = () => this.mail[field].map(emailAddress => ({ emailAddress, displayName: '' }))
    return { getAsync: (done: unknown) => this.#answer(`${field}.getAsync`, done, people) }
  }

  #item(): Record<string, unknown> {
    return {
      body: this.#body(),
      sessionData: this.#sessionData(),
      from: {
        getAsync: (done: unknown) =>
          this.#answer('from.getAsync', done, () => ({ emailAddress: this.mail.from })),
      },
      to: this.#recipients('to'),
      cc: this.#recipients('cc'),
      bcc: this.#recipients('bcc'),
      getComposeTypeAsync: (done: unknown) =>
        this.#answer('getComposeTypeAsync', done, () => ({
          composeType: this.mail.composeType,
          coercionType: this.mail.type,
        })),
      disableClientSignatureAsync: (done: unknown) =>
        this.#answer('disableClientSignatureAsync', done, () => this.mail.disableOwn()),
      close: () => this.breaches.push('the mail was closed'),
    }
  }

  #forbidden(name: string): () => never {
    return () => {
      this.breaches.push(name)
      throw new Error(`${name} is not allowed in event handlers`)
    }
  }

  /** The value of the global `Office`. */
  globals(): object {
    const {
      host = 'Outlook',
      platform = 'PC',
      displayLanguage = 'en-US',
      lacks = [],
      hasOnReady,
    } = this.#setup
    const item = this.#item()
    for (const name of lacks) delete item[name]
    return {
      actions: { associate: (name: string, handler: Handler) => void this.#handlers.set(name, handler) },
      // An Outlook without a browser has the function, and never runs what it is given.
      onReady: hasOnReady
        ? (run?: () => void) => Promise.resolve().then(() => run?.())
        : this.#forbidden('Office.onReady'),
      context: {
        platform,
        displayLanguage,
        ui: { displayDialogAsync: this.#forbidden('displayDialogAsync') },
        mailbox: {
          item,
          userProfile: { emailAddress: 'Anna@acme.example' },
          diagnostics: { hostName: host, hostVersion: '16.0.18324.20032' },
        },
      },
    }
  }
}
