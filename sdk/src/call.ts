// What all generated methods call: from a path and values to a request, and from its answer to a promise.
import { version } from './generated/version.ts'
import { type ApiRequest, send } from './request.ts'
import type { Call, Page, RequestOptions, SignoffOptions } from './types.ts'

type Values = Readonly<Record<string, unknown>>

/** Filled in when the request is made, so that a wrong id rejects the promise. */
type Path = string | (() => string)

type AnyCall = Call<unknown, unknown>

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** An empty segment, or one of dots, would be another path. */
function segmentOf(value: unknown): string {
  if (typeof value !== 'string' || /^\.{0,2}$/.test(value)) throw new TypeError(`"${value}" is not an id.`)
  return encodeURIComponent(value)
}

export const path =
  (texts: TemplateStringsArray, ...ids: readonly string[]): Path =>
  () =>
    String.raw({ raw: texts }, ...ids.map(segmentOf))

const picked = (params: object | undefined, isTaken: (name: string) => boolean): Values | undefined =>
  params && Object.fromEntries(Object.entries(params).filter(([name]) => isTaken(name)))

/** For routes that take a query beside their body. */
export const only = (params: object | undefined, ...names: readonly string[]): Values | undefined =>
  picked(params, name => names.includes(name))

export const without = (params: object | undefined, ...names: readonly string[]): Values | undefined =>
  picked(params, name => !names.includes(name))

/** Bytes become base64, in pieces of whole groups of three. */
async function encoded(value: unknown): Promise<unknown> {
  const bytes = value instanceof Blob ? await value.arrayBuffer() : value
  if (bytes instanceof ArrayBuffer || bytes instanceof Uint8Array) {
    const view = new Uint8Array(bytes)
    let text = ''
    for (let at = 0; at < view.length; at += 8190)
      text += btoa(String.fromCharCode(...view.subarray(at, at + 8190)))
    return text
  }
  if (Array.isArray(value)) return Promise.all(value.map(encoded))
  if (Object.prototype.toString.call(value) !== '[object Object]') return value
  const entries = Object.entries(value as object).map(async ([name, inner]) => [name, await encoded(inner)])
  return Object.fromEntries(await Promise.all(entries))
}

/** 128 random bits. `crypto.randomUUID` does not exist on pages without https. */
const randomKey = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-')

const given = (values: object | null | undefined): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values ?? {}).filter(([, value]) => value !== undefined))

export class Client {
  readonly #options: SignoffOptions

  constructor(options: SignoffOptions) {
    this.#options = options
  }

  get<Answer extends AnyCall>(path: Path, options?: RequestOptions, query?: object): Answer {
    return this.#call('GET', path, options, undefined, query)
  }

  post<Answer extends AnyCall>(path: Path, options?: RequestOptions, body?: object, query?: object): Answer {
    return this.#call('POST', path, options, body, query, options?.idempotencyKey ?? randomKey())
  }

  /** A POST that changes nothing, and so needs no Idempotency-Key. */
  read<Answer extends AnyCall>(path: Path, options?: RequestOptions, body?: object, query?: object): Answer {
    return this.#call('POST', path, options, body, query)
  }

  put<Answer extends AnyCall>(path: Path, options?: RequestOptions, body?: object): Answer {
    return this.#call('PUT', path, options, body)
  }

  patch<Answer extends AnyCall>(path: Path, options?: RequestOptions, body?: object): Answer {
    return this.#call('PATCH', path, options, body)
  }

  delete<Answer extends AnyCall>(path: Path, options?: RequestOptions, body?: object): Answer {
    return this.#call('DELETE', path, options, body)
  }

  #call<Answer extends AnyCall>(
    method: Method,
    path: Path,
    options?: RequestOptions,
    body?: object,
    query?: object,
    idempotencyKey?: string,
  ): Answer {
    const sendWith = (values?: object) =>
      this.#requestOf(method, path, { ...options, idempotencyKey }, body, values).then(send)
    const first = sendWith(query)
    const data = first.then(({ body }) => (body instanceof Response ? body : (body as Page<unknown>)?.data))
    const raw = () => {
      data.catch(() => {}) // nothing else handles its rejection
      return first
    }
    /** The rows of the page that was asked for, and of all pages behind it. */
    async function* rows() {
      for (let answer = await raw(); ; ) {
        const { data, pagination } = answer.body as Page<unknown>
        yield* data
        if (!pagination.has_more) return
        answer = await sendWith({ ...query, page: pagination.page + 1 })
      }
    }
    return Object.assign(data, { raw, [Symbol.asyncIterator]: rows }) as unknown as Answer
  }

  async #requestOf(
    method: Method,
    path: Path,
    requestOptions?: RequestOptions,
    body?: object,
    query?: object,
  ): Promise<ApiRequest> {
    const client = this.#options
    const options: RequestOptions = { ...client, ...given(requestOptions) }
    const url = new URL(client.url + (typeof path === 'string' ? path : path()))
    for (const [name, value] of Object.entries(given(query))) url.searchParams.append(name, `${value}`)
    const headers = {
      // Browsers do not let pages of other origins send it.
      'user-agent':
        'window' in globalThis || 'WorkerGlobalScope' in globalThis ? undefined : `signoff-sdk/${version}`,
      authorization: client.key ? `Bearer ${client.key}` : undefined,
      'signoff-workspace': options.workspace,
      'content-type': body ? 'application/json' : undefined,
      'if-match': options.ifMatch,
      'idempotency-key': options.idempotencyKey,
      ...options.headers,
    }
    const init = given({
      method,
      headers: new Headers(given(headers) as Record<string, string>),
      body: body && JSON.stringify(await encoded(body)),
      credentials: client.key ? undefined : (client.credentials ?? 'same-origin'),
    })
    return { ...options, url: url.href, init }
  }
}
