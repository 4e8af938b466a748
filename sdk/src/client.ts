// The client: makes methods of the generated table.
import type { Resources } from './generated/resources.ts'
import { table, version } from './generated/table.ts'
import { type ApiRequest, send } from './request.ts'
import type { Page, RequestOptions, SignoffOptions } from './types.ts'

type Values = Record<string, unknown>

/** `brand:workspace/brand`: the name, and its path where that is another one. */
const resourceForm = /([./]?)(\w+):?(.*)/
/**
 * `test:G+?theme`: the name; `:verb`, or `=verb` and the path (`~`: the name); `+` or `^wrapper` (body, or query of a
 * GET); the names of the query. The name alone is `name=P/*~`.
 */
const methodForm = /^[A-Z]?(\w+)([=:]?)(\w?)([^+^?]*)([+^]?)(\w*)\??(.*)/
/** The table writes each as its first letter. A resource without ids has S and E. */
const usual = 'Llist=G+ Ccreate=P^ Gget=G/* Uupdate=A/*^ Ddelete=D/* Sget=G Eupdate=A^'.split(' ')
/** All others are POST: P, and R, which changes nothing. */
const verbs: Values = { G: 'GET', U: 'PUT', A: 'PATCH', D: 'DELETE' }

/** What the forms match: always, because the table is generated. */
type Groups = [string, string, string, string, string, string, string, string]

type Rule = readonly [verb: string, path: string, sign: string, wrapper: string, query: readonly string[]]

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

const given = (values: object | null | undefined): Values =>
  Object.fromEntries(Object.entries(values ?? {}).filter(([, value]) => value !== undefined))

async function requestOf(
  client: SignoffOptions,
  [verb, path, sign, wrapper, query]: Rule,
  args: readonly unknown[],
): Promise<ApiRequest> {
  const rest = [...args] as object[]
  const url = new URL(client.url + path.replaceAll('*', () => segmentOf(rest.shift())))
  const params = sign || query[0] ? rest.shift() : undefined
  const options: RequestOptions = { ...client, ...given(rest[0]) }
  const inner: Values = {}
  for (const [name, value] of Object.entries(given(params)))
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
  const init = given({
    method: verbs[verb] ?? 'POST',
    headers: new Headers(given(headers) as Record<string, string>),
    body: hasBody ? JSON.stringify(wrapper ? { [wrapper]: inner } : inner) : undefined,
    credentials: client.key ? undefined : (client.credentials ?? 'same-origin'),
  })
  return { ...options, url: url.href, init }
}

function call(client: SignoffOptions, rule: Rule, args: readonly unknown[]): unknown {
  const sendWith = (values: readonly unknown[]) => requestOf(client, rule, values).then(send)
  const first = sendWith(args)
  const data = first.then(({ body }) => (body instanceof Response ? body : (body as Page<unknown>)?.data))
  const raw = () => {
    data.catch(() => {}) // nothing else handles its rejection
    return first
  }
  /** The rows of the page that was asked for, and of all pages behind it. */
  async function* rows() {
    const at = rule[1].split('*').length - 1
    for (let answer = await raw(); ; ) {
      const { data, pagination } = answer.body as Page<unknown>
      yield* data
      if (!pagination.has_more) return
      const params = { ...(args[at] as Values), page: pagination.page + 1 }
      answer = await sendWith(Object.assign([...args], { [at]: params }))
    }
  }
  return Object.assign(data, { raw, [Symbol.asyncIterator]: rows })
}

/** A line of the table is a resource. `.name` is inside an item of the last resource above, `/name` beside its items. */
function addMethods(root: Values, client: SignoffOptions): void {
  let [outer, outerPath] = [root, '']
  for (const line of table.split('\n')) {
    const [resource = '', ...methods] = line.split(' ')
    const [, link, noun, segment] = resourceForm.exec(resource) as string[] as Groups
    const base = (link ? outerPath : '/v1') + (link === '.' ? '/*/' : '/') + (segment || snake(noun))
    const target: Values = {}
    const owner = link ? outer : root
    owner[noun] = target
    if (!link) [outer, outerPath] = [target, base]
    const letters = (text: string) => usual.filter(each => text.includes(each.charAt(0)))
    for (const text of methods.flatMap(each => (/^[A-Z]/.test(each) ? letters(each) : each))) {
      const [, name, mark, verb, path, sign, wrapper, query] = methodForm.exec(text) as string[] as Groups
      const end = (mark === '=' ? path : '/*~').replace('~', `/${snake(name)}`)
      const around = sign === '^' ? wrapper || snake(noun).replace(/s$/, '') : ''
      const rule: Rule = [verb || 'P', base + end, sign, around, query.split(',')]
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
    addMethods(this as object as Values, { ...options, url: origin + pathname.replace(/\/$/, '') })
  }
} as new (
  options: SignoffOptions,
) => Resources
