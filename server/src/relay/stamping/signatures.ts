// Which signature a message gets: that of the address in From, for this kind of mail. Found signatures are kept for some
// seconds, and used for longer while PostgreSQL does not answer.
import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { senderAt } from '#features/delivery/relay/index.ts'
import {
  type LiveRenderer,
  openRenderer,
  type RenderDeps,
} from '#features/signatures/live-signatures/index.ts'
import { candidatesFor, choose, type MailKind } from '#features/signatures/recipients/index.ts'
import { minute } from '#kernel/base/durations.ts'
import { createBoundedQueue } from '#kernel/base/queues.ts'
import type { Db } from '#kernel/db/db.ts'

interface SignatureText {
  readonly html: string
  readonly text: string
}

export interface FoundSignature extends SignatureText {
  readonly emailId: string
  readonly signatureId: string
  /**
   * Those for the other kinds of mail: Gmail puts the one for new mail into replies too, and the add-in can judge the
   * recipients in another way.
   */
  readonly others: readonly SignatureText[]
  /** SHA-256 of the HTML for new mail: the version that installations compare. Null when there is none. */
  readonly newMailSha256: string | null
}

/** Null: the address gets no signature for this kind of mail. */
type Found = FoundSignature | null

interface Kept {
  readonly signature: Found
  readonly at: number
}

/** A change is in mail within 5 s. */
const freshMilliseconds = 3_000
/** While PostgreSQL is away, an old signature is better than none; a person who left must not keep one for long. */
const staleMilliseconds = 10 * minute
/** Size of the text of all kept signatures together. */
const keptBytes = 16 * 1024 * 1024

const sizeOf = ({ html, text }: SignatureText): number => 2 * (html.length + text.length)

const mailKinds: readonly MailKind[] = [
  { isReply: false, isInternal: false },
  { isReply: true, isInternal: false },
  { isReply: false, isInternal: true },
]

export interface SignatureLookupDeps {
  readonly db: Db
  readonly rendering: RenderDeps
}

export class SignatureLookup {
  readonly #deps: SignatureLookupDeps
  readonly #kept = new LRUCache<string, Kept>({
    max: 20_000,
    maxSize: keptBytes,
    sizeCalculation: ({ signature }) =>
      (signature ? [signature, ...signature.others] : []).reduce((sum, text) => sum + sizeOf(text), 200),
    ttl: staleMilliseconds,
    ttlResolution: 1_000, // by default the cache sets a timer in every millisecond in which it is read
  })
  readonly #pending = new Map<string, Promise<Found>>()
  readonly #renderers = new LRUCache<string, Promise<LiveRenderer>>({ max: 100, ttl: freshMilliseconds })
  /** Mail must not take all connections of the service, and must not queue behind a database that hangs. */
  readonly #queue = createBoundedQueue({
    atOnce: 4,
    waiting: 200,
    message: 'too many signatures are looked up',
  })

  constructor(deps: SignatureLookupDeps) {
    this.#deps = deps
  }

  /** Rejects when it is not found within `milliseconds`, unless an older answer is known. */
  async find(workspaceId: string, address: string, kind: MailKind, milliseconds: number): Promise<Found> {
    const key = `${workspaceId} ${kind.isReply} ${kind.isInternal} ${address.toLowerCase()}`
    const cached = this.#kept.get(key)
    if (cached && performance.now() - cached.at < freshMilliseconds) return cached.signature
    // With an older answer at hand, half of the time is left for the message.
    const limit = cached ? milliseconds / 2 : milliseconds
    try {
      return await within(
        limit,
        this.#shared(key, () => this.#look(workspaceId, address, kind)),
      )
    } catch (error) {
      if (cached) return cached.signature
      throw error
    }
  }

  /** Messages of one sender at once wait for one lookup. */
  #shared(key: string, look: () => Promise<Found>): Promise<Found> {
    const pending = this.#pending.get(key)
    if (pending) return pending
    const lookup = this.#queue(look)
      .then(signature => {
        this.#kept.set(key, { signature, at: performance.now() })
        return signature
      })
      .finally(() => this.#pending.delete(key))
    this.#pending.set(key, lookup)
    return lookup
  }

  async #look(workspaceId: string, address: string, kind: MailKind): Promise<Found> {
    const { db } = this.#deps
    const emailId = await senderAt(db, workspaceId, address)
    if (emailId === undefined) return null
    const candidates = await candidatesFor(db, workspaceId, emailId)
    const { signature, variant, isHidden } = choose(candidates, kind)
    if (!signature || isHidden) return null
    const renderer = await this.#rendererOf(workspaceId)
    const signatureId = signature.signature_id
    const render = async (which: typeof variant) =>
      (await renderer.render([{ emailId, signatureId, variant: which }])).get(emailId)
    const live = await render(variant)
    if (!live) return null
    const main = variant === null ? live : await render(null)
    const otherVariants = new Set(
      mailKinds
        .map(other => choose(candidates, other))
        .flatMap(other => (other.isHidden ? [] : [other.variant])),
    )
    const others: SignatureText[] = []
    for (const which of otherVariants) {
      const other = which === variant ? undefined : which === null ? main : await render(which)
      if (other) others.push({ html: other.html, text: other.text })
    }
    const newMailSha256 = main ? hash('sha256', main.html) : null
    return { emailId, signatureId, html: live.html, text: live.text, others, newMailSha256 }
  }

  /** Compiled signatures and running campaigns are those of the last seconds. */
  #rendererOf(workspaceId: string): Promise<LiveRenderer> {
    const ready = this.#renderers.get(workspaceId)
    if (ready) return ready
    const { db, rendering } = this.#deps
    const opened = openRenderer(db, { ...rendering, workspaceId })
    this.#renderers.set(workspaceId, opened)
    opened.catch(() => this.#renderers.delete(workspaceId))
    return opened
  }
}

function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const timer = setTimeout(() => reject(new Error('the signature was not found in time')), milliseconds)
  work.then(resolve, reject).finally(() => clearTimeout(timer))
  return promise
}
