// One request for a personal page: who visits it, in which language, and the pages that can answer it.
import type { IncomingHttpHeaders } from 'node:http'
import type { TeammateDeps } from '#features/people/teammates/index.ts'
import type { RenderDeps } from '#features/signatures/live-signatures/index.ts'
import { apiError } from '#kernel/base/errors.ts'
import { RateLimiterMemory, type RateLimiterRes } from '#kernel/base/rate-limits.ts'
import type { Db } from '#kernel/db/db.ts'
import { createSameOriginCheck } from '#kernel/http/same-origin.ts'
import { headersOfPersonalPages, type PageFrame } from './document.ts'
import { maskedAddress } from './links/rules.ts'
import { lookOf } from './look.ts'
import { failedPage, missingPage, oldLinkPage, type PageProblem } from './notices.ts'
import { ownFieldsOf, type SentForm } from './own-values.ts'
import { pageFor } from './page.ts'
import { likelyProgram } from './programs.ts'
import { openPage, type PageVisit, pageContentFor } from './rules.ts'
import { wordsFor } from './texts/index.ts'
import type { PageDone } from './texts/page-texts.ts'

export interface PersonalPageDeps {
  readonly rendering: RenderDeps
  readonly teammates: TeammateDeps
  /** True if a mail server is configured. */
  readonly sendsMail: boolean
}

/** The browser that has sent a request. */
interface PageClient {
  readonly address: string
  readonly userAgent: string
  readonly requestId?: string
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
}

/** The answer of a route. */
interface PageAnswer {
  readonly status: number
  readonly body: string
  readonly headers: Readonly<Record<string, string>> & { readonly 'set-cookie'?: never }
}

type Params = Readonly<Record<string, string>>
type Headers = PageClient['headers']

export interface PageCall {
  readonly db: Db
  readonly params: Params
  readonly client: PageClient
}

const textOf = (headers: Headers, name: string): string => {
  const value = headers[name]
  return typeof value === 'string' ? value : ''
}

export const pathOfPage = ({ workspace = '', token = '' }: Params): string =>
  `/p/${encodeURIComponent(workspace)}/${encodeURIComponent(token)}`

/** Changes of one page in ten minutes: a person needs a few, a program that has the link gets no more. */
const changesPerPage = 60

/** The pages of one process. */
export class PersonalPages {
  readonly #deps: PersonalPageDeps
  readonly #headers: Readonly<Record<string, string>>
  readonly #checkOrigin: ReturnType<typeof createSameOriginCheck>
  readonly #changes = new RateLimiterMemory({ points: changesPerPage, duration: 600 })

  constructor(deps: PersonalPageDeps) {
    this.#deps = deps
    this.#headers = headersOfPersonalPages(deps.rendering.publicUrl)
    this.#checkOrigin = createSameOriginCheck(deps.rendering.publicUrl)
  }

  get deps(): PersonalPageDeps {
    return this.#deps
  }

  open({ db, params: { workspace = '', token = '' } }: PageCall): Promise<PageVisit | undefined> {
    return openPage(db, this.#deps.rendering, workspace, token)
  }

  answer(status: number, body: string): PageAnswer {
    return { status, body, headers: this.#headers }
  }

  /** The browser opens the page with GET, so that loading it again never sends a form again. */
  redirect(params: Params, done: PageDone | null): PageAnswer {
    const location = `${pathOfPage(params)}${done === null ? '' : `?done=${done}`}#details`
    return { status: 303, body: '', headers: { location, 'cache-control': 'no-store' } }
  }

  async frameFor({ db, client }: PageCall, visit: PageVisit | undefined): Promise<PageFrame> {
    const words = wordsFor(textOf(client.headers, 'accept-language'))
    const look = visit ? await lookOf(db, visit.context.workspaceId, visit.context.publicUrl) : null
    return { words, look }
  }

  async missing(call: PageCall): Promise<PageAnswer> {
    return this.answer(404, missingPage(await this.frameFor(call, undefined)))
  }

  async oldLink(call: PageCall, visit: PageVisit): Promise<PageAnswer> {
    const address = maskedAddress(visit.owner.address)
    const frame = await this.frameFor(call, visit)
    return this.answer(200, oldLinkPage(frame, address, pathOfPage(call.params), this.#deps.sendsMail))
  }

  async show(
    call: PageCall,
    visit: PageVisit,
    done: PageDone | null,
    sent: SentForm | null,
  ): Promise<PageAnswer> {
    const { db, params, client } = call
    const [frame, content, fields] = await Promise.all([
      this.frameFor(call, visit),
      pageContentFor(db, visit),
      ownFieldsOf(db, visit),
    ])
    const likely = likelyProgram(client.userAgent, textOf(client.headers, 'referer'))
    const details = { fields, path: pathOfPage(params), done, sent }
    return this.answer(sent ? 422 : 200, pageFor(frame, { content, details, likely }))
  }

  /** Without the company: the database can be away. */
  problem(headers: Headers, problem: PageProblem, path: string | null): Pick<PageAnswer, 'body' | 'headers'> {
    const frame = { words: wordsFor(textOf(headers, 'accept-language')), look: null }
    return { body: failedPage(frame, problem, path), headers: this.#headers }
  }

  /** Throws 403 for a form of another website: the link in it would be enough to change values. */
  checkOrigin({ headers }: PageClient): void {
    this.#checkOrigin(headers as IncomingHttpHeaders, true)
  }

  /** Throws 429 when this page was changed too often. */
  async countChange({ context, owner }: PageVisit): Promise<void> {
    await this.#changes
      .consume(`${context.workspaceId} ${owner.email_id}`)
      .catch((refused: RateLimiterRes) => {
        const seconds = Math.max(1, Math.ceil(refused.msBeforeNext / 1_000))
        throw apiError('rate_limited', { headers: { 'Retry-After': String(seconds) } })
      })
  }
}
