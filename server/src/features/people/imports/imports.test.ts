import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sql } from '#kernel/db/db.ts'
import { type Answer, fieldErrors, type TestApp, testApp } from '#test/support/app.ts'
import { xlsxOf } from '#test/support/files/xlsx.ts'
import { runAllJobs, runScheduled, startJobs } from '#test/support/jobs.ts'
import { urlOf } from '#test/support/postgres/postgres.ts'
import { runsOnCluster } from '#test/support/postgres/test-cluster.ts'
import { run } from '#test/support/processes/process.ts'
import { createPublished, fieldIds } from '#test/support/world.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})

/** Each test has addresses of its own. */
let domain: string
let n = 0
beforeEach(() => {
  domain = `t${++n}.example`
})

const upload = (text: string | Buffer, type = 'text/csv'): Promise<Answer> =>
  app.call('POST', '/v1/imports', { payload: Buffer.from(text), headers: { 'content-type': type } })

const uploaded = async (text: string): Promise<{ id: string; guessed_mapping: object }> => {
  const { status, body } = await upload(text)
  expect(status).toBe(201)
  return body.data
}

const mapping = { email: 'email', Vorname: 'first_name' }

/** Uploads, applies and runs the job. Returns the finished import. */
async function imported(text: string, more: object = {}) {
  const { id } = await uploaded(text)
  expect((await app.post(`/v1/imports/${id}/apply`, { mapping, ...more })).status).toBe(202)
  await runAllJobs(app)
  return (await app.get(`/v1/imports/${id}`)).body.data
}

const people = async (search = domain) =>
  (await app.get(`/v1/teammates?limit=100&search=${search}`)).body.data
const table = (...rows: string[]) => ['email,Vorname', ...rows].join('\n')
const numbered = (count: number) =>
  table(...Array.from({ length: count }, (_, index) => `p${index}@${domain},Person ${index}`))

describe('an uploaded file', () => {
  it('is previewed, applied once, and changes nothing the second time', async () => {
    const text = table(`ada@${domain},Ada`, `ben@${domain},Ben`)
    await imported(table(`ada@${domain},Old`))
    const { id, guessed_mapping } = await uploaded(text)
    expect(guessed_mapping).toEqual(mapping)
    const { body } = await app.post(`/v1/imports/${id}/preview`, { mapping })
    expect(body.data).toMatchObject({
      created_count: 1,
      updated_count: 1,
      unchanged_count: 0,
      failed_count: 0,
    })
    expect(body.data.changes).toMatchObject([
      { line: 2, action: 'update', fields: [{ label: 'First name', before: 'Old', after: 'Ada' }] },
      { line: 3, action: 'create', fields: [{ label: 'First name', before: null, after: 'Ben' }] },
    ])
    expect(await people()).toHaveLength(1)
    const done = await imported(text)
    expect(done).toMatchObject({ state: 'done', processed_count: 2, created_count: 1, updated_count: 1 })
    const [{ updated_at }] = await people()
    expect(await imported(text)).toMatchObject({ created_count: 0, updated_count: 0, unchanged_count: 2 })
    expect((await people())[0].updated_at).toBe(updated_at)
    for (const path of ['apply', 'preview']) {
      const again = await app.post(`/v1/imports/${done.id}/${path}`, { mapping })
      expect([again.status, again.body.error.code]).toEqual([409, 'import_state'])
    }
  })

  it('leaves values alone where cells are empty, and reports bad rows without formulas', async () => {
    await imported(table(`ada@${domain},Ada`))
    const rows = [`ada@${domain},`, '=1+1,Eve', `"@sum(a1)",Eve`, `ADA@${domain},Again`, `cut@${domain}`]
    const { id, ...done } = await imported(table(...rows))
    expect(done).toMatchObject({ unchanged_count: 1, failed_count: 4, problem_count: 4 })
    expect(done.failures).toHaveLength(4)
    const codes = ({ problems, failures }: typeof done) =>
      [problems, failures].map(list => list.find(({ line }: { line: number }) => line === 6).code)
    expect(codes(done)).toEqual(['wrong_cell_count', 'wrong_cell_count'])
    const { text, headers } = await app.get(`/v1/imports/${id}/report`)
    expect(headers['content-type']).toContain('text/csv')
    expect(text.split('\r\n')).toEqual([
      'line,email,column,code,message',
      "3,'=1+1,email,invalid,email is not valid",
      "4,'@sum(a1),email,invalid,email is not valid",
      `5,ADA@${domain},email,duplicate,ADA@${domain} is in an earlier line too`,
      `6,cut@${domain},,wrong_cell_count,"the line has 1 cells, and the first line has 2"`,
      '',
    ])
    expect((await people()).length).toBe(1)
    const again = await app.get(`/v1/imports/${id}/report?as=rows`)
    expect(again.text.split('\r\n').slice(0, 4)).toEqual([
      '\uFEFFemail,Vorname,Problem',
      "'=1+1,Eve,email is not valid",
      "'@sum(a1),Eve,email is not valid",
      `ADA@${domain},Again,email: ADA@${domain} is in an earlier line too`,
    ])
    expect(done.failures[0]).toMatchObject({ column: 'email', value: '=1+1' })
  })

  it('imports all other rows when a cell is far too long to be an address', async () => {
    const long = Array.from({ length: 600 }, (_, index) => `long${index}`).join('')
    const done = await imported(table(`ada@${domain},Ada`, `${long},Eve`, `"${long},",Eve,`))
    expect(done).toMatchObject({ state: 'done', created_count: 1, failed_count: 2 })
  })

  it('can be XLSX, as the body or in base64', async () => {
    const cell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`
    const row = (...cells: string[]) => `<row>${cells.map(cell).join('')}</row>`
    const file = xlsxOf(row('email', 'Mobile') + row(`x@${domain}`, '0170 1'))
    const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
    const raw = await upload(file, type)
    const wrapped = await app.post('/v1/imports', {
      import: { file_base64: file.toString('base64'), file_name: 'a.xlsx' },
    })
    for (const { status, body } of [raw, wrapped]) {
      expect(status).toBe(201)
      expect(body.data).toMatchObject({ format: 'xlsx', first_rows: [{ cells: [`x@${domain}`, '0170 1'] }] })
    }
    expect(wrapped.body.data.file_name).toBe('a.xlsx')
    const { id, guessed_mapping } = raw.body.data
    await app.post(`/v1/imports/${id}/apply`, { mapping: guessed_mapping })
    await runAllJobs(app)
    const fields: { label: string; value: string }[] = (await people())[0].smart_fields
    expect(fields.find(({ label }) => label === 'Mobile phone')?.value).toBe('0170 1')
  })

  it('that cannot be read, or a mapping that does not fit, is refused with its field', async () => {
    expect(fieldErrors(await upload(''))).toEqual({ body: 'blank' })
    expect(fieldErrors(await app.post('/v1/imports', { file_base64: '?' }))).toEqual({
      file_base64: 'invalid',
    })
    expect((await upload(Buffer.alloc(20 * 1024 * 1024 + 1, 'x'))).status).toBe(413)
    expect((await upload('x', 'text/plain')).status).toBe(415)
    const { id } = await uploaded(table(`a@${domain},A`))
    const apply = (sent: object) => app.post(`/v1/imports/${id}/apply`, { mapping: sent })
    expect(fieldErrors(await apply({ Vorname: 'first_name' }))).toEqual({ mapping: 'missing' })
    expect(fieldErrors(await apply({ email: 'email', Name: 'x' }))).toEqual({
      'mapping.Name': 'unknown_reference',
    })
    expect(fieldErrors(await apply({ email: 'email', Vorname: 'x' }))).toEqual({
      'mapping.Vorname': 'unknown_reference',
    })
    expect(fieldErrors(await apply({ email: 'email', Vorname: 'email' }))).toEqual({
      'mapping.Vorname': 'duplicate',
    })
  })

  it('is not found by another workspace, and is deleted after 7 days or on request', async () => {
    const [first, second] = [await uploaded(table()), await uploaded(table())]
    const path = `/v1/imports/${first.id}`
    const { key } = app.other
    for (const at of [path, `${path}/report`]) expect((await app.get(at, { key })).status).toBe(404)
    expect((await app.post(`${path}/apply`, { mapping }, { key })).status).toBe(404)
    await app.db.query(sql`update imports set created_at = now() - interval '8 days' where id = ${first.id}`)
    expect((await app.get(path)).status).toBe(404)
    await runScheduled(app, 'imports.expire')
    expect(await app.db.query(sql`select from imports where id = ${first.id}`)).toEqual([])
    expect((await app.del(`/v1/imports/${second.id}`)).status).toBe(204)
    expect(await app.db.query(sql`select from import_batches where import_id = ${second.id}`)).toEqual([])
  })
})

describe('a file that is the directory', () => {
  it('switches off people who are missing, within limits, and brings them back with their values', async () => {
    await imported(numbered(30))
    const { first_name } = await fieldIds(app)
    const content = { type: 'stack', children: [{ type: 'text', tokens: [{ value: 'Hi' }] }] }
    const [gone] = await people(`p29@${domain}`)
    const emailId: string = gone.emails[0].id
    const signatureId = await createPublished(app, { draft_content: content }, emailId)
    const others: { email: string }[] = (await people('.example')).filter(
      ({ email, active }: { email: string; active: boolean }) => active && !email.endsWith(`@${domain}`),
    )
    const rest = others.map(({ email }) => `${email},`)
    const withPeople = (count: number) => [numbered(count), ...rest].join('\n')
    const seats = async () => (await app.get('/v1/workspace')).body.data.seat_count
    const before = await seats()

    const many = await uploaded(withPeople(5))
    const plan = { mapping: { email: 'email' }, mode: 'directory' }
    const { body } = await app.post(`/v1/imports/${many.id}/preview`, plan)
    expect(body.data).toMatchObject({ deactivated_count: 25, confirmation_required: true })
    for (const confirm of [null, 24]) {
      const refused = await app.post(`/v1/imports/${many.id}/apply`, { ...plan, confirm })
      expect([refused.status, refused.body.error.code]).toEqual([409, 'deactivations_not_confirmed'])
    }
    expect(await seats()).toBe(before)

    const few = await imported(withPeople(29), plan)
    expect(few).toMatchObject({ state: 'done', deactivated_count: 1, created_count: 0 })
    expect(await seats()).toBe(before - 1)
    const [inactive] = await people(`p29@${domain}`)
    expect([inactive.active, valueIn(inactive, first_name)]).toEqual([false, 'Person 29'])
    const signature = async () => (await app.get(`/v1/emails/${emailId}/signature`)).body.data.signature_id
    expect(await signature()).toBeNull()
    const path = `/v1/signatures/${signatureId}`
    const counts = async () => {
      const { data, pagination, selection } = (await app.get(`${path}/emails`)).body
      const check = (await app.get(`${path}/check`)).body.data
      const chosen = (await app.get(`/v1/teammates?signature_id=${signatureId}`)).body.data
      const { email_ids_count: byHand, matching_emails_count: all } = selection
      return [data.length, pagination.total_count, byHand, all, check.recipients, chosen.length]
    }
    expect(await counts()).toEqual([0, 0, 0, 0, 0, 0])
    const html = await app.get(`${path}/html?email_id=${emailId}`)
    expect(fieldErrors(html)).toEqual({ email_id: 'not_a_recipient' })

    expect(await imported(withPeople(30), plan)).toMatchObject({ reactivated_count: 1, deactivated_count: 0 })
    expect([await seats(), await signature()]).toEqual([before, signatureId])
    expect(await counts()).toEqual([1, 1, 1, 1, 1, 1])
    expect(await imported(withPeople(5), { ...plan, confirm: 25 })).toMatchObject({ deactivated_count: 25 })
  })

  it('clears values whose cells are empty', async () => {
    await imported(table(`ada@${domain},Ada`))
    const active: { email: string }[] = (await people('.example')).filter(
      (person: { active: boolean }) => person.active,
    )
    const rows = active.map(({ email }) => `${email},${email.startsWith('ada@') ? '' : 'Kept'}`)
    expect(await imported(table(...rows), { mode: 'directory' })).toMatchObject({ deactivated_count: 0 })
    const { first_name } = await fieldIds(app)
    expect(valueIn((await people())[0], first_name)).toBeNull()
  })
})

interface Person {
  readonly smart_fields: readonly { readonly smart_field_id: string; readonly value: string | null }[]
}
const valueIn = ({ smart_fields }: Person, id: string) =>
  smart_fields.find(({ smart_field_id }) => smart_field_id === id)?.value

describe('a worker that is killed', () => {
  it('loses no row and repeats none', async () => {
    const count = 1_500
    const { id } = await uploaded(numbered(count))
    await app.post(`/v1/imports/${id}/apply`, { mapping })
    const processed = async () => (await app.get(`/v1/imports/${id}`)).body.data.processed_count
    const worker = run(['work'], { env: { DATABASE_URL: urlOf(app.connection) } })
    await expect.poll(processed, { interval: 5 }).toBeGreaterThan(0)
    worker.child.kill('SIGKILL')
    await worker.ended
    const sessions = sql`select from pg_stat_activity where application_name like ${`%(process ${worker.child.pid})`}`
    await expect.poll(async () => (await app.db.query(sessions)).length, { interval: 20 }).toBe(0)
    expect(await processed()).toBeLessThan(count)
    const next = startJobs(app)
    const state = async () => (await app.get(`/v1/imports/${id}`)).body.data.state
    await expect.poll(state, { interval: 50 }).toBe('done')
    await next.stop(5_000)
    expect((await app.get(`/v1/imports/${id}`)).body.data).toMatchObject({
      processed_count: count,
      created_count: count,
      failed_count: 0,
    })
    if (runsOnCluster) return // the nodes have the rows, and their numbers
    const counted = sql`select reltuples from pg_class where oid = 'smart_field_values'::regclass`
    expect((await app.db.query<{ reltuples: number }>(counted))[0]?.reltuples).toBeGreaterThan(0)
  })
})
