// A mail that is being written, as Outlook keeps it: what the user wrote, signatures, and the quoted mail.
// No imports of Node: it also runs in a page.

export interface MailSetup {
  readonly composeType?: 'newMail' | 'reply' | 'forward'
  readonly type?: 'html' | 'text'
  readonly from?: string
  readonly to?: readonly string[]
  readonly cc?: readonly string[]
  readonly bcc?: readonly string[]
  readonly written?: string
  readonly quote?: string
  /** In the body before the add-in runs, and not known to Outlook as a signature: a mail that is sent again. */
  readonly pasted?: string
  /** The user's own signature, which Outlook inserts by itself. */
  readonly ownSignature?: string
  /** This Outlook adds a signature instead of replacing the one that is there. */
  readonly stacks?: boolean
}

/** Changes that mail editors make to inserted HTML: ids, classes and comments go, entities become letters. */
const rewritten = (html: string): string =>
  html
    .replace(/<!--.*?-->/g, '')
    .replace(/ (?:id|class)="[^"]*"/g, '')
    .replaceAll('&uuml;', 'ü')
    .replaceAll('&nbsp;', ' ')

const bare = (html: string): string => html.replace(/<[^<>]*>/g, '')

export class StandInMail {
  readonly composeType: string
  readonly type: 'html' | 'text'
  from: string
  to: readonly string[]
  cc: readonly string[]
  bcc: readonly string[]
  written: string
  quote: string
  readonly session = new Map<string, string>()
  readonly #pasted: string
  readonly #stacks: boolean
  #signatures: readonly string[]
  isOwnEnabled: boolean

  constructor(setup: MailSetup = {}) {
    this.composeType = setup.composeType ?? 'newMail'
    this.type = setup.type ?? 'html'
    this.from = setup.from ?? 'anna@acme.example'
    this.to = setup.to ?? []
    this.cc = setup.cc ?? []
    this.bcc = setup.bcc ?? []
    this.written = setup.written ?? ''
    this.quote = setup.quote ?? ''
    this.#pasted = setup.pasted ?? ''
    this.#stacks = setup.stacks ?? false
    this.#signatures = setup.ownSignature ? [setup.ownSignature] : []
    this.isOwnEnabled = setup.ownSignature !== undefined
  }

  get body(): string {
    return [this.written, this.#pasted, ...this.#signatures, this.quote].join('\n')
  }

  setSignature(data: string, coercion: string): void {
    const stored = this.type === 'text' || coercion === 'text' ? bare(data) : rewritten(data)
    this.#signatures = [...(this.#stacks ? this.#signatures : []), stored].filter(text => text !== '')
  }

  disableOwn(): void {
    if (this.isOwnEnabled) this.#signatures = []
    this.isOwnEnabled = false
  }

  /** The user selects the signature and deletes it. */
  removeSignature(): void {
    this.#signatures = []
  }

  /** Signatures in the mail, the quoted mail apart. */
  get signatures(): readonly string[] {
    return this.#signatures
  }
}
