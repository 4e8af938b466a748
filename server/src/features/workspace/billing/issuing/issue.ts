// Issues invoices and credit notes. One transaction gives the number, draws and stores the file and writes the row: when
// any of it fails, the number is given to the next document.
import { mailIdentityOf } from '#features/workspace/workspaces/index.ts'
import type { Caller } from '#kernel/api/scopes.ts'
import { day } from '#kernel/base/durations.ts'
import { invalid, orNotFound } from '#kernel/base/errors.ts'
import { rowAt } from '#kernel/base/ids.ts'
import type { Db } from '#kernel/db/db.ts'
import { type DocumentStore, filenameOf, keepFile } from '../files.ts'
import { drawDocument } from '../invoice-pdf/draw.ts'
import { findByNumber, insertDocument } from '../queries.ts'
import { countMissingDays, countSeats, seatsOfNow, seatsOfPeriod } from '../seats/queries.ts'
import { readPrice, readTaxRate, totalsOf } from './amounts.ts'
import type { IssuedContent, SeatRule } from './content.ts'
import { recipientOf } from './parties.ts'
import { dayText, endOfDay, readMonth } from './period.ts'
import {
  findIssued,
  hasCreditNote,
  hasIssuer,
  lockInvoices,
  type StoredIssuer,
  takeNumber,
} from './queries.ts'

interface IssueDeps {
  readonly store: DocumentStore
  readonly now: () => Date
}

export interface InvoiceRequest {
  /** `2026-11`. */
  readonly period: string
  /** Decimal numbers: `2.00`, `19`. */
  readonly seatPrice: string
  readonly taxRate: string
  /** `EUR`. */
  readonly currency: string
  readonly seatRule: SeatRule
  readonly dueDays: number
  readonly note: string | null
  readonly issuer: string
  /** Although the period has an invoice. */
  readonly again: boolean
}

const mostDueDays = 365
const longestNote = 600

function checkedNote(note: string | null): string | null {
  const clean = note?.normalize('NFC').trim() ?? ''
  if (clean.length > longestNote) throw invalid('note', 'too_long')
  if (/[^\P{C}\n]/u.test(clean)) throw invalid('note', 'invalid')
  return clean === '' ? null : clean
}

/** A locale of another language could bring its letters, digits and calendar into a document in English. */
function formsOf(locale: string): Pick<IssuedContent, 'language' | 'locale'> {
  const { language } = new Intl.Locale(locale)
  return language === 'de' || language === 'en' ? { language, locale } : { language: 'en', locale: 'en' }
}

const unknownIssuer = (code: string) =>
  invalid('issuer', 'unknown_reference', {
    message: `there is no issuer ${code}: say who issues the invoice with \`signoff billing issuer\``,
  })

async function nextNumber(tx: Db, code: string): Promise<StoredIssuer & { readonly number: string }> {
  const issuer = await takeNumber(tx, code)
  if (!issuer) throw unknownIssuer(code)
  return { ...issuer, number: `${issuer.prefix}${String(issuer.last_number).padStart(5, '0')}` }
}

export interface IssuedDocument {
  readonly id: string
  readonly content: IssuedContent
}

/** `correctsId`: of a credit note, the id of its invoice. */
async function saveIssued(
  tx: Db,
  by: Caller,
  content: IssuedContent,
  correctsId: string | null,
  { store }: Pick<IssueDeps, 'store'>,
): Promise<IssuedDocument> {
  const { kind, number } = content
  const bytes = await drawDocument(content)
  const storedFile = await keepFile(store, by.workspaceId, filenameOf(kind, number), bytes)
  const id = await insertDocument(
    tx,
    by,
    {
      source: 'issued',
      kind,
      number,
      totalAmountCents: content.total,
      currency: content.currency,
      processorReceiptUrl: null,
      dueDate: kind === 'invoice' ? endOfDay(content.dueOn) : null,
      periodStart: new Date(`${content.periodFirst}T00:00:00Z`),
      periodEnd: endOfDay(content.periodLast),
      storedFile,
      issued: content,
      correctsId,
    },
    rowAt(new Date(content.createdAt)),
  )
  if (id === undefined)
    throw invalid('prefix', 'taken', {
      message: `the workspace has another document ${number}: give the issuer another prefix with \`signoff billing issuer --prefix\``,
    })
  return { id, content }
}

/** Counts today's seats first, or the days of the period that lack a count when it is over. */
export async function issueInvoice(
  db: Db,
  by: Caller,
  request: InvoiceRequest,
  deps: IssueDeps,
): Promise<IssuedDocument> {
  const { workspaceId } = by
  const { seatRule, currency, dueDays, issuer: code } = request
  const asked = deps.now()
  const month = readMonth(request.period, asked)
  const price = readPrice(request.seatPrice, currency)
  const taxHundredths = readTaxRate(request.taxRate)
  const note = checkedNote(request.note)
  if (!Number.isInteger(dueDays) || dueDays < 0 || dueDays > mostDueDays)
    throw invalid('due_days', 'out_of_range', {
      message: `due_days must be a whole number from 0 to ${mostDueDays}`,
    })
  if (!(await hasIssuer(db, code))) throw unknownIssuer(code)
  if (dayText(asked) < month.next) await db.query(countSeats(asked))
  else await countMissingDays(db, workspaceId, month.next)
  return db.transaction(async tx => {
    await lockInvoices(tx, workspaceId)
    const earlier = request.again ? undefined : await findIssued(tx, workspaceId, month.start)
    if (earlier !== undefined)
      throw invalid('period', 'taken', {
        message: `${request.period} has the invoice ${earlier}: cancel it with \`signoff billing credit\`, or add --again`,
      })
    const seats = await seatsOfPeriod(tx, workspaceId, month.first, month.next)
    if (seats.days === 0) {
      const people = (await seatsOfNow(tx, workspaceId)) === 0 ? ', and the workspace has no people' : ''
      throw invalid('period', 'invalid', { message: `no seats were counted in ${request.period}${people}` })
    }
    const seatHundredths = seatRule === 'peak' ? seats.most * 100 : seats.average_hundredths
    const totals = totalsOf(seatHundredths, price, taxHundredths)
    const recipient = await recipientOf(tx, workspaceId)
    const { locale } = orNotFound(await mailIdentityOf(tx, workspaceId))
    const issuer = await nextNumber(tx, code)
    // After the number, for which others wait: a later number must not have an earlier time.
    const now = deps.now()
    const content: IssuedContent = {
      kind: 'invoice',
      number: issuer.number,
      ...formsOf(locale),
      createdAt: now.toISOString(),
      issuedOn: dayText(now),
      dueOn: dayText(new Date(now.getTime() + dueDays * day)),
      periodFirst: month.first,
      periodLast: month.last,
      issuerCode: code,
      issuer: {
        name: issuer.name,
        address: issuer.address,
        taxId: issuer.tax_id,
        payment: issuer.payment,
      },
      recipient,
      currency,
      seatRule,
      seatHundredths,
      countedDays: seats.days,
      price,
      ...totals,
      taxHundredths,
      note,
      corrects: null,
    }
    return saveIssued(tx, by, content, null, deps)
  })
}

interface CreditRequest {
  /** Number of the invoice. */
  readonly number: string
  readonly note: string | null
}

/** Cancels an issued invoice by a document of its own, in the series of the same issuer: the invoice stays as it is. */
export async function creditInvoice(
  db: Db,
  by: Caller,
  { number, note }: CreditRequest,
  deps: IssueDeps,
): Promise<IssuedDocument> {
  const checked = checkedNote(note)
  return db.transaction(async tx => {
    await lockInvoices(tx, by.workspaceId)
    const invoice = await findByNumber(tx, by.workspaceId, 'issued', number)
    if (!invoice?.issued || invoice.kind !== 'invoice')
      throw invalid('number', 'unknown_reference', {
        message: `this workspace has no issued invoice ${number}`,
      })
    if (await hasCreditNote(tx, by.workspaceId, invoice.id))
      throw invalid('number', 'taken', { message: `${number} is cancelled already` })
    const { issued } = invoice
    const { number: ownNumber } = await nextNumber(tx, issued.issuerCode)
    const now = deps.now()
    const content: IssuedContent = {
      ...issued,
      kind: 'credit_note',
      number: ownNumber,
      createdAt: now.toISOString(),
      issuedOn: dayText(now),
      // `-issued.tax` of no tax would be -0, which is drawn with a sign, and is 0 in the stored row.
      net: 0 - issued.net,
      tax: 0 - issued.tax,
      total: 0 - issued.total,
      note: checked,
      corrects: number,
    }
    return saveIssued(tx, by, content, invoice.id, deps)
  })
}
