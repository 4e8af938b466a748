// What Outlook gets for an address: the signature for new mail, replies and internal mail in one answer. An address whose
// inputs have not changed is answered from memory, after three short reads.
import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { FetchLog, TroubleLog } from '#features/delivery/installations/index.ts'
import {
  type FormRequest,
  type LiveRenderer,
  type LiveSignature,
  openRenderer,
  type RenderDeps,
} from '#features/signatures/live-signatures/index.ts'
import { candidatesFor, choose } from '#features/signatures/recipients/index.ts'
import { ownDomainsOf } from '#features/workspace/workspaces/index.ts'
import type { Db } from '#kernel/db/db.ts'
import type { Deployment } from '../tokens/queries.ts'
import { type AddressInUse, findAddressInUse } from './queries.ts'

/** Outlook takes no longer signature: the add-in inserts the text instead, and the trouble is reported here. */
const maxCharacters = 30_000
/** Signatures and campaigns that were changed are answered after so long at the latest. */
const renderedMilliseconds = 2_000

const kinds = {
  new: { isReply: false, isInternal: false },
  reply: { isReply: true, isInternal: false },
  internal: { isReply: false, isInternal: true },
} as const
type Kind = keyof typeof kinds
const kindNames = Object.keys(kinds) as Kind[]

/** Content of a kind of mail: a form of the signature, nothing on purpose, or the same as other mails (null). */
type Wanted = FormRequest | 'hidden' | null

interface MailSignature {
  readonly html: string
  readonly text: string
  readonly sha: string
}

interface PreparedAnswer {
  readonly body: string
  readonly etag: string
  /** SHA-256 of the HTML for new mail; null when there is none, or Outlook gets only its text. */
  readonly fetched: string | null
  readonly renderKey: string | undefined
  readonly isTooLong: boolean
}

interface WorkspaceState {
  readonly renderer: LiveRenderer
  readonly domains: readonly string[]
}

interface AnswerDeps {
  readonly db: Db
  readonly rendering: RenderDeps
  readonly fetchLog: Pick<FetchLog, 'note'>
  readonly troubles: Pick<TroubleLog, 'record'>
}

const hidden: MailSignature = { html: '', text: '', sha: hash('sha256', '') }

export class SignatureAnswers {
  readonly #deps: AnswerDeps
  /** A compiled signature takes some 100 kB. */
  readonly #workspaces = new LRUCache<string, Promise<WorkspaceState>>({
    max: 100,
    ttl: renderedMilliseconds,
  })
  /** By address and render keys. */
  readonly #answers = new LRUCache<string, PreparedAnswer>({
    maxSize: 32 * 1024 * 1024,
    sizeCalculation: ({ body }) => 2 * body.length + 500,
  })

  constructor(deps: AnswerDeps) {
    this.#deps = deps
  }

  /** An address that is not in use gets no signature, and no error: Outlook leaves the mail alone. */
  async answer(
    deployment: Deployment,
    from: string,
  ): Promise<{ readonly body: string; readonly etag: string }> {
    const { workspaceId } = deployment
    const { db } = this.#deps
    const [address, state] = await Promise.all([
      findAddressInUse(db, workspaceId, from),
      this.#stateOf(workspaceId),
    ])
    if (!address) return bodyOf({}, state.domains)
    const forms = wantedOf(await candidatesFor(db, workspaceId, address.id))
    const signatureId = signatureIn(forms)
    if (signatureId === null) return bodyOf({}, state.domains)
    const prepared = await this.#prepare(workspaceId, address, forms, state)
    const { integrationId } = deployment
    const mailbox = { workspaceId, integrationId, emailId: address.id }
    if (prepared.fetched !== null)
      this.#deps.fetchLog.note({
        ...mailbox,
        channel: 'microsoft_365',
        signatureId,
        sha256: prepared.fetched,
        renderKey: prepared.renderKey,
      })
    if (prepared.isTooLong)
      await this.#deps.troubles.record(db, { ...mailbox, code: 'too_long', host: 'Signoff', platform: '' })
    return prepared
  }

  #stateOf(workspaceId: string): Promise<WorkspaceState> {
    const ready = this.#workspaces.get(workspaceId)
    if (ready) return ready
    const state = this.#openState(workspaceId)
    this.#workspaces.set(workspaceId, state)
    state.catch(() => this.#workspaces.delete(workspaceId))
    return state
  }

  async #openState(workspaceId: string): Promise<WorkspaceState> {
    const { db, rendering } = this.#deps
    const [renderer, domains] = await Promise.all([
      openRenderer(db, { ...rendering, workspaceId }),
      ownDomainsOf(db, workspaceId),
    ])
    return { renderer, domains }
  }

  async #prepare(
    workspaceId: string,
    { id: emailId }: AddressInUse,
    formOf: Readonly<Record<Kind, Wanted>>,
    { renderer, domains }: WorkspaceState,
  ): Promise<PreparedAnswer> {
    const forms = kindNames.map(kind => formOf[kind]).filter(form => form !== null && form !== 'hidden')
    const keys = await renderer.formKeysOf(emailId, forms)
    const hiddenKinds = kindNames.map(kind => (formOf[kind] === 'hidden' ? kind : ''))
    const key = JSON.stringify([workspaceId, emailId, keys, hiddenKinds, domains])
    const ready = this.#answers.get(key)
    if (ready) return ready
    const rendered = await renderer.renderForms(emailId, forms)
    const signatures = kindNames.map(kind => {
      const form = formOf[kind]
      if (form === 'hidden') return [kind, hidden] as const
      return [kind, form && signatureOf(rendered[forms.indexOf(form)])] as const
    })
    // New mail always has a form, which is the first one.
    const prepared = { ...preparedOf(Object.fromEntries(signatures), domains), renderKey: keys[0] }
    // A form without a key was published or deleted a moment ago.
    if (!keys.includes(undefined)) this.#answers.set(key, prepared)
    return prepared
  }
}

function wantedOf(candidates: Parameters<typeof choose>[0]): Record<Kind, Wanted> {
  const wantedFor = (kind: Kind): Wanted => {
    const { signature, variant, isHidden } = choose(candidates, kinds[kind])
    if (!signature) return null
    // Internal mail without a variant of its own carries what new mail or a reply carries.
    if (kind === 'internal' && variant !== 'internal') return null
    return isHidden ? 'hidden' : { signatureId: signature.signature_id, variant }
  }
  return { new: wantedFor('new'), reply: wantedFor('reply'), internal: wantedFor('internal') }
}

/** New mail always carries the signature itself. */
const signatureIn = ({ new: main }: Readonly<Record<Kind, Wanted>>): string | null =>
  main === null || main === 'hidden' ? null : main.signatureId

const signatureOf = (live: LiveSignature | undefined): MailSignature | null =>
  live ? { html: live.html, text: live.text, sha: hash('sha256', live.html) } : null

const isTooLong = (signature: MailSignature | null | undefined): boolean =>
  signature != null && signature.html.length > maxCharacters

function preparedOf(
  signatures: Readonly<Partial<Record<Kind, MailSignature | null>>>,
  domains: readonly string[],
): Omit<PreparedAnswer, 'renderKey'> {
  const { new: main } = signatures
  return {
    ...bodyOf(signatures, domains),
    fetched: main && !isTooLong(main) ? main.sha : null,
    isTooLong: kindNames.some(kind => isTooLong(signatures[kind])),
  }
}

function bodyOf(
  signatures: Readonly<Partial<Record<Kind, MailSignature | null>>>,
  domains: readonly string[],
): { readonly body: string; readonly etag: string } {
  const { new: main = null, reply = null, internal = null } = signatures
  const body = JSON.stringify({ data: { new: main, reply, internal, domains } })
  return { body, etag: `"${hash('sha1', body, 'base64url')}"` }
}
