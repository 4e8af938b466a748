import { beforeAll, describe, expect, it } from 'vitest'
import { sql } from '#kernel/db/db.ts'
import { fieldErrors, type TestApp, testApp } from '#test/support/app.ts'
import { createSignature, field, stack, text } from '#test/support/signatures.ts'
import { createTeammate, fieldIds, unknownId } from '#test/support/world.ts'

let app: TestApp
let path: string
let emailId: string

beforeAll(async () => {
  app = await testApp({ draws: true })
  const { first_name: firstName } = await fieldIds(app)
  path = (await createSignature(app, { draft_content: stack(text('Published'), field(firstName)) })).headers
    .location!
  await app.post(`${path}/publish`)
  await app.patch(path, { draft_content: stack(text('Draft'), field(firstName)) })
  emailId = (await createTeammate(app, { values: { [firstName]: 'Grace' } })).emailId
})

const previewText = async (query: string, at = path) =>
  (await app.get(`${at}/preview?${query}`)).body.data.text

describe('a preview', () => {
  it('shows the draft or the requested source with placeholder values', async () => {
    const { status, body } = await app.get(`${path}/preview`)
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ text: 'Draft\nAlex', bytes: Buffer.byteLength(body.data.html) })
    expect(body.data.html).toContain('Draft')
    expect(await previewText('source=draft')).toBe('Draft\nAlex')
    expect(await previewText('source=published')).toBe('Published\nAlex')
  })

  it('shows the values of an address, only of this workspace', async () => {
    expect(await previewText(`email_id=${emailId}`)).toBe('Draft\nGrace')
    expect(await previewText(`source=published&email_id=${emailId}`)).toBe('Published\nGrace')
    const foreign = await createTeammate(app, { key: app.other.key })
    for (const id of [unknownId, foreign.emailId])
      expect(fieldErrors(await app.get(`${path}/preview?email_id=${id}`))).toEqual({
        email_id: 'unknown_reference',
      })
  })

  it('shows the published content if there is no draft, and is empty if there is neither', async () => {
    const newPath = (await createSignature(app)).headers.location!
    const nothing = { html: '', text: '', bytes: 0, installed_bytes: 0, warnings: [] }
    expect((await app.get(`${newPath}/preview`)).body.data).toEqual(nothing)
    expect(fieldErrors(await app.get(`${newPath}/preview?email_id=${unknownId}`))).toEqual({
      email_id: 'unknown_reference',
    })
    await app.patch(newPath, { draft_content: stack(text('Live')) })
    expect((await app.get(`${newPath}/preview?source=published`)).body.data).toEqual(nothing)
    await app.post(`${newPath}/publish`)
    await app.patch(newPath, { draft_content: null })
    expect(await previewText('', newPath)).toBe('Live')
    expect(await previewText('source=draft', newPath)).toBe('')
  })

  it('refuses an unknown source and an invalid or unknown id', async () => {
    expect(fieldErrors(await app.get(`${path}/preview?source=live&email_id=x`))).toEqual({
      source: 'not_allowed',
      email_id: 'invalid',
    })
    expect((await app.get(`/v1/signatures/${unknownId}/preview`)).status).toBe(404)
  })

  it('is available as PNG', async () => {
    const empty = (await createSignature(app)).headers.location!
    for (const [pngPath, width] of [
      [`${path}/preview.png`, 1400],
      [`${path}/preview.png?theme=dark&width=phone&email_id=${emailId}`, 750],
      [`${empty}/preview.png`, 1400],
    ] as const) {
      const answer = await app.get(pngPath)
      expect([answer.status, answer.headers['content-type']]).toEqual([200, 'image/png'])
      expect(answer.bytes.readUInt32BE(16)).toBe(width)
    }
    expect(fieldErrors(await app.get(`${path}/preview.png?theme=blue`))).toEqual({ theme: 'not_allowed' })
    expect(fieldErrors(await app.get(`${path}/preview.png?email_id=${unknownId}`))).toEqual({
      email_id: 'unknown_reference',
    })
  })
})

describe('the HTML of a recipient', () => {
  it('is the published content with the values of the recipient', async () => {
    const notRecipient = await app.get(`${path}/html?email_id=${emailId}`)
    expect([notRecipient.status, fieldErrors(notRecipient)]).toEqual([422, { email_id: 'not_a_recipient' }])
    await app.db.query(sql`
      insert into recipients (workspace_id, signature_id, email_id, by_hand)
      values (${app.id}, ${path.split('/').at(-1)}, ${emailId}, true)`)
    const { status, body } = await app.get(`${path}/html?email_id=${emailId}`)
    expect([status, body.data.text]).toEqual([200, 'Published\nGrace'])
    expect(Object.keys(body.data)).toEqual(['html', 'text', 'bytes', 'warnings'])
  })

  it('requires an existing address', async () => {
    const missing = await app.get(`${path}/html`)
    expect([missing.status, fieldErrors(missing)]).toEqual([422, { email_id: 'missing' }])
    expect(fieldErrors(await app.get(`${path}/html?email_id=x`))).toEqual({ email_id: 'invalid' })
    expect((await app.get(`${path}/html?email_id=${unknownId}`)).status).toBe(404)
    expect((await app.get(`/v1/signatures/${unknownId}/html?email_id=${emailId}`)).status).toBe(404)
    expect((await app.get(`/v1/signatures/${unknownId}/html`)).status).toBe(404)
  })
})
