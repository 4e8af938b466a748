// What people change themselves, and how managers decide on it.
import { beforeAll, describe, expect, it } from 'vitest'
import { sql } from '#kernel/db/db.ts'
import { type Answer, fieldErrors, type SignedIn, type TestApp, testApp } from '#test/support/app.ts'
import { runAllJobs } from '#test/support/jobs.ts'
import { type MailServer, readMail, startMailServer } from '#test/support/mail/mail.ts'
import { solidPicture } from '#test/support/pictures.ts'
import { stack, textWithField } from '#test/support/signatures.ts'
import { createPublished, createTeammate, type FieldIds, fieldIds, setValues } from '#test/support/world.ts'

let app: TestApp
let mail: MailServer
let fields: FieldIds
let manager: SignedIn
beforeAll(async () => {
  mail = await startMailServer()
  app = await testApp({ env: { SIGNOFF_SMTP_URL: mail.url } })
  fields = await fieldIds(app)
  manager = await app.signIn({ role: 'manager', email: 'manager@example.com' })
  const editable = { mobile_phone: 'none', profile_picture: 'required', job_title: 'required' }
  for (const [key, approval] of Object.entries(editable)) {
    const answer = await app.patch(`/v1/smart_fields/${fields[key]}`, { editable_by_owner: true, approval })
    expect(answer.body.data).toMatchObject({ editable_by_owner: true, approval })
  }
})

interface Colleague {
  readonly id: string
  readonly email: string
  readonly me: SignedIn
  readonly path: string
}

let n = 0
/** A teammate who is signed in with the role member. */
async function createColleague(values: Record<string, string> = {}): Promise<Colleague> {
  const { id, email } = await createTeammate(app, { email: `Colleague${++n}@example.com`, values })
  const me = await app.signIn({ role: 'member', email: email.toLowerCase() })
  return { id, email, me, path: `/v1/teammates/${id}` }
}
const change = ({ me, path }: Pick<Colleague, 'me' | 'path'>, values: Record<string, string | null>) =>
  me.patch(path, {
    teammate: {
      smart_fields: Object.entries(values).map(([smart_field, value]) => ({ smart_field, value })),
    },
  })
const valueIn = ({ body }: Answer, key: string) =>
  body.data.smart_fields.find((item: { smart_field_id: string }) => item.smart_field_id === fields[key]).value
const stored = async ({ path }: Pick<Colleague, 'path'>, key: string) => valueIn(await app.get(path), key)
const pendingOf = async ({ id }: Pick<Colleague, 'id'>) =>
  (await manager.get(`/v1/profile_changes?status=pending&teammate_id=${id}`)).body.data
/** Asks for a job title; returns the path of the change. */
const requestTitle = async (colleague: Colleague, title = 'Lead') => {
  const answer = await change(colleague, { job_title: title })
  return `/v1/profile_changes/${answer.body.pending_changes[0].id}`
}
const codeOf = ({ status, body }: Answer) => [status, body?.error?.code]

describe('a member', () => {
  it('changes values of fields that are editable, and no others, all or nothing', async () => {
    const ada = await createColleague()
    expect((await change(ada, { mobile_phone: '+49 170 1234567' })).status).toBe(200)
    expect(await stored(ada, 'mobile_phone')).toBe('+49 170 1234567')
    const refused = await change(ada, { mobile_phone: '+49 1', first_name: 'Eve', email: 'eve@example.com' })
    expect(codeOf(refused)).toEqual([403, 'insufficient_role'])
    expect(fieldErrors(refused)).toEqual({
      'smart_fields[1]': 'not_editable',
      'smart_fields[2]': 'not_editable',
    })
    expect(refused.body.error.message).toContain('First name')
    const address = await ada.me.patch(ada.path, { teammate: { email: 'other@example.com' } })
    expect([...codeOf(address), fieldErrors(address)]).toEqual([
      403,
      'insufficient_role',
      { email: 'not_editable' },
    ])
    expect(await stored(ada, 'mobile_phone')).toBe('+49 170 1234567')
    expect(fieldErrors(await change(ada, { mobile_phone: 'none' }))).toEqual({
      'smart_fields[0].value': 'invalid',
    })
  })

  it('changes no values of other people, and pictures only in editable fields', async () => {
    const [ada, bob] = [await createColleague(), await createColleague()]
    const foreign = await change({ me: ada.me, path: bob.path }, { mobile_phone: '+49 1234' })
    expect(codeOf(foreign)).toEqual([403, 'insufficient_role'])
    const logo = await app.post('/v1/smart_fields', { label: `Badge ${n}`, kind: 'image' })
    const image = { file_base64: 'iVBORw0KGgo', filename: 'a.png' }
    for (const answer of [
      await ada.me.call('PUT', `${ada.path}/images/${logo.body.data.id}`, { body: { image } }),
      await ada.me.delete(`${ada.path}/images/${logo.body.data.id}`),
    ])
      expect([...codeOf(answer), fieldErrors(answer)]).toEqual([
        403,
        'insufficient_role',
        { smart_field_id: 'not_editable' },
      ])
    const stranger = await app.signIn({ role: 'member', workspace: app.other, email: ada.email })
    expect((await change({ me: stranger, path: ada.path }, { mobile_phone: '+49 1234' })).status).toBe(404)
  })

  it('leaves values alone that a directory manages', async () => {
    const ada = await createColleague({ [fields.mobile_phone]: '+49 1111' })
    const mark = (attribute: string | null) =>
      app.db.query(sql`
        update smart_fields set integration_attribute = ${attribute}
        where workspace_id = ${app.id} and id = ${fields.mobile_phone}`)
    await mark('mobile')
    const answer = await change(ada, { mobile_phone: '+49 2222' })
    await mark(null)
    expect([answer.status, answer.body.ignored]).toEqual([
      200,
      [{ field: 'smart_fields[0]', code: 'directory_managed' }],
    ])
    expect(await stored(ada, 'mobile_phone')).toBe('+49 1111')
  })
})

describe('a change that needs an approval', () => {
  it('waits, is announced to webhooks, and is written with its approval', async () => {
    const ada = await createColleague({ [fields.job_title]: 'Engineer' })
    const [{ id: emailId }] = (await app.get(ada.path)).body.data.emails
    await createPublished(app, { draft_content: stack(textWithField('Title', fields.job_title)) }, emailId)
    await runAllJobs(app)
    const webhook = { url: 'https://hooks.example.com', events: ['profile_change.requested'] }
    const { id: webhookId } = (await app.post('/v1/webhooks', { webhook })).body.data
    const answer = await change(ada, { job_title: 'Lead engineer', mobile_phone: '+49 4444' })
    expect(answer.status).toBe(200)
    expect([valueIn(answer, 'job_title'), valueIn(answer, 'mobile_phone')]).toEqual(['Engineer', '+49 4444'])
    const [requested] = answer.body.pending_changes
    expect(requested).toMatchObject({
      teammate: { id: ada.id, name: ada.email, email: ada.email },
      field: { id: fields.job_title, label: 'Job title', key: 'job_title', kind: 'text' },
      before_value: 'Engineer',
      after_value: 'Lead engineer',
      current_value: 'Engineer',
      changed_meanwhile: false,
      status: 'pending',
      decided_by: null,
    })
    expect(await pendingOf(ada)).toEqual([requested])
    const deliveries = await app.get(`/v1/webhook_deliveries?webhook_id=${webhookId}`)
    expect(deliveries.body.data).toMatchObject([{ event: 'profile_change.requested' }])
    await app.del(`/v1/webhooks/${webhookId}`)

    mail.mails.length = 0
    const approved = await manager.post(`/v1/profile_changes/${requested.id}/approve`)
    expect(approved.body.data).toMatchObject({
      status: 'approved',
      decided_by: { member_id: manager.memberId, name: 'manager', email: manager.email },
      decided_at: expect.any(String),
      current_value: 'Engineer',
    })
    expect(await stored(ada, 'job_title')).toBe('Lead engineer')
    await runAllJobs(app)
    const page = (await app.get(`/v1/emails/${emailId}/signature`)).body.data
    expect(page.text).toContain('Lead engineer')
    const letter = readMail(mail.mails.find(({ to }) => to === ada.email)?.source ?? '')
    expect(letter.subject).toBe('Your change was approved: Job title')
    expect(letter.text).toContain('/p/')
    const { body } = await app.get(`/v1/audit_log?resource_id=${requested.id}`)
    expect(body.data.map(({ action }: { action: string }) => action)).toEqual([
      'profile_change.approved',
      'profile_change.requested',
    ])
  })

  it('is rejected with a reason, which the person gets by mail', async () => {
    const ada = await createColleague({ [fields.job_title]: 'Engineer' })
    const path = await requestTitle(ada, 'Emperor')
    const reason = 'There is no such title.'
    const rejected = await manager.post(`${path}/reject`, { reason })
    expect(rejected.body.data).toMatchObject({ status: 'rejected', reason, after_value: 'Emperor' })
    expect(await stored(ada, 'job_title')).toBe('Engineer')
    await runAllJobs(app)
    expect(mail.mails.find(({ to }) => to === ada.email)?.text).toContain(reason)
    expect((await ada.me.get(path)).body.data).toEqual(rejected.body.data)
    expect((await ada.me.get('/v1/profile_changes?status=rejected')).body.data).toEqual([rejected.body.data])
  })

  it('is replaced by a newer one, and withdrawn by the value that is there', async () => {
    const ada = await createColleague({ [fields.job_title]: 'Engineer' })
    const first = await requestTitle(ada, 'Lead')
    expect(await requestTitle(ada, 'Lead')).toBe(first)
    const second = await requestTitle(ada, 'Head')
    expect(second).not.toBe(first)
    expect((await manager.post(`${first}/approve`)).status).toBe(404)
    expect((await pendingOf(ada)).map((item: { after_value: string }) => item.after_value)).toEqual(['Head'])
    const back = await change(ada, { job_title: 'Engineer' })
    expect([back.status, back.body.pending_changes, await pendingOf(ada)]).toEqual([200, undefined, []])
    const third = await requestTitle(ada, 'Lead')
    expect((await ada.me.delete(third)).status).toBe(204)
    expect(await pendingOf(ada)).toEqual([])
  })

  it('is applied although the value was changed meanwhile, and shows it', async () => {
    const ada = await createColleague({ [fields.job_title]: 'Engineer' })
    const path = await requestTitle(ada, 'Lead')
    await setValues(app, ada.id, { [fields.job_title]: 'Architect' })
    const expected = { before_value: 'Engineer', current_value: 'Architect', changed_meanwhile: true }
    expect((await manager.get(path)).body.data).toMatchObject(expected)
    expect((await manager.post(`${path}/approve`)).body.data).toMatchObject(expected)
    expect(await stored(ada, 'job_title')).toBe('Lead')
  })

  it('shows the signature of the person before and after it, also once it is decided', async () => {
    const ada = await createColleague({ [fields.job_title]: 'Engineer' })
    const path = await requestTitle(ada, 'Lead <b>')
    const previewOf = async (by: SignedIn) => (await by.get(`${path}/preview`)).body.data
    const emailId = (await app.get(ada.path)).body.data.emails[0].id
    const none = { email_id: emailId, signature_id: null, before: null, after: null }
    expect(await previewOf(manager)).toEqual(none)
    const content = { draft_content: stack(textWithField('I am', fields.job_title)) }
    const signatureId = await createPublished(app, content, emailId)
    const waiting = await previewOf(manager)
    expect([waiting.signature_id, waiting.before.text, waiting.after.text]).toEqual([
      signatureId,
      'I am Engineer',
      'I am Lead <b>',
    ])
    expect(waiting.after.html).toContain('Lead &lt;b&gt;')
    expect(await previewOf(ada.me)).toEqual(waiting)
    const bob = await createColleague()
    expect((await bob.me.get(`${path}/preview`)).status).toBe(404)
    await manager.post(`${path}/approve`)
    const { before, after } = await previewOf(manager)
    expect([before.text, after.text]).toEqual(['I am Engineer', 'I am Lead <b>'])
  })

  it('is decided once: of many decisions at the same time one wins', async () => {
    const ada = await createColleague()
    const path = await requestTitle(ada)
    const answers = await Promise.all(
      ['approve', 'reject', 'approve', 'reject', 'approve'].map(action => manager.post(`${path}/${action}`)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const answer of answers.filter(({ status }) => status !== 200))
      expect(codeOf(answer)).toEqual([409, 'already_decided'])
    const winner = answers.find(({ status }) => status === 200)
    expect(await stored(ada, 'job_title')).toBe(winner?.body.data.status === 'approved' ? 'Lead' : null)
    expect(codeOf(await ada.me.delete(path))).toEqual([409, 'already_decided'])
  })

  it('is decided by managers, seen by its person, and by no other workspace', async () => {
    const [ada, bob] = [await createColleague(), await createColleague()]
    const path = await requestTitle(ada)
    for (const action of ['approve', 'reject'])
      expect(codeOf(await ada.me.post(`${path}/${action}`))).toEqual([403, 'insufficient_role'])
    expect((await bob.me.get(path)).status).toBe(404)
    expect((await bob.me.get('/v1/profile_changes')).body.data).toEqual([])
    expect(codeOf(await bob.me.delete(path))).toEqual([403, 'insufficient_role'])
    for (const action of ['', '/approve'])
      expect(
        (await app.call(action ? 'POST' : 'GET', `${path}${action}`, { key: app.other.key })).status,
      ).toBe(404)
    expect(await pendingOf(ada)).toHaveLength(1)
  })

  it('is gone with its person and with its field', async () => {
    const ada = await createColleague()
    const { id } = (
      await app.post('/v1/smart_fields', { label: 'Nickname', editable_by_owner: true, approval: 'required' })
    ).body.data
    const answer = await change(ada, { nickname: 'Al' })
    const ofField = `/v1/profile_changes/${answer.body.pending_changes[0].id}`
    const ofPerson = await requestTitle(ada)
    await app.del(`/v1/smart_fields/${id}`)
    expect(codeOf(await manager.post(`${ofField}/approve`))).toEqual([404, 'not_found'])
    await app.del(ada.path)
    expect(codeOf(await manager.post(`${ofPerson}/approve`))).toEqual([404, 'not_found'])
  })

  it('can be a picture, which is shown before and after', async () => {
    const ada = await createColleague()
    const file = async (colour: string) => ({
      file_base64: (await solidPicture(120, 90, colour).png().toBuffer()).toString('base64'),
      filename: 'ada.png',
    })
    const at = `${ada.path}/images/profile_picture`
    await app.call('PUT', at, { body: { image: await file('#aa3311') } })
    const before = await stored(ada, 'profile_picture')
    const sent = await ada.me.call('PUT', at, { body: { image: await file('#1133aa') } })
    const [waiting] = sent.body.pending_changes
    expect([sent.status, waiting.before_value, waiting.field.kind]).toEqual([200, before, 'image'])
    expect(waiting.after_value).toMatch(/\/files\//)
    expect(await stored(ada, 'profile_picture')).toBe(before)
    expect((await app.get(`/v1/assets/${waiting.after_asset_id}`)).body.data.in_use).toBe(true)
    const portrait = { type: 'image', alt: 'Portrait', smartFieldUuid: fields.profile_picture }
    const emailId = (await app.get(ada.path)).body.data.emails[0].id
    await createPublished(app, { draft_content: stack(portrait) }, emailId)
    /** The signature has another size of the same picture. */
    const pictureIn = (text: string) => /\/files\/[^/]+\/[^/]+\//.exec(text)?.[0]
    const picturesOf = async (id: string): Promise<(string | undefined)[]> => {
      const { data } = (await manager.get(`/v1/profile_changes/${id}/preview`)).body
      return [pictureIn(data.before.html), pictureIn(data.after.html)]
    }
    const newPicture = pictureIn(waiting.after_value)
    expect(newPicture).not.toBe(pictureIn(before))
    expect(await picturesOf(waiting.id)).toEqual([pictureIn(before), newPicture])
    await manager.post(`/v1/profile_changes/${waiting.id}/approve`)
    expect(await stored(ada, 'profile_picture')).toBe(waiting.after_value)
    const removal = await ada.me.delete(at)
    expect([removal.status, removal.body.data.after_value]).toEqual([202, null])
    expect(await picturesOf(removal.body.data.id)).toEqual([newPicture, undefined])
    await manager.post(`/v1/profile_changes/${removal.body.data.id}/approve`)
    expect(await stored(ada, 'profile_picture')).toBeNull()
  })
})
