// What the owner of a page changes there without a browser: protection of the forms, old links, who is named.
import { beforeAll, describe, expect, it } from 'vitest'
import { sql } from '#kernel/db/db.ts'
import { type Answer, type TestApp, testApp } from '#test/support/app.ts'
import { runAllJobs } from '#test/support/jobs.ts'
import { type MailServer, startMailServer } from '#test/support/mail/mail.ts'
import { solidPicture, upload } from '#test/support/pictures.ts'
import { createTeammate, type FieldIds, fieldIds, unknownId } from '#test/support/world.ts'
import { fractionsOf, largestZoomOf, moveCrop, startCrop, zoomCrop } from './crop.js'
import { likelyProgram } from './programs.ts'

let app: TestApp
let mail: MailServer
let fields: FieldIds
beforeAll(async () => {
  mail = await startMailServer()
  app = await testApp({ env: { SIGNOFF_SMTP_URL: mail.url } })
  fields = await fieldIds(app)
  for (const [key, approval] of [
    ['mobile_phone', 'none'],
    ['job_title', 'required'],
  ] as const)
    await app.patch(`/v1/smart_fields/${fields[key]}`, { editable_by_owner: true, approval })
})

async function createPage() {
  const person = await createTeammate(app)
  const { url } = (await app.get(`/v1/emails/${person.emailId}/personal_page`)).body.data
  return { ...person, path: new URL(url).pathname }
}
const own = { 'sec-fetch-site': 'same-origin' }
const submit = (path: string, form: Record<string, string>, headers: Record<string, string> = own) =>
  app.call('POST', path, {
    key: null,
    payload: new URLSearchParams(form).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  })
const storedValue = async (id: string, fieldId: string) =>
  (await app.get(`/v1/teammates/${id}`)).body.data.smart_fields.find(
    (item: { smart_field_id: string }) => item.smart_field_id === fieldId,
  ).value
const get = (path: string, language = 'en'): Promise<Answer> =>
  app.get(path, { key: null, headers: { 'accept-language': language } })

describe('a form of a personal page', () => {
  it('changes editable fields alone, and the audit log names the page', async () => {
    const { id, path } = await createPage()
    const form = { [`field-${fields.mobile_phone}`]: '+49 1234', [`field-${fields.first_name}`]: 'Eve' }
    const answer = await submit(`${path}/values`, form)
    expect([answer.status, answer.headers.location]).toEqual([303, `${path}?done=saved#details`])
    expect(await storedValue(id, fields.mobile_phone)).toBe('+49 1234')
    expect(await storedValue(id, fields.first_name)).toBeNull()
    const [entry] = (await app.get(`/v1/audit_log?resource_id=${id}`)).body.data
    expect(entry).toMatchObject({ action: 'teammate.updated', via: 'personal_page', member_id: null })
  })

  it('asks for a change; the page shows the decision until the value changes again', async () => {
    const { id, path } = await createPage()
    const decide = async (title: string, action: string) => {
      await submit(`${path}/values`, { [`field-${fields.job_title}`]: title })
      const [change] = (await app.get(`/v1/profile_changes?teammate_id=${id}&status=pending`)).body.data
      expect((await app.post(`/v1/profile_changes/${change.id}/${action}`)).status).toBe(200)
    }
    await decide('Emperor', 'reject')
    expect((await get(path)).text).toContain('Not approved: Emperor')
    await decide('Lead', 'approve')
    const approved = 'Approved. Your signature shows it now.'
    expect((await get(path)).text).toContain(approved)
    expect((await get(path, 'de')).text).toContain('Freigegeben. Ihre Signatur zeigt es jetzt.')
    await decide('', 'approve')
    expect((await get(path)).text).toContain('Approved: the value is removed.')
    await decide('Lead', 'approve')
    const age = sql`update profile_changes set decided_at = now() - interval '15 days' where teammate_id = ${id}`
    await app.db.query(age)
    expect((await get(path)).text).not.toContain(approved)
    await decide('Chief', 'approve')
    const smart_fields = [{ smart_field_id: fields.job_title, value: 'Engineer' }]
    await app.patch(`/v1/teammates/${id}`, { teammate: { smart_fields } })
    expect((await get(path)).text).not.toContain(approved)
  })

  it('of another website, or without a trace of its origin, is refused', async () => {
    const { id, path } = await createPage()
    const form = { [`field-${fields.mobile_phone}`]: '+49 1234' }
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }, {}])
      expect((await submit(`${path}/values`, form, headers)).status).toBe(403)
    const image = { smart_field_id: fields.profile_picture, file_base64: 'aGVsbG8=', filename: 'a.png' }
    const sent = (headers: Record<string, string>) =>
      app.post(`${path}/picture`, image, { key: null, headers })
    expect((await sent({ origin: 'https://evil.example' })).body.error.code).toBe('cross_origin')
    expect((await sent(own)).body.error.code).toBe('insufficient_role') // the field is not editable
    expect(await storedValue(id, fields.mobile_phone)).toBeNull()
  })

  it('is refused when a page is changed too often', async () => {
    const { path } = await createPage()
    const statuses = new Set<number>()
    for (let n = 0; n < 61; n++) statuses.add((await submit(`${path}/withdraw`, {})).status)
    expect([...statuses]).toEqual([303, 429])
  })

  it('of a wrong link changes nothing and says nothing', async () => {
    const { path } = await createPage()
    const wrong = path.replace(/.$/, last => (last === 'A' ? 'B' : 'A'))
    for (const name of ['values', 'link', 'withdraw', 'picture/remove'])
      expect((await submit(`${wrong}/${name}`, {})).status).toBe(404)
  })
})

describe('the API', () => {
  it('hands out the link of a page to callers that can change signatures, and to its owner', async () => {
    const [mine, foreign] = [await createTeammate(app), await createTeammate(app)]
    const at = ({ emailId }: typeof mine) => `/v1/emails/${emailId}/personal_page`
    const member = await app.signIn({ role: 'member', email: mine.email })
    const alias = await app.post('/v1/emails', {
      email: { teammate_id: mine.id, address: `alias.${mine.email}` },
    })
    for (const id of [mine.emailId, alias.body.data.id])
      expect((await member.get(`/v1/emails/${id}/personal_page`)).status).toBe(200)
    const manager = await app.signIn({ role: 'manager' })
    expect((await manager.get(at(mine))).body.data.url).toMatch(/\/p\//)

    const before = (await app.get('/v1/audit_log?limit=1')).body.pagination.total_count
    const refused = await member.get(at(foreign))
    expect([refused.status, refused.body.error.code]).toEqual([403, 'insufficient_role'])
    expect((await member.get(`/v1/emails/${unknownId}/personal_page`)).status).toBe(404)
    const created = await app.post('/v1/api_keys', { api_key: { name: 'Reader', scopes: ['*:read'] } })
    const reader = await app.get(at(mine), { key: created.body.data.key })
    expect([reader.status, reader.body.error.code]).toEqual([403, 'insufficient_scope'])
    const pages = await app.db.query(sql`select from personal_pages where email_id = ${foreign.emailId}`)
    expect(pages).toHaveLength(0)
    const after = (await app.get('/v1/audit_log?limit=1')).body.pagination.total_count
    expect(after - before).toBe(1) // the key
  })
})

describe('a link that is older than the workspace allows', () => {
  const age = (emailId: string) =>
    app.db.query(
      sql`update personal_pages set created_at = now() - interval '31 days' where email_id = ${emailId}`,
    )
  const allowDays = (days: number | null) => app.patch('/v1/workspace', { personal_page_link_days: days })

  it('shows a button that mails a fresh link to the address, a few times', async () => {
    const { id, email, emailId, path } = await createPage()
    await age(emailId)
    expect((await get(path)).text).toContain('Your details')
    await allowDays(30)
    const old = await get(path)
    expect([old.status, old.text.includes('This link is old'), old.text.includes(email)]).toEqual([
      200,
      true,
      false,
    ])
    const form = { [`field-${fields.mobile_phone}`]: '+49 1234' }
    expect((await submit(`${path}/values`, form)).text).toContain('This link is old')
    expect(await storedValue(id, fields.mobile_phone)).toBeNull()
    expect((await app.post(`${path}/copied`, undefined, { key: null })).status).toBe(404)

    const texts = new Set<string>()
    for (let n = 0; n < 5; n++) {
      const answer = await submit(`${path}/link`, {})
      texts.add(`${answer.status} ${answer.text}`)
    }
    expect(texts.size).toBe(1)
    await runAllJobs(app)
    const mails = mail.mails.filter(({ to }) => to === email)
    expect(mails).toHaveLength(3)
    const fresh = /\/p\/[\w-]{22}\/[\w-]{22}/.exec(mails[2]?.text.replaceAll('=3D', '=') ?? '')?.[0] ?? ''
    expect(fresh).not.toBe(path)
    expect((await get(fresh)).text).toContain('Your details')
    expect((await get(path)).text).toContain('This link is old')
    await allowDays(null)
    await app.post(`/v1/emails/${emailId}/personal_page/rotate`)
    for (const dead of [path, fresh]) expect((await get(dead)).status).toBe(404)
  })

  it('is replaced when the API hands it out', async () => {
    const { emailId, path } = await createPage()
    await age(emailId)
    await allowDays(30)
    const { url, expires_at } = (await app.get(`/v1/emails/${emailId}/personal_page`)).body.data
    expect([new URL(url).pathname === path, Date.parse(expires_at) > Date.now()]).toEqual([false, true])
    await allowDays(null)
  })
})

describe('the look of a page', () => {
  it('is that of the company, in the language of the browser', async () => {
    const { path } = await createPage()
    const logo = (await upload(app, await solidPicture(400, 100, '#123456').png().toBuffer())).body.data
    await app.patch('/v1/workspace/brand', { logo_asset_id: logo.id, colors: { primary: '#ffe9a8' } })
    const { text } = await get(path, 'xx, ar-EG;q=0.8, en;q=0.5')
    expect(text).toContain('<html lang="ar" dir="rtl" style="--brand:')
    expect(text).not.toContain('--brand:#ffe9a8') // too light to be read on white
    expect(text).toMatch(/<img class="logo" src="[^"]*\/files\/[^"]*" width="176" height="44"/)
    for (const [language, words] of [
      ['de-AT', 'Ihre E-Mail-Signatur'],
      ['fr', 'Votre signature e-mail'],
      ['es', 'Su firma de correo'],
      ['it', 'La tua firma e-mail'],
      ['nl', 'Uw e-mailhandtekening'],
      ['pt-BR', 'A sua assinatura de e-mail'],
      ['ja', 'Your email signature'],
    ] as const)
      expect((await get(path, language)).text, language).toContain(words)
  })

  it.each([
    ['gmail', 'Mozilla/5.0 (Windows NT 10.0) Chrome/140.0 Safari/537.36', ''],
    ['new_outlook', 'Mozilla/5.0 (Windows NT 10.0) Chrome/140.0 Safari/537.36 Edg/140.0', ''],
    ['outlook_web', 'Mozilla/5.0 (Windows NT 10.0) Chrome/140.0', 'https://outlook.office.com/mail/'],
    [
      'apple_mail',
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15) AppleWebKit/605 Version/18.1 Safari/605',
      '',
    ],
    ['apple_mail', 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)', ''],
    ['thunderbird', 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', ''],
  ])('opens the steps of %s', (program, userAgent, referrer) => {
    expect(likelyProgram(userAgent, referrer)).toBe(program)
  })
})

describe('a crop', () => {
  it('never leaves its picture, and zooms around a point', () => {
    const start = startCrop(1_200, 600)
    expect(fractionsOf(start)).toEqual({ x: 0.25, y: 0, width: 0.5, height: 1 })
    expect(moveCrop(start, 9_999, 9_999)).toMatchObject({ x: 600, y: 0 })
    const zoomed = zoomCrop(start, 2, 0, 0)
    expect(zoomed).toMatchObject({ x: 300, y: 0, side: 300 })
    expect(zoomCrop(zoomed, 0).side).toBe(600)
    expect(zoomCrop(start, 99).side).toBe(600 / largestZoomOf(start))
    expect(largestZoomOf(startCrop(20, 10))).toBe(1)
  })
})
