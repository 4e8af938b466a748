// Money by the command line: seat limits, invoices, and documents of Stripe from a strict stand-in.
import { beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '#test/support/app.ts'
import { type CommandResult, command } from '#test/support/command.ts'
import { fileOf, type Stripe, startStripe } from '#test/support/outside/stripe.ts'
import { urlOf } from '#test/support/postgres/postgres.ts'

let app: TestApp
let stripe: Stripe
beforeAll(async () => {
  app = await testApp({ env: { SIGNOFF_PRIVATE_TARGETS: '127.0.0.1' } })
  stripe = await startStripe()
})

const signoff = (...args: readonly string[]): Promise<CommandResult> =>
  command(args, {
    DATABASE_URL: urlOf(app.connection),
    SIGNOFF_DATA_DIR: app.config.dataDir,
    SIGNOFF_PRIVATE_TARGETS: '127.0.0.1',
  })
const run = (...more: string[]) =>
  signoff('billing', 'import', 'stripe', '--workspace', app.id, '--api', stripe.api, ...more)
const importAll = () => run('--key', stripe.key, '--customer', stripe.customer)
const documents = async (key = app.key) => (await app.get('/v1/financial_documents?limit=100', { key })).body

describe('an import from Stripe', () => {
  it('brings all pages with files, and leaves out drafts and void invoices', async () => {
    for (let n = 1; n <= 101; n++) stripe.add(`NB-${String(n).padStart(4, '0')}`)
    stripe.add('NB-VOID', { status: 'void' })
    stripe.add(null, { status: 'draft' })
    stripe.add('CN-0001', { object: 'credit_note', total: 2_500 })
    stripe.add('CN-VOID', { object: 'credit_note', status: 'void' })
    stripe.failures.push({ status: 429, retryAfter: '1', path: /invoices/ })
    const { code, out, err } = await importAll()
    expect([code, out, err]).toEqual([0, expect.stringContaining('Imported 102; 0 were here already; 3'), ''])
    const pages = stripe.requests.filter(path => path.startsWith('/v1/invoices'))
    expect(pages.map(path => path.includes('starting_after'))).toEqual([false, false, true])
    const { data, pagination } = await documents()
    expect(pagination.total_count).toBe(102)
    const credit = data.find(({ number }: { number: string }) => number === 'CN-0001')
    expect(credit).toMatchObject({ total_amount_cents: -2_500, processor_receipt_url: null, due_date: null })
    expect(data[0]).toMatchObject({
      number: 'CN-0001',
      file: { filename: 'credit-note-CN-0001.pdf', byte_size: fileOf('CN-0001').length },
    })
    const newest = data.find(({ number }: { number: string }) => number === 'NB-0101')
    expect(newest).toMatchObject({
      total_amount_cents: 10_101,
      due_date: '2026-01-15T00:00:00.000Z',
      period_start: '2025-12-01T00:00:00.000Z',
      processor_receipt_url: 'https://invoice.stripe.com/i/NB-0101',
    })
    const file = await app.get(new URL(newest.file.url).pathname)
    expect(file.bytes.equals(fileOf('NB-0101'))).toBe(true)
    expect((await documents(app.other.key)).pagination.total_count).toBe(0)
  })

  it('brings nothing twice, and only what is new', async () => {
    const before = await documents()
    stripe.requests.length = 0
    expect((await importAll()).out).toContain('Imported 0; 102 were here already; 3')
    expect(stripe.requests.filter(path => path.startsWith('/files'))).toEqual([])
    expect(await documents()).toEqual(before)
    stripe.add('NB-0102')
    const [old] = stripe.invoices.filter(({ number }) => number === 'NB-0100')
    if (old) old.status = 'void'
    const { out } = await importAll()
    expect(out).toContain('Imported 1; 101 were here already')
    expect(out).toContain('NB-0100 is void at Stripe now')
    expect((await documents()).pagination.total_count).toBe(103)
  })

  it('leaves out a document whose file is missing, too large or no PDF, until it can be had', async () => {
    stripe.add('NB-0103')
    stripe.add('NB-0104')
    stripe.add('NB-0105')
    stripe.files.set('NB-0103', Buffer.from('<html>sign in</html>'))
    stripe.files.set('NB-0104', Buffer.concat([fileOf('big'), Buffer.alloc(11 * 1024 * 1024)]))
    const { code, out, err } = await importAll()
    expect([code, out]).toEqual([1, expect.stringContaining('Imported 1;')])
    expect(err).toContain('NB-0103: its file is no PDF')
    expect(err).toMatch(/NB-0104: its file cannot be fetched: the address .*10 MB/)
    expect((await documents()).pagination.total_count).toBe(104)
    stripe.files.clear()
    expect(await importAll()).toMatchObject({ code: 0, out: expect.stringContaining('Imported 2;') })
  })

  it('lists odd records and documents without a file, and brings the others', async () => {
    const [odd, early] = [
      stripe.add('NB-0106', { created: 'yesterday' }),
      stripe.add('NB-0107', { invoice_pdf: null }),
    ]
    stripe.add('NB-0108', { currency: 'jpy' })
    stripe.add('NB-0109', { currency: 'huf' })
    stripe.add('NB-0109', { created: 1_700_000_000 }) // from another account of Stripe
    const { code, out, err } = await importAll()
    expect([code, out]).toEqual([1, expect.stringContaining('Imported 1;')])
    expect(err).toContain('NB-0106: Stripe sent no usable total, currency, status or date')
    expect(err).toContain('NB-0107: it has no file yet')
    expect(err).toContain('NB-0108: its currency, JPY,')
    expect(err).toContain('NB-0109: another document with this number was imported before')
    delete odd.created
    delete early.invoice_pdf
    expect((await importAll()).out).toContain('Imported 2;')
  })

  it('says what is wrong with the key, the customer and the answer', async () => {
    const wrongKey = await run('--key', 'sk_test_wrong_key', '--customer', stripe.customer)
    expect([wrongKey.code, wrongKey.err]).toEqual([1, expect.stringContaining('401: Invalid API Key')])
    expect(wrongKey.err).not.toContain('sk_test_wrong_key')
    const unknown = await run('--key', stripe.key, '--customer', 'cus_none')
    expect(unknown.err).toContain("404: No such customer: 'cus_none'")
    expect((await run('--customer', stripe.customer)).err).toContain('--key or by --key-file')
    const away = await run('--key-file', '/nowhere', '--customer', stripe.customer)
    expect(away.err).toContain('cannot be read')
  })

  it('says what it has imported before Stripe answers with an error', async () => {
    stripe.add('NB-0110')
    stripe.failures.push({ status: 400, path: /credit_notes/ })
    const { code, out, err } = await importAll()
    expect([code, out]).toEqual([1, expect.stringMatching(/^Imported 1; \d+ were here already/)])
    expect(err).toMatch(/(^|\n)Stripe answered 400: Try again\n$/)
  })

  it('gives up a host of files that does not answer, and shows control characters as numbers', async () => {
    const gone = ['NB-0111', 'NB-0112', 'NB-0113', 'NB-0114']
    for (const number of gone) stripe.add(number, { invoice_pdf: 'http://127.0.0.1:1/file.pdf' })
    stripe.add('NB-\u001b[2J')
    const { code, out, err } = await importAll()
    expect([code, out]).toEqual([1, expect.stringContaining('Imported 0;')])
    expect(err).toContain('  NB-\\u{1b}[2J: its number is not usable')
    expect(err).toContain('NB-0112: its file cannot be fetched: the address')
    expect(err).toContain('NB-0111: its file cannot be fetched: 127.0.0.1:1 did not answer for others')
    stripe.invoices.splice(0, gone.length + 1)
  })
})

describe('the operator', () => {
  const other = () => ['--workspace', app.other.id]
  const month = new Date().toISOString().slice(0, 7)

  it('issues an invoice for a workspace, and cancels it', async () => {
    const email = 'one@seats.example'
    await app.post('/v1/teammates', { teammate: { email } }, { key: app.other.key })
    const issue = [
      'billing',
      'issue',
      '--period',
      month,
      '--seat-price',
      '2.00',
      '--currency',
      'EUR',
      ...other(),
    ]
    expect((await signoff(...issue)).err).toContain('there is no issuer main')
    const issuer = ['billing', 'issuer', '--name', 'Elbcloud', '--address', 'Kai 30', '20457 Hamburg']
    expect((await signoff(...issuer)).out).toContain('The next number is INV-00001')
    expect((await signoff('billing', 'issuer')).out).toMatch(/main +Elbcloud +Kai 30, 20457 Hamburg/)
    const recipient = ['billing', 'recipient', '--reference', 'Order 7', ...other()]
    expect((await signoff(...recipient)).out).toMatch(/Order 7/)
    const { out } = await signoff(...issue)
    expect(out).toContain('INV-00001: €2.00 for 1 seats.')
    const { plan } = (await app.get('/v1/workspace', { key: app.other.key })).body.data
    expect(plan).toMatchObject({ tier: 'self_hosted', billing_interval: 'month' })
    const log = await app.get('/v1/audit_log?resource=financial_document', { key: app.other.key })
    expect(log.body.data[0]).toMatchObject({ resource_name: 'INV-00001' })
    const same = await signoff('billing', 'issuer', '--issuer', 'second', '--name', 'Second')
    expect([same.code, same.err]).toEqual([1, expect.stringContaining('main has the prefix INV-')])
    await app.patch('/v1/workspace', { workspace: { name: 'Renamed' } }, { key: app.other.key })
    expect((await signoff('billing', 'recipient', ...other())).out).toBe('Renamed\nOrder 7\n')
    expect(out).toContain('The month is not over')
    expect(await signoff(...issue)).toMatchObject({ code: 1, err: expect.stringContaining('INV-00001') })
    const credited = await signoff('billing', 'credit', 'INV-00001', ...other())
    expect(credited.out).toContain('INV-00002: -€2.00')
    expect(credited.out).toContain('INV-00001 is cancelled. Its period can be issued again.')
    await signoff(...issue)
    await signoff(...issue, '--again')
    const credit = await signoff('billing', 'credit', 'INV-00003', ...other())
    expect(credit.out).toContain('INV-00003 is cancelled. Its period has the invoice INV-00004 too.')
    expect((await signoff('billing', 'list', ...other())).out).toMatch(
      /INV-00002 +credit note +issued +-€2.00/,
    )
  })

  it('limits the seats of a workspace', async () => {
    const limit = (value: string) => signoff('workspaces', 'seat-limit', value, ...other())
    expect((await limit('2')).out).toContain('At most 2 people')
    const seats = async () => (await app.get('/v1/workspace', { key: app.other.key })).body.data.seats
    expect(await seats()).toEqual({ now: 1, max_this_month: 1, limit: 2 })
    expect((await limit('many')).err).toContain('Say a number of seats')
    await limit('none')
    expect((await seats()).limit).toBeNull()
    const log = await app.get('/v1/audit_log?limit=1', { key: app.other.key })
    expect(log.body.data[0].action).toBe('workspace.seat_limit_changed')
  })
})
