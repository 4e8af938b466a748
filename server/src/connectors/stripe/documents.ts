// Reads the invoices and credit notes of a customer at Stripe, page by page. Their files: see files.ts.
import { setTimeout as sleep } from 'node:timers/promises'
import type { PublicAnswer, PublicFetch, PublicRequest } from '#platform/public-fetch.ts'
import { readRetryAfter } from '../http/retry-after.ts'

export const stripeApi = 'https://api.stripe.com'

/** The shape of answers that this file knows; without it an account decides about the shape. */
const apiVersion = '2026-10-28.endive'

export interface StripeDeps {
  readonly fetchPublic: PublicFetch
  /** The address of the API. */
  readonly api: string
  readonly key: string
}

/** With a sentence for the operator. */
export class StripeError extends Error {}

export interface StripeDocument {
  readonly kind: 'invoice' | 'credit_note'
  /** Drafts have none. */
  readonly number: string | null
  readonly status: string
  /** In the smallest unit of the currency; of a credit note, what is given back. */
  readonly total: number
  readonly currency: string
  /** True if the total is in hundredths of the currency. */
  readonly isInCents: boolean
  readonly createdAt: Date
  readonly dueAt: Date | null
  readonly periodStart: Date | null
  readonly periodEnd: Date | null
  /** The page where it is shown and paid. */
  readonly pageUrl: string | null
  readonly fileUrl: string | null
}

/** A record of Stripe that has not what a document needs. */
export interface UnreadableStripeDocument {
  /** Its number, else its id. */
  readonly number: string
  readonly problem: string
}

const perPage = 100
const mostPages = 1_000
const pageAttempts = 4
const longestPause = 30_000

const isTransient = (answer: PublicAnswer): boolean =>
  answer.ok
    ? answer.status === 429 || answer.status >= 500
    : answer.reason !== 'not_public' && !answer.tooLarge

/** Tries again after answers that pass; Stripe says when. */
export async function askStripe(send: () => Promise<PublicAnswer>, attempts: number): Promise<PublicAnswer> {
  for (let attempt = 1; ; attempt++) {
    const answer = await send()
    if (attempt === attempts || !isTransient(answer)) return answer
    const pause = answer.ok ? readRetryAfter(answer.retryAfter) : undefined
    await sleep(Math.min(pause ?? 500 * 2 ** attempt, longestPause))
  }
}

function objectIn(bytes: Buffer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(bytes.toString())
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

async function readPage(
  path: string,
  query: Readonly<Record<string, string>>,
  { fetchPublic, api, key }: StripeDeps,
): Promise<{ readonly data: readonly Record<string, unknown>[]; readonly hasMore: boolean }> {
  const url = `${api}/v1/${path}?${new URLSearchParams(query)}`
  const request: PublicRequest = {
    headers: { authorization: `Bearer ${key}`, 'stripe-version': apiVersion, accept: 'application/json' },
    redirects: 0,
    maxBytes: 32 * 1024 * 1024,
    milliseconds: 30_000,
  }
  const answer = await askStripe(() => fetchPublic(url, request), pageAttempts)
  if (!answer.ok) throw new StripeError(`Stripe cannot be reached: the address ${answer.problem}.`)
  const body = objectIn(answer.bytes)
  if (answer.status !== 200) {
    const { message = 'no reason given' } = (body.error ?? {}) as { readonly message?: unknown }
    throw new StripeError(`Stripe answered ${answer.status}: ${String(message).slice(0, 500)}`)
  }
  if (!Array.isArray(body.data) || typeof body.has_more !== 'boolean')
    throw new StripeError('Stripe’s answer is no list.')
  return { data: body.data as Record<string, unknown>[], hasMore: body.has_more }
}

async function* readList(
  path: string,
  customer: string,
  deps: StripeDeps,
): AsyncGenerator<Record<string, unknown>> {
  let after: string | undefined
  for (let page = 1; page <= mostPages; page++) {
    const query = { customer, limit: String(perPage), ...(after !== undefined && { starting_after: after }) }
    const { data, hasMore } = await readPage(path, query, deps)
    yield* data
    if (!hasMore) return
    const last = data.at(-1)?.id
    // The same page again and again would never end.
    if (typeof last !== 'string' || last === after) throw new StripeError('Stripe’s pages do not go on.')
    after = last
  }
  throw new StripeError(`The customer has more than ${mostPages * perPage} documents.`)
}

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

/** The end of the year 9999. */
const lastSecond = 253_402_300_799

/**
 * Currencies whose totals Stripe does not give in hundredths (docs.stripe.com/currencies): those without a smaller unit,
 * and those with thousandths. The list is not that of ISO 4217: Stripe gives the Icelandic crown in hundredths.
 */
const withoutCents: ReadonlySet<string> = new Set([
  ...[
    'BIF',
    'CLP',
    'DJF',
    'GNF',
    'JPY',
    'KMF',
    'KRW',
    'MGA',
    'PYG',
    'RWF',
    'UGX',
    'VND',
    'VUV',
    'XAF',
    'XOF',
    'XPF',
  ],
  ...['BHD', 'JOD', 'KWD', 'OMR', 'TND'],
])

const timeOf = (value: unknown): Date | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= lastSecond
    ? new Date(value * 1_000)
    : null

function documentOf(
  kind: StripeDocument['kind'],
  fileProperty: string,
  // A list could also have null.
  record: Readonly<Record<string, unknown>> | null,
): StripeDocument | UnreadableStripeDocument {
  if (typeof record !== 'object' || record === null)
    return { number: '(none)', problem: 'Stripe sent no object' }
  const { total, number } = record
  const [currency, status] = [textOf(record.currency), textOf(record.status)]
  const createdAt = timeOf(record.created)
  if (typeof total !== 'number' || !Number.isSafeInteger(total) || !currency || !status || !createdAt)
    return {
      number: textOf(number) ?? textOf(record.id) ?? '(none)',
      problem: 'Stripe sent no usable total, currency, status or date',
    }
  return {
    kind,
    number: textOf(number),
    status,
    total,
    currency: currency.toUpperCase(),
    isInCents: !withoutCents.has(currency.toUpperCase()),
    createdAt,
    dueAt: timeOf(record.due_date),
    periodStart: timeOf(record.period_start),
    periodEnd: timeOf(record.period_end),
    pageUrl: textOf(record.hosted_invoice_url),
    fileUrl: textOf(record[fileProperty]),
  }
}

/** All documents, also drafts and void ones: `status` says so. */
export async function* stripeDocuments(
  customer: string,
  deps: StripeDeps,
): AsyncGenerator<StripeDocument | UnreadableStripeDocument> {
  for await (const record of readList('invoices', customer, deps))
    yield documentOf('invoice', 'invoice_pdf', record)
  for await (const record of readList('credit_notes', customer, deps))
    yield documentOf('credit_note', 'pdf', record)
}
