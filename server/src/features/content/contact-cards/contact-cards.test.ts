import { randomBytes } from 'node:crypto'
import jsqr from 'jsqr'
import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { sql } from '#kernel/db/db.ts'
import { type Answer, type TestApp, testApp } from '#test/support/app.ts'
import { runAllJobs } from '#test/support/jobs.ts'
import { fetchFile, pixels, solidPicture, upload } from '#test/support/pictures.ts'
import { stack } from '#test/support/signatures.ts'
import {
  connectedApp,
  createPublished,
  createTeammate,
  type FieldIds,
  fieldIds,
  setValues,
  startCampaign,
} from '#test/support/world.ts'
import { loadCardTokens } from './tokens.ts'

// The package is CommonJS: Node gives the function itself, which its types do not say.
const readQr = jsqr as unknown as typeof jsqr.default

const env = { SIGNOFF_PUBLIC_URL: 'https://sign.example.com', SIGNOFF_PRIVATE_TARGETS: '127.0.0.1' }
let app: TestApp
let receiver: Awaited<ReturnType<typeof connectedApp>>['receiver']
let fields: FieldIds
beforeAll(async () => {
  ;({ app, receiver } = await connectedApp({ env }))
  await app.post('/v1/smart_fields', { smart_field: { label: 'Website', kind: 'url' } })
  fields = await fieldIds(app)
})

const cardLink = { type: 'text', tokens: [{ value: 'Save my contact', href: { vcard: true } }] }
const cardCode = { type: 'qrCode', content: 'vcard' }
const linkCode = (text: string, more: object = {}) => ({
  type: 'qrCode',
  content: 'href',
  href: { text },
  ...more,
})

const createAda = (more: Record<string, string> = {}) =>
  createTeammate(app, {
    values: {
      [fields.first_name]: 'Ada',
      [fields.last_name]: 'Lovelace',
      [fields.company]: 'Example Ltd',
      [fields.mobile_phone]: '+44 7700 900000',
      [fields.website ?? '']: 'https://example.com/ada',
      ...more,
    },
  })

interface CardAddresses {
  readonly html: string
  readonly card: string
  readonly codes: readonly string[]
}

const addressesIn = (html: string): CardAddresses => ({
  html,
  card: /https:\/\/sign\.example\.com\/v\/[\w-]+\.vcf/.exec(html)?.[0] ?? '',
  codes: [...html.matchAll(/https:\/\/sign\.example\.com\/q\/[\w-]+\.png/g)].map(([url]) => url),
})

/** The addresses in content, as the preview for this address shows it. */
async function addressesFor(emailId: string | null, ...blocks: object[]): Promise<CardAddresses> {
  const content = stack(...(blocks.length > 0 ? blocks : [cardLink, cardCode]))
  const { status, body, text } = await app.post('/v1/content/preview', {
    content,
    ...(emailId !== null && { email_id: emailId }),
  })
  expect(status, text).toBe(200)
  return addressesIn(body.data.html)
}

async function scan(file: Answer): Promise<string> {
  expect([file.status, file.headers['content-type']]).toEqual([200, 'image/png'])
  const { data, info } = await sharp(file.bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  return readQr(new Uint8ClampedArray(data), info.width, info.height)?.data ?? 'not readable'
}

const scanAt = async (url: string | undefined) => scan(await fetchFile(app, url ?? ''))

describe('a link to a contact card', () => {
  it('leads to the current data of the person, as a file with the name of the person', async () => {
    const ada = await createAda({ [fields.last_name]: 'Łovelace "x"; /../' })
    const { card } = await addressesFor(ada.emailId)
    const file = await fetchFile(app, card)
    expect(file.status).toBe(200)
    expect(file.headers).toMatchObject({
      'content-type': 'text/vcard; charset=utf-8',
      'content-disposition':
        'attachment; filename="Ada ovelace x ...vcf"; filename*=UTF-8\'\'Ada%20%C5%81ovelace%20x%20...vcf',
      'x-robots-tag': 'noindex',
    })
    expect(file.text).toContain(`EMAIL;TYPE=INTERNET,PREF:${ada.email}\r\n`)
    expect(file.text).toContain('ORG:Example Ltd\r\n')
    await setValues(app, ada.id, { [fields.company]: 'Other; Ltd' })
    expect((await fetchFile(app, card)).text).toContain('ORG:Other\\; Ltd\r\n')
    expect((await addressesFor(ada.emailId)).card).toBe(card)
  })

  it('has a file name that stays inside its quotation marks, whatever the name of the person', async () => {
    const ada = await createAda({ [fields.last_name]: '＂; filename=＂a.exe＂； (x) ！＄＆ ½ é' })
    const { card } = await addressesFor(ada.emailId)
    const header = String((await fetchFile(app, card)).headers['content-disposition'])
    expect(header).toMatch(
      /^attachment; filename="[A-Za-z0-9 ._()-]+\.vcf"; filename\*=UTF-8''[\w.~!$&+^`|%-]+\.vcf$/,
    )
    expect(header).toContain('filename="Ada filename a.exe (x)')
  })

  it('is answered with 304 while the data stays the same', async () => {
    const ada = await createAda()
    const { card } = await addressesFor(ada.emailId)
    const { etag = '' } = (await fetchFile(app, card)).headers
    expect((await fetchFile(app, card, { 'if-none-match': etag })).status).toBe(304)
    await setValues(app, ada.id, { [fields.job_title]: 'Countess' })
    expect((await fetchFile(app, card, { 'if-none-match': etag })).status).toBe(200)
  })

  it('has a small photo of the person', async () => {
    const ada = await createAda()
    const { card } = await addressesFor(ada.emailId)
    const { id } = (await upload(app, await solidPicture(400, 300).png().toBuffer())).body.data
    await setValues(app, ada.id, { [fields.profile_picture]: id })
    const { text } = await fetchFile(app, card)
    const [, encoded = ''] =
      /PHOTO;ENCODING=b;TYPE=JPEG:([^:]+)\r\nEND/.exec(text.replaceAll('\r\n ', '')) ?? []
    const photo = await sharp(Buffer.from(encoded, 'base64')).metadata()
    expect([photo.format, photo.width, photo.height]).toEqual(['jpeg', 96, 96])
    expect((await fetchFile(app, card)).text).toBe(text)
  })

  it('is not found when it is forged, or when the address or its owner was deleted', async () => {
    const [ada, bob] = [await createAda(), await createAda()]
    const [{ card, codes }, other] = [await addressesFor(ada.emailId), await addressesFor(bob.emailId)]
    const token = card.slice('https://sign.example.com/v/'.length, -'.vcf'.length)
    const flipped = `${token.startsWith('A') ? 'B' : 'A'}${token.slice(1)}`
    const code = codes[0]?.split('/').at(-1)?.replace('.png', '') ?? ''
    for (const path of [
      `/v/${flipped}.vcf`,
      `/v/${token}`,
      `/v/${token}.png`,
      `/v/${token}=.vcf`,
      `/v/${token.slice(0, -1)}.vcf`,
      `/v/${code}.vcf`,
      `/q/${token}.png`,
      `/v/${'A'.repeat(10_000)}.vcf`,
      '/v/.vcf',
      '/v/a%0d%0ab.vcf',
      '/q/a%0ab.png',
      '/q/.png',
    ])
      expect((await app.get(path, { key: null })).status, path).toBe(404)
    const statuses = async (addresses: CardAddresses) =>
      Promise.all([addresses.card, ...addresses.codes].map(async url => (await fetchFile(app, url)).status))
    expect(await statuses(other)).toEqual([200, 200])
    await app.del(`/v1/teammates/${bob.id}`)
    expect(await statuses(other)).toEqual([404, 404])
    await app.db.query(sql`update emails set deleted_at = now() where id = ${ada.emailId}`)
    expect((await fetchFile(app, card)).status).toBe(404)
  })

  it('goes on working after the secret key was rotated', async () => {
    const [oldKey, newKey] = [0, 1].map(() => randomBytes(32).toString('base64'))
    const before = await testApp({ env: { ...env, SIGNOFF_SECRET_KEYS: oldKey ?? '' } })
    const { emailId } = await createTeammate(before)
    const preview = (on: TestApp) =>
      on.post('/v1/content/preview', { content: stack(cardLink), email_id: emailId }, { key: before.key })
    const { card } = addressesIn((await preview(before)).body.data.html)
    const { connection } = before
    const after = await testApp({ connection, env: { ...env, SIGNOFF_SECRET_KEYS: `${newKey},${oldKey}` } })
    expect((await fetchFile(after, card)).status).toBe(200)
    expect(addressesIn((await preview(after)).body.data.html).card).not.toBe(card)
    const without = await testApp({ connection, env: { ...env, SIGNOFF_SECRET_KEYS: newKey ?? '' } })
    expect((await fetchFile(without, card)).status).toBe(404)
  })
})

describe('a QR code', () => {
  it('of a link says the address, sharply, in its colour on white', async () => {
    const url = 'https://example.com/offer?a=1&b=ü'
    const { codes } = await addressesFor(null, linkCode(url, { size: 120, color: '#003366' }))
    const file = await fetchFile(app, codes[0] ?? '')
    expect(await scan(file)).toBe(new URL(url).href)
    expect(file.headers['cache-control']).toBe('public, max-age=31536000')
    const picture = await pixels(file.bytes)
    expect(picture.width).toBeGreaterThanOrEqual(240)
    const colours = new Set<string>()
    for (let x = 0; x < picture.width; x++)
      for (let y = 0; y < picture.height; y++) colours.add(picture.at(x, y).join())
    expect(colours).toEqual(new Set(['255,255,255,255', '0,51,102,255']))
    const { etag = '' } = file.headers
    expect((await fetchFile(app, codes[0] ?? '', { 'if-none-match': etag })).status).toBe(304)
  })

  it('of an address of 500 bytes can be read; a longer address has no code', async () => {
    const long = 'https://example.com/'.padEnd(500, 'a1')
    expect(await scanAt((await addressesFor(null, linkCode(long))).codes[0])).toBe(long)
    expect((await addressesFor(null, linkCode(`${long}x`))).codes).toEqual([])
    const { qr } = await loadCardTokens(app.parts.vault)
    const token = qr.make({ source: { text: `${long}x` }, size: 96, color: '#000000' })
    expect((await app.get(`/q/${token}.png`, { key: null })).status).toBe(404)
  })

  it('of the contact card can be scanned', async () => {
    const ada = await createAda()
    const { codes } = await addressesFor(ada.emailId)
    expect(await scanAt(codes[0])).toBe(
      [
        'BEGIN:VCARD',
        'VERSION:3.0',
        'N:Lovelace;Ada;;;',
        'FN:Ada Lovelace',
        `EMAIL:${ada.email}`,
        'TEL;TYPE=CELL:+44 7700 900000',
        'ORG:Example Ltd',
        'URL:https://example.com/ada',
        'END:VCARD',
        '',
      ].join('\r\n'),
    )
  })

  it('has another address when the data changes; the old address shows the new data', async () => {
    const ada = await createAda()
    const before = (await addressesFor(ada.emailId)).codes[0] ?? ''
    await setValues(app, ada.id, { [fields.department]: 'Engines' }) // not part of the code
    expect((await addressesFor(ada.emailId)).codes[0]).toBe(before)
    await setValues(app, ada.id, { [fields.last_name]: 'King' })
    const after = (await addressesFor(ada.emailId)).codes[0]
    expect(after).not.toBe(before)
    const old = await fetchFile(app, before)
    expect(await scan(old)).toBe(await scanAt(after))
    expect(old.headers['cache-control']).toBe('public, max-age=3600')
  })

  it('of a preview without an address has the data of the placeholder', async () => {
    const { card, codes } = await addressesFor(null)
    expect(await scanAt(codes[0])).toContain('FN:Alex Morgan\r\n')
    const file = await fetchFile(app, card)
    expect([file.status, file.text.includes('FN:Alex Morgan\r\n')]).toEqual([200, true])
    expect(file.headers['content-disposition']).toContain('"contact.vcf"')
  })
})

describe('a picture of a preview', () => {
  it('shows the QR code, which can be scanned from it', async () => {
    const drawing = await testApp({ draws: true })
    const content = stack(linkCode('https://example.com/drawn', { size: 200 }))
    expect(await scan(await drawing.post('/v1/content/preview.png', { content }))).toBe(
      'https://example.com/drawn',
    )
  })
})

describe('a signature with a contact card', () => {
  it('has the same addresses in the preview and in the mailbox, which is rewritten only when the code changes', async () => {
    const ada = await createAda()
    const draft_content = stack(cardLink, cardCode)
    const id = await createPublished(app, { draft_content }, ada.emailId)
    await runAllJobs(app)
    const inMailbox = () => addressesIn(receiver.mailboxes.get(ada.email) ?? '')
    const first = inMailbox()
    expect([first.card, ...first.codes].every(url => url !== '')).toBe(true)
    const preview = await app.get(`/v1/signatures/${id}/preview?email_id=${ada.emailId}`)
    expect(addressesIn(preview.body.data.html).codes).toEqual(first.codes)
    receiver.writes.clear()
    await setValues(app, ada.id, { [fields.department]: 'Engines' })
    await runAllJobs(app)
    expect(receiver.writes.size).toBe(0)
    await setValues(app, ada.id, { [fields.last_name]: 'King' })
    await runAllJobs(app)
    expect(receiver.writes.get(ada.email)).toBe(1)
    expect(inMailbox().card).toBe(first.card)
    expect(inMailbox().codes).not.toEqual(first.codes)
    expect(await scanAt(inMailbox().codes[0])).toContain('FN:Ada King')
  })

  it('has the website of the brand, and mailboxes are rewritten when it changes', async () => {
    const ada = await createAda({ [fields.website ?? '']: '' })
    const bob = await createAda()
    for (const { emailId } of [ada, bob])
      await createPublished(app, { draft_content: stack(cardLink, cardCode) }, emailId)
    await runAllJobs(app)
    receiver.writes.clear()
    await app.patch('/v1/workspace/brand', { website: 'https://www.northbean.example' })
    await runAllJobs(app)
    // Bob has a website of his own, so his signature stays the same.
    expect([receiver.writes.get(ada.email), receiver.writes.get(bob.email)]).toEqual([1, undefined])
    const { card, codes } = addressesIn(receiver.mailboxes.get(ada.email) ?? '')
    const url = 'URL:https://www.northbean.example/\r\n'
    expect((await fetchFile(app, card)).text).toContain(url)
    const file = await fetchFile(app, codes[0] ?? '')
    expect(await scan(file)).toContain(url)
    expect(file.headers['cache-control']).toBe('public, max-age=31536000')
  })

  it('shows the card in the banner of a campaign, and in its preview', async () => {
    const ada = await createAda()
    await createPublished(app, { draft_content: stack({ type: 'marketing' }) }, ada.emailId)
    const campaign = await startCampaign(app, { content: stack(cardCode) })
    const live = (await app.get(`/v1/emails/${ada.emailId}/signature`)).body.data.html
    const preview = (await app.get(`${campaign}/preview?email_id=${ada.emailId}`)).body.data.html
    const { card, codes } = addressesIn(live)
    expect(card).not.toBe('')
    expect(addressesIn(preview)).toMatchObject({ card, codes })
  })
})
