// A strict stand-in for Stripe: invoices, credit notes and their files. What it does not know it refuses.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { listenLocally } from '../listen.ts'

export interface StripeRecord {
  readonly id: string
  readonly object: 'invoice' | 'credit_note'
  number: string | null
  status: string
  total: number
  readonly customer: string
  /** Instead of the usual ones. */
  currency?: string
  created?: unknown
  invoice_pdf?: string | null
}

export interface Stripe {
  readonly api: string
  readonly key: string
  readonly customer: string
  /** Newest first, as Stripe lists them. */
  readonly invoices: StripeRecord[]
  readonly creditNotes: StripeRecord[]
  /** Paths with queries. */
  readonly requests: string[]
  /** Answers of the next requests instead of the right one. */
  readonly failures: { readonly status: number; readonly retryAfter?: string; readonly path: RegExp }[]
  /** By number, instead of the usual file. */
  readonly files: Map<string, Buffer>
  add(number: string | null, more?: Partial<StripeRecord>): StripeRecord
}

export const fileOf = (number: string): Buffer => Buffer.from(`%PDF-1.7\n% ${number}\n%%EOF\n`)

const allowed = new Set(['customer', 'limit', 'starting_after'])

interface Reply {
  readonly status: number
  readonly body: object | Buffer
  readonly headers?: Record<string, string>
}

const refuse = (status: number, message: string): Reply => ({
  status,
  body: { error: { type: 'invalid_request_error', message } },
})

function listOf(
  stripe: Stripe,
  records: readonly StripeRecord[],
  query: URLSearchParams,
  path: string,
): Reply {
  const unknown = [...query.keys()].find(name => !allowed.has(name))
  if (unknown) return refuse(400, `Received unknown parameter: ${unknown}`)
  const limit = Number(query.get('limit') ?? 10)
  if (!(limit >= 1 && limit <= 100)) return refuse(400, 'Invalid limit')
  if (query.get('customer') !== stripe.customer)
    return refuse(404, `No such customer: '${query.get('customer')}'`)
  const after = query.get('starting_after')
  const from = after === null ? 0 : records.findIndex(({ id }) => id === after) + 1
  if (after !== null && from === 0) return refuse(400, `No such ${path}: '${after}'`)
  const data = records.slice(from, from + limit).map(record => ({
    currency: 'eur',
    created: 1_735_689_600 + Number(record.id.split('_')[1]) * 3_600,
    ...(record.object === 'invoice'
      ? {
          due_date: 1_768_435_200,
          period_start: 1_764_547_200,
          period_end: 1_767_225_600,
          hosted_invoice_url: record.number === null ? null : `https://invoice.stripe.com/i/${record.number}`,
          invoice_pdf: record.number === null ? null : `${stripe.api}/files/${record.number}.pdf`,
        }
      : { pdf: `${stripe.api}/files/${record.number}.pdf`, invoice: 'in_1' }),
    ...record,
  }))
  return { status: 200, body: { object: 'list', url: path, has_more: from + limit < records.length, data } }
}

function answer(stripe: Stripe, request: IncomingMessage): Reply {
  const url = new URL(request.url ?? '', stripe.api)
  stripe.requests.push(url.pathname + url.search)
  const failing = stripe.failures.findIndex(({ path }) => path.test(url.pathname))
  const [failure] = failing < 0 ? [] : stripe.failures.splice(failing, 1)
  if (failure)
    return {
      ...refuse(failure.status, 'Try again'),
      ...(failure.retryAfter && { headers: { 'retry-after': failure.retryAfter } }),
    }
  const [, fileName] = /^\/files\/(.+)\.pdf$/.exec(url.pathname) ?? []
  const { authorization, 'stripe-version': version } = request.headers
  if (fileName !== undefined) {
    if (authorization !== undefined) return refuse(400, 'A file must be fetched without the key')
    return { status: 200, body: stripe.files.get(fileName) ?? fileOf(fileName) }
  }
  if (request.method !== 'GET') return refuse(405, 'Only GET')
  if (authorization !== `Bearer ${stripe.key}`) return refuse(401, 'Invalid API Key provided')
  if (!/^\d{4}-\d\d-\d\d\.[a-z]+$/.test(String(version))) return refuse(400, 'Invalid Stripe API version')
  if (url.pathname === '/v1/invoices') return listOf(stripe, stripe.invoices, url.searchParams, 'invoice')
  if (url.pathname === '/v1/credit_notes')
    return listOf(stripe, stripe.creditNotes, url.searchParams, 'credit_note')
  return refuse(404, `Unrecognized request URL (GET: ${url.pathname})`)
}

function send(response: ServerResponse, { status, body, headers }: Reply): void {
  const isFile = Buffer.isBuffer(body)
  response.writeHead(status, {
    'content-type': isFile ? 'application/pdf' : 'application/json',
    ...headers,
  })
  response.end(isFile ? body : JSON.stringify(body))
}

/** Closed after the tests of the file. */
export async function startStripe(): Promise<Stripe> {
  const server = createServer((request, response) => send(response, answer(stripe, request)))
  const address = await listenLocally(server)
  let next = 0
  const stripe: Stripe = {
    api: address,
    key: 'rk_test_0123456789abcdef',
    customer: 'cus_Northbean',
    invoices: [],
    creditNotes: [],
    requests: [],
    failures: [],
    files: new Map(),
    add(number, more = {}) {
      const object = more.object ?? 'invoice'
      const record: StripeRecord = {
        id: `${object === 'invoice' ? 'in' : 'cn'}_${++next}`,
        object,
        number,
        status: object === 'invoice' ? 'paid' : 'issued',
        total: 10_000 + next,
        customer: stripe.customer,
        ...more,
      }
      const list = object === 'invoice' ? stripe.invoices : stripe.creditNotes
      list.unshift(record)
      return record
    },
  }
  return stripe
}
