// The client: makes methods of the generated table.
import type { Resources } from './generated/resources.ts'
import { table, version } from './generated/table.ts'
import { type ApiRequest, send } from './request.ts'
import type { Page, RawAnswer, RequestOptions, SignoffOptions } from './types.ts'

type Values = Record<string, unknown>

/** A resource, with path and wrapper where they do not follow from its name: `brand:/workspace/brand^brand`. */
const resourceForm = /^([\w.]+)(?::([^^]*))?(?:\^(\w+))?$/
/** `test=P/*~+?theme`: name, verb, path (`~`: the name), `+` or `^wrapper` (body, or query of a GET), query names. */
const methodForm = /^(\w+)=(\w)((?:[/~][^+^?]*)?)(?:([+^])(\w*))?(?:\?(.*))?$/
/** The table writes each as its first letter. */
const usual = 'list=G+ create=P^ get=G/* update=A/*^ delete=D/*'.split(' ')
/** R is a POST that changes nothing. */
const verbs: Values = { G: 'GET', P: 'POST', R: 'POST', U: 'PUT', A: 'PATCH', D: 'DELETE' }

interface Rule {
  readonly verb: string
  readonly path: string
  readonly sign: string
  readonly wrapper: string
  readonly query: readonly string[]
}

/** 128 random bits. `crypto.randomUUID` does not exist on pages without https. */
const randomKey = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-')

const snake = (name: string): string => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)

/** An empty segment, or one of dots, would be another path. */
function segmentOf(value: unknown): string {
  if (typeof value !== 'string' || /^\.{0,2}$/.test(value)) throw new TypeError(`"${value}" is not an id.`)
  return encodeURIComponent(value)
}

/** Bytes become base64, in pieces of whole groups of three. */
async function encoded(value: unknown): Promise<unknown> {
  const buffer = value instanceof Blob ? await value.arrayBuffer() : value
  if (!(buffer instanceof ArrayBuffer || buffer instanceof Uint8Array)) return value
  const bytes = new Uint8Array(buffer)
  let text = ''
  for (let at = 0; at < bytes.length; at += 8190)
    text += btoa(String.fromCharCode(...bytes.subarray(at, at + 8190)))
  return text
}

const given = (values: object): [string, unknown][] =>
  Object.entries(values).filter(([, value]) => value !== undefined)

async function requestOf(client: SignoffOptions, rule: Rule, args: readonly unknown[]): Promise<ApiRequest> {
  const [{ verb, sign, wrapper, query }, rest] = [rule, [...args]]
  const url = new URL(client.url + rule.path.replaceAll('*', () => segmentOf(rest.shift())))
  const params = sign || query[0] ? rest.shift() : undefined
  const options: RequestOptions = { ...client, ...Object.fromEntries(given(rest[0] ?? {})) }
  const inner: Values = {}
  for (const [name, value] of given(params ?? {}))
    if (verb === 'G' || query.includes(name)) url.searchParams.append(name, `${value}`)
    else inner[name] = await encoded(value)
  const hasBody = params && sign && verb !== 'G'
  const headers = {
    // Browsers do not let pages of other origins send it.
    'user-agent':
      'window' in globalThis || 'WorkerGlobalScope' in globalThis ? undefined : `signoff-sdk/${version}`,
    authorization: client.key ? `Bearer ${client.key}` : undefined,
    'signoff-workspace': options.workspace,
    'content-type': hasBody ? 'application/json' : undefined,
    'if-match': options.ifMatch,
    'idempotency-key': verb === 'P' ? (options.idempotencyKey ?? randomKey()) : undefined,
    ...options.headers,
  }
  const init = {
    method: `${verbs[verb]}`,
    headers: new Headers(given(headers) as [string, string][]),
    ...(hasBody ? { body: JSON.stringify(wrapper ? { [wrapper]: inner } : inner) } : {}),
    ...(client.key ? {} : { credentials: client.credentials ?? ('same-origin' as const) }),
  }
  return { ...options, url: url.href, init, fetch: client.fetch ?? globalThis.fetch.bind(globalThis) }
}

/** The rows of the page that was asked for, and of all pages behind it. */
async function* rowsOf(first: Promise<RawAnswer<unknown>>, next: (page: number) => typeof first) {
  for (let answer = await first; ; ) {
    const { data, pagination } = answer.body as Page<unknown>
    yield* data
    if (!pagination.has_more) return
    answer = await next(pagination.page + 1)
  }
}

function call(client: SignoffOptions, rule: Rule, args: readonly unknown[]): unknown {
  const sendWith = (values: readonly unknown[]) => requestOf(client, rule, values).then(send)
  const first = sendWith(args)
  const data = first.then(({ body }) => (body instanceof Response ? body : (body as Page<unknown>)?.data))
  const raw = () => {
    data.catch(() => {}) // nothing else handles its rejection
    return first
  }
  const at = rule.path.split('*').length - 1
  const pageOf = (page: number) =>
    sendWith(Object.assign([...args], { [at]: { ...(args[at] as Values), page } }))
  return Object.assign(data, { raw, [Symbol.asyncIterator]: () => rowsOf(raw(), pageOf) })
}

function addMethods(root: object, client: SignoffOptions): void {
  for (const [resource = '', ...methods] of table.split('\n').map(line => line.split(' '))) {
    const [, names = '', base, around] = resourceForm.exec(resource) ?? []
    let target = root as Values
    for (const name of names.split('.')) {
      target[name] ??= {}
      target = target[name] as Values
    }
    const letters = (text: string) => usual.filter(each => text.includes(each.charAt(0)))
    for (const text of methods.flatMap(each => (each.includes('=') ? each : letters(each)))) {
      const [, name = '', verb = '', path = '', sign = '', wrapper, query = ''] = methodForm.exec(text) ?? []
      const full = `/v1${base ?? `/${snake(names.replace('.', '/*/'))}`}${path.replace('~', `/${snake(name)}`)}`
      const inner = sign === '^' ? wrapper || around || snake(names).slice(0, -1) : ''
      const rule = { verb, path: full, sign, wrapper: inner, query: query.split(',') }
      target[name] = (...args: unknown[]) => call(client, rule, args)
    }
  }
}

export type Signoff = Resources

/** `new Signoff({ url, key })`: the operations of the API by their names. */
export const Signoff = class {
  constructor(options: SignoffOptions) {
    const { location } = globalThis as { location?: { href: string } }
    if (!(location || /^https?:\/\//i.test(options.url)))
      throw new TypeError(`url is "${options.url}": give the address of the service, with https://.`)
    const { origin, pathname } = new URL(options.url, location?.href)
    addMethods(this, { ...options, url: origin + pathname.replace(/\/$/, '') })
  }
} as new (
  options: SignoffOptions,
) => Resources
