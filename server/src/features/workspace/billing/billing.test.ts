// Invoices: what they say, that they never change, and that their numbers have no gap.
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { operator } from '#kernel/api/scopes.ts'
import { ApiError } from '#kernel/base/errors.ts'
import { sql } from '#kernel/db/db.ts'
import { type TestApp, testApp } from '#test/support/app.ts'
import { pdfTexts } from '#test/support/files/pdf.ts'
import { drawDocument } from './invoice-pdf/draw.ts'
import { formatAmount, readPrice, totalsOf } from './issuing/amounts.ts'
import type { IssuedContent } from './issuing/content.ts'
import { creditInvoice, type InvoiceRequest, type IssuedDocument, issueInvoice } from './issuing/issue.ts'
import { changeIssuer, changeRecipient } from './issuing/parties.ts'
import { insertPastSeats } from './seats/queries.ts'

let app: TestApp
const now = new Date('2026-12-01T06:00:00Z')
const usual: InvoiceRequest = {
  period: '2026-11',
  seatPrice: '2.00',
  currency: 'EUR',
  taxRate: '19',
  seatRule: 'peak',
  dueDays: 14,
  note: null,
  issuer: 'main',
  again: false,
}
const deps = () => ({ store: app.store, now: () => now })
const issue = (more: Partial<InvoiceRequest> = {}, by = app.by) =>
  issueInvoice(app.db, by, { ...usual, ...more }, deps())
const fileOf = (id: string, key = app.key) => app.get(`/v1/financial_documents/${id}/file`, { key })

/** 30 days with 10 to 39 seats. */
const november = Array.from({ length: 30 }, (_, n) => ({
  day: `2026-11-${String(n + 1).padStart(2, '0')}`,
  seats: 10 + n,
}))

beforeAll(async () => {
  app = await testApp()
  await app.db.query(insertPastSeats(app.id, november))
})

it('needs an issuer, a month that has begun, and seats that were counted', async () => {
  await expect(issue()).rejects.toThrow('signoff billing issuer')
  await changeIssuer(app.db, 'main', { name: 'Löwe & Söhne GmbH', address: ['Kai 1', '20457 Hamburg'] })
  const wrong: readonly (readonly [Partial<InvoiceRequest>, string, string?])[] = [
    [{ period: '2026-13' }, 'period'],
    [{ period: '2027-01' }, 'period'],
    [{ period: '2026-10' }, 'period'],
    [{ seatPrice: '2,00' }, 'seat_price'],
    [{ seatPrice: '2.005' }, 'seat_price'],
    [{ seatPrice: '2', currency: 'JPY' }, 'currency'],
    [{ currency: 'KWD' }, 'currency'],
    [{ currency: 'EURO' }, 'currency'],
    [{ taxRate: '101' }, 'tax_rate', 'from 0 to 100'],
    [{ seatPrice: '1000000.01' }, 'seat_price', 'from 0 to 1000000'],
    [{ dueDays: 400 }, 'due_days', 'from 0 to 365'],
    [{ note: 'x'.repeat(601) }, 'note'],
    [{ note: '株式会社' }, 'note'],
    [{ note: 'Reverse charge שלום' }, 'note', 'cannot show: ש ל ו ם'],
    [{ issuer: 'none' }, 'issuer'],
    [{ seatPrice: '900000' }, 'seat_price'],
  ]
  for (const [more, field, message = ''] of wrong)
    await expect(issue(more), JSON.stringify(more)).rejects.toMatchObject({
      details: [{ field, message: expect.stringContaining(message) }],
    })
  const empty = issue({}, app.other.by)
  await expect(empty).rejects.toThrow('no seats were counted in 2026-11, and the workspace has no people')
  await expect(issue({ issuer: 'none' }, app.other.by)).rejects.toThrow('there is no issuer none')
  expect(await app.db.query(sql`select from financial_documents`)).toEqual([])
  expect(await app.db.query(sql`select last_number from invoice_issuers`)).toEqual([{ last_number: 0 }])
})

it('refuses prefixes that would give the numbers of another issuer', async () => {
  await changeIssuer(app.db, 'digits', { name: 'Digits', prefix: 'EC-2' })
  const used = ['EC-', 'EC-20', 'EC-2']
  for (const prefix of used)
    await expect(changeIssuer(app.db, 'second', { name: 'Second', prefix })).rejects.toThrow(
      /digits has the prefix EC-2.*--prefix/,
    )
  await changeIssuer(app.db, 'second', { name: 'Second', prefix: 'EC-1' })
  await changeIssuer(app.db, 'second', { prefix: 'EC-2-' })
})

it('addresses invoices to the workspace again when the name of the recipient is empty', async () => {
  const before = await changeRecipient(app.db, app.other.id, { reference: 'Order 7' })
  expect((await changeRecipient(app.db, app.other.id, { name: 'Northbean GmbH' })).name).toBe(
    'Northbean GmbH',
  )
  expect(await changeRecipient(app.db, app.other.id, { name: '' })).toEqual(before)
})

it('takes the currencies that have hundredths in ISO 4217, also where people use none', () => {
  expect(['EUR', 'HUF', 'IDR', 'MGA'].map(currency => readPrice('2.50', currency))).toEqual([
    250, 250, 250, 250,
  ])
  expect(formatAmount('en', -123_450, 'HUF')).toBe('-HUF\u00a01,234.50')
})

describe('an issued invoice', () => {
  let id = ''
  let content: IssuedContent

  it('says what its row says, and is a PDF/A-3 with its fonts inside', async () => {
    await changeIssuer(app.db, 'main', { taxId: 'DE123456789', payment: ['IBAN DE89 3704'], prefix: 'L-' })
    const recipient = { name: 'Kawa Łódź Sp. z o.o.', address: ['ul. Piotrkowska 104'], taxId: 'PL1' }
    await changeRecipient(app.db, app.id, recipient)
    ;({ id, content } = await issue())
    const { body } = await app.get(`/v1/financial_documents/${id}`)
    expect(body.data).toMatchObject({
      number: 'L-00001',
      total_amount_cents: 9_282,
      period_start: '2026-11-01T00:00:00.000Z',
      period_end: '2026-11-30T23:59:59.999Z',
      due_date: '2026-12-15T23:59:59.999Z',
      created_at: now.toISOString(),
      receipt: null,
      file: {
        url: `http://localhost:3000/v1/financial_documents/${id}/file`,
        filename: 'invoice-L-00001.pdf',
        content_type: 'application/pdf',
      },
    })
    const { status, headers, bytes } = await fileOf(id)
    expect(headers['cache-control']).toBe('no-store')
    expect([status, headers['content-type'], headers['content-disposition'], bytes.length]).toEqual([
      200,
      'application/pdf',
      'attachment; filename="invoice-L-00001.pdf"',
      body.data.file.byte_size,
    ])
    const texts = await pdfTexts(bytes)
    const expected = [
      'Invoice',
      'Löwe & Söhne GmbH',
      'Tax ID: DE123456789',
      'Kawa Łódź Sp. z o.o.',
      'L-00001',
      'December 1, 2026',
      'December 15, 2026',
      'PL1',
      '39',
      '€2.00',
      '€78.00',
      '€14.82',
      'Total (EUR)',
      '€92.82',
      'IBAN DE89 3704',
    ]
    for (const text of expected) expect(texts).toContain(text)
    const raw = bytes.toString('latin1')
    expect(raw).toMatch(/^%PDF-1\.7/)
    expect(raw).toContain('<pdfaid:part>3</pdfaid:part>')
    expect(raw).toContain('<pdfaid:conformance>B</pdfaid:conformance>')
    expect(raw).toMatch(/\/OutputIntents/)
    const fonts = [...raw.matchAll(/\/BaseFont \/(\S+)/g)].map(([, name]) => name)
    expect(new Set(fonts).size).toBe(2)
    for (const font of fonts) expect(font).toMatch(/^[A-Z]{6}\+Arimo-(Regular|Bold)$/)
    expect(raw.match(/\/FontFile2/g)).toHaveLength(2)
  })

  it('has the same bytes for the same content, and is written in German for German workspaces', async () => {
    const { bytes } = await fileOf(id)
    expect((await drawDocument(content)).equals(bytes)).toBe(true)
    const german = await pdfTexts(await drawDocument({ ...content, language: 'de', locale: 'de' }))
    for (const text of ['Rechnung', 'Leistungszeitraum', '15. Dezember 2026', '92,82 €'])
      expect(german).toContain(text)
  })

  it('goes on with a second page before its totals, not inside them', async () => {
    const address = Array.from({ length: 6 }, () => 'Long street name '.repeat(6).trim())
    const long = 'Order '.repeat(16).trim()
    const issuer = { ...content.issuer, address }
    let breaks = 0
    for (let lines = 0; lines <= 6; lines++) {
      const recipient = {
        ...content.recipient,
        address: address.slice(0, lines),
        taxId: long,
        reference: long,
      }
      const bytes = await drawDocument({ ...content, issuer, recipient })
      const first = await pdfTexts(bytes)
      const hasTotal = first.includes('Total (EUR)')
      if (!hasTotal) breaks++
      const texts = hasTotal ? first : await pdfTexts(bytes, 2)
      for (const text of ['Net amount', 'Total (EUR)', '€14.82', '€92.82']) expect(texts).toContain(text)
    }
    expect(breaks).toBeGreaterThan(0)
  })

  it('never changes, whatever the operator sets later, and is not issued twice', async () => {
    const before = [(await app.get(`/v1/financial_documents/${id}`)).body, (await fileOf(id)).bytes]
    await changeIssuer(app.db, 'main', { name: 'Renamed', prefix: 'R-' })
    await expect(changeIssuer(app.db, 'other', { name: 'Other', prefix: 'L-' })).rejects.toThrow(
      'the issuer main has used the prefix L-',
    )
    await changeRecipient(app.db, app.id, { name: 'Renamed' })
    await app.db.query(
      insertPastSeats(
        app.id,
        november.map(({ day }) => ({ day, seats: 999 })),
      ),
    )
    await expect(issue()).rejects.toThrow('2026-11 has the invoice L-00001')
    expect([(await app.get(`/v1/financial_documents/${id}`)).body, (await fileOf(id)).bytes]).toEqual(before)
    for (const method of ['PATCH', 'PUT', 'DELETE', 'POST'])
      expect((await app.call(method, `/v1/financial_documents/${id}`)).status).toBe(405)
    await changeIssuer(app.db, 'main', { name: 'Löwe & Söhne GmbH', prefix: 'L-' })
  })

  it('is not found by another workspace, and not read without the scope', async () => {
    for (const path of ['', '/file'])
      expect((await app.get(`/v1/financial_documents/${id}${path}`, { key: app.other.key })).status).toBe(404)
    const created = await app.post('/v1/api_keys', { api_key: { name: 'k', scopes: ['teammates:read'] } })
    expect((await fileOf(id, created.body.data.key)).body.error.code).toBe('insufficient_scope')
    expect((await fileOf(id, 'nonsense')).status).toBe(401)
  })

  it('is not served when its file was changed in the store', async () => {
    const [row] = await app.db.query<{ key: string }>(sql`
      select workspace_id || '/documents/' || file_sha256 || '.pdf' as key from financial_documents where id = ${id}`)
    const { bytes } = await fileOf(id)
    await app.store.put(row?.key ?? '', Buffer.from('%PDF-1.7 forged'), 'application/pdf')
    const { status, headers, body } = await fileOf(id)
    expect([status, headers['retry-after'], body.error.code]).toEqual([503, '3600', 'unavailable'])
    expect(body.error.message).toContain('lost or was changed')
    await app.store.put(row?.key ?? '', bytes, 'application/pdf')
    expect((await fileOf(id)).status).toBe(200)
  })

  it('is cancelled once by a credit note, and the month can be issued again', async () => {
    const credit = (number: string) => creditInvoice(app.db, app.by, { number, note: 'Wrong price' }, deps())
    await expect(credit('L-99999')).rejects.toThrow('no issued invoice')
    const note = await credit('L-00001')
    const { body } = await app.get(`/v1/financial_documents/${note.id}`)
    expect(body.data).toMatchObject({ number: 'L-00002', total_amount_cents: -9_282, due_date: null })
    expect(body.data.file.filename).toBe('credit-note-L-00002.pdf')
    const texts = await pdfTexts((await fileOf(note.id)).bytes)
    for (const text of ['Credit note', 'Cancels invoice', 'L-00001', '-€92.82', 'Wrong price'])
      expect(texts).toContain(text)
    await expect(credit('L-00001')).rejects.toThrow('cancelled already')
    await expect(credit('L-00002')).rejects.toThrow('no issued invoice')
    const second = await issue({ seatRule: 'average', seatPrice: '1.99', taxRate: '0' })
    expect(second.content).toMatchObject({ number: 'L-00003', seatHundredths: 2_450, total: 4_876 })
    await expect(issue()).rejects.toThrow('has the invoice L-00003')
    expect((await issue({ again: true })).content.number).toBe('L-00004')
  })

  it('without tax is cancelled without a sign before the zero, by what the row keeps', async () => {
    const { id } = await creditInvoice(app.db, app.by, { number: 'L-00003', note: null }, deps())
    const [row] = await app.db.query<{ issued: IssuedContent }>(
      sql`select issued from financial_documents where id = ${id}`,
    )
    const { bytes } = await fileOf(id)
    expect((await drawDocument(row?.issued as IssuedContent)).equals(bytes)).toBe(true)
    const texts = await pdfTexts(bytes)
    expect([texts.includes('€0.00'), texts.includes('-€0.00'), texts.includes('-€48.76')]).toEqual([
      true,
      false,
      true,
    ])
  })

  it('has Latin digits and the years of everywhere, whatever locale its workspace has', async () => {
    const expected: readonly (readonly [string, string, string])[] = [
      ['ja', 'en', 'December 1, 2026'],
      ['fa', 'en', 'December 1, 2026'],
      ['ar-EG', 'en', 'December 1, 2026'],
      ['th', 'en', 'December 1, 2026'],
      ['en-TH', 'en', 'December 1, 2026'],
      ['en-IN', 'en', '1 December 2026'],
      ['de-CH', 'de', '1. Dezember 2026'],
    ]
    for (const [locale, language, date] of expected) {
      await app.db.query(sql`update workspaces set locale = ${locale} where id = ${app.id}`)
      const issued = await issue({ again: true })
      expect(issued.content.language, locale).toBe(language)
      expect(await pdfTexts((await fileOf(issued.id)).bytes), locale).toContain(date)
    }
    await app.db.query(sql`update workspaces set locale = 'en' where id = ${app.id}`)
    const forged = { ...content, locale: 'ja' }
    await expect(drawDocument(forged)).rejects.toThrow('locale has characters')
  })

  it('of a month that is over has also the days after the last count', async () => {
    const id = randomUUID()
    await app.db.query(sql`
      insert into workspaces (id, name, tracking_id, created_at, updated_at)
      values (${id}, 'Stopped', gen_random_uuid(), now(), now())`)
    await app.db.query(insertPastSeats(id, november.slice(0, 20)))
    const { content } = await issue({ seatRule: 'average' }, operator(id))
    expect(content).toMatchObject({ countedDays: 30, seatHundredths: 1_300 })
  })

  it('of a month that is not over counts the seats of now', async () => {
    const email = 'only@other.example'
    await app.post('/v1/teammates', { teammate: { email } }, { key: app.other.key })
    const today = new Date()
    const request = { ...usual, period: today.toISOString().slice(0, 7) }
    const { content } = await issueInvoice(app.db, app.other.by, request, {
      store: app.store,
      now: () => today,
    })
    expect(content).toMatchObject({ seatHundredths: 100, countedDays: 1 })
  })
})

it('100 parallel issues have numbers without a gap, also when some of them fail', async () => {
  await changeIssuer(app.db, 'many', { name: 'Many', prefix: 'M-', firstNumber: 501 })
  const ids = Array.from({ length: 10 }, () => randomUUID())
  await app.db.query(sql`
    insert into workspaces (id, name, tracking_id, created_at, updated_at)
    select id, 'Parallel', gen_random_uuid(), now(), now() from unnest(${ids}::uuid[]) id`)
  for (const id of ids) await app.db.query(insertPastSeats(id, november.slice(0, 1)))
  let puts = 0
  const store = {
    ...app.store,
    put: (...put: Parameters<typeof app.store.put>) =>
      ++puts % 7 === 0 ? Promise.reject(new Error('the disk is full')) : app.store.put(...put),
  }
  const request = { ...usual, issuer: 'many', again: true }
  /** On a slow machine a request can wait too long for one of the ten connections: it comes again. */
  const issueOne = async (id: string): Promise<IssuedDocument> => {
    for (;;)
      try {
        return await issueInvoice(app.db, operator(id), request, { store, now: () => now })
      } catch (error) {
        if (!(error instanceof ApiError && error.code === 'unavailable')) throw error
      }
  }
  const results = await Promise.allSettled(Array.from({ length: 100 }, (_, n) => issueOne(ids[n % 10] ?? '')))
  const issued = results.flatMap(result =>
    result.status === 'fulfilled' ? [result.value.content.number] : [],
  )
  expect([issued.length, results.length - issued.length]).toEqual([86, 14])
  const expected = Array.from({ length: 86 }, (_, n) => `M-00${501 + n}`)
  expect(issued.sort()).toEqual(expected)
  const stored = await app.db.query<{ number: string }>(
    sql`select number from financial_documents where number like 'M-%' order by number`,
  )
  expect(stored.map(({ number }) => number)).toEqual(expected)
})

it('amounts are rounded half up, without fractions of floating point', () => {
  expect(totalsOf(3_300, 105, 1_900)).toEqual({ net: 3_465, tax: 658, total: 4_123 })
  expect(totalsOf(1, 50, 0)).toEqual({ net: 1, tax: 0, total: 1 })
  expect(totalsOf(1, 49, 0)).toEqual({ net: 0, tax: 0, total: 0 })
  expect(totalsOf(90_000_001, 1_999, 770)).toEqual({
    net: 1_799_100_020,
    tax: 138_530_702,
    total: 1_937_630_722,
  })
})
