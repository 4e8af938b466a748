// Files as a directory: what is wrong with a file must neither remove people nor go unseen.
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { changeSeatLimit } from '#features/workspace/workspaces/index.ts'
import { sql } from '#kernel/db/db.ts'
import { type TestApp, testApp } from '#test/support/app.ts'
import { runAllJobs, runJob } from '#test/support/jobs.ts'
import { lockWaits } from '#test/support/postgres/lock-waits.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})

const settings = { id_column: 'Number', group_columns: ['Department'] }
/** Each test has a directory and addresses of its own. */
let domain = ''
let integrationId = ''
let n = 0
beforeEach(async () => {
  domain = `csv${++n}.example`
  const { body } = await app.post('/v1/integrations', { integration: { kind: 'csv', settings } })
  integrationId = body.data.id
})
afterEach(() => app.del(`/v1/integrations/${integrationId}`))

const header = 'Number,Email,First name,Department'
const lineOf = (id: number, firstName = `First${id}`) => `${id},p${id}@${domain},${firstName},Sales`
const lines = (count: number, firstName?: string) =>
  Array.from({ length: count }, (_, id) => lineOf(id, firstName))

const upload = async (rows: readonly string[]) => {
  const { body } = await app.call('POST', '/v1/imports', {
    payload: [header, ...rows].join('\n'),
    headers: { 'content-type': 'text/csv' },
  })
  return body.data
}

const columns = { Email: 'email', 'First name': 'first_name' }
const apply = (id: string, mapping: object = columns, options: object = {}) =>
  app.post(`/v1/imports/${id}/apply`, { mapping, mode: 'directory' }, options)

const lastRun = async () => {
  const [{ id }] = (await app.get(`/v1/sync_runs?limit=1&integration_id=${integrationId}`)).body.data
  return (await app.get(`/v1/sync_runs/${id}`)).body.data
}

/** Uploads, applies and runs the jobs. */
async function imported(rows: readonly string[], mapping: object = columns) {
  const { id } = await upload(rows)
  expect((await apply(id, mapping)).status).toBe(202)
  await runAllJobs(app)
  return { file: (await app.get(`/v1/imports/${id}`)).body.data, run: await lastRun() }
}

const teammate = async (address: string) =>
  (await app.get(`/v1/teammates?search=${encodeURIComponent(`${address}@${domain}`)}`)).body.data[0]

describe('a file that is deleted during its run', () => {
  it('removes no person, and the run fails', async () => {
    // One more than a batch of rows: the last person is in the second one.
    await imported(lines(501))
    const { id } = await upload(lines(501, 'Changed'))
    await apply(id)
    const { id: first } = await teammate('p0')
    let running: Promise<void> | undefined
    await app.db.transaction(async tx => {
      await tx.query(sql`select from teammates where workspace_id = ${app.id} and id = ${first} for update`)
      running = runAllJobs(app)
      // The run has read the first batch, and waits for this person.
      await expect.poll(() => lockWaits(app.db)).toBeGreaterThan(0)
      expect((await app.del(`/v1/imports/${id}`)).status).toBe(204)
    })
    await running
    expect(await lastRun()).toMatchObject({
      status: 'failed',
      error_message: expect.stringContaining('deleted'),
      people_changed: 500,
      people_missing: 0,
    })
    expect(
      await app.db.query(
        sql`select from directory_people where integration_id = ${integrationId} and state <> 'present'`,
      ),
    ).toEqual([])
  })
})

const missing = async () =>
  (
    await app.db.query<{ external_id: string }>(sql`
      select external_id from directory_people
      where integration_id = ${integrationId} and state = 'missing' order by external_id`)
  ).map(row => row.external_id)
const groups = async () => {
  const { body } = await app.get(`/v1/integration_entities?integration_id=${integrationId}`)
  return body.data.map(({ name, teammates_count }: { name: string; teammates_count: number }) => [
    name,
    teammates_count,
  ])
}

describe('lines that cannot be read', () => {
  it('write nothing, and are listed; the people whom they name stay, with their groups', async () => {
    const people = [...lines(12), `12,p12@${domain},Law,Law`]
    await imported(people)
    // Cells of 3 and 12 are lost: the others moved to the left. 5 is not in the file.
    const broken = [...people.filter((_, id) => ![3, 5, 12].includes(id)), `3,p3@${domain},Sales`]
    const { run } = await imported([...broken, `p12@${domain},Law,Law`])
    expect(run).toMatchObject({ status: 'succeeded', people_missing: 1, people_changed: 0, problem_count: 2 })
    const message = expect.stringMatching(/^Line 1[23]: the line has 3 cells/)
    expect(run.problems).toMatchObject([
      { kind: 'unusable', message },
      { kind: 'unusable', message },
    ])
    expect(await missing()).toEqual(['5'])
    expect(await groups()).toEqual([
      ['Law', 1],
      ['Sales', 12],
    ])
  })

  it('without a person whom the directory knows hold the leavers, until the file is corrected', async () => {
    await imported(lines(12))
    // The line of 3 has lost its number and its address. The manager p2 has a line of its own.
    const { run } = await imported([...lines(12).filter((_, id) => id !== 3), `First3,p2@${domain}`])
    expect(run).toMatchObject({ status: 'held', people_held: 1, people_missing: 0 })
    expect(run.held_reason).toContain('could not be read: 1.')
    expect(await missing()).toEqual([])
    expect((await imported(lines(12))).run).toMatchObject({ status: 'succeeded', problem_count: 0 })
    expect((await app.get(`/v1/integrations/${integrationId}`)).body.data).toMatchObject({
      status: 'active',
      held_run_id: null,
    })
  })

  it('end the grace of the people whom they name', async () => {
    await imported(lines(12))
    await imported(lines(11))
    expect(await missing()).toEqual(['11'])
    await imported([...lines(11), `11,p11@${domain},Sales`])
    expect([await missing(), await groups()]).toEqual([[], [['Sales', 12]]])
  })
})

describe('people whom a file that was cut off holds', () => {
  it('wait for no approval when lines that cannot be read name them, and keep their groups', async () => {
    await imported(lines(12))
    const held = await imported(lines(1))
    expect(held.run).toMatchObject({ status: 'held', people_held: 11 })
    const broken = Array.from({ length: 11 }, (_, index) => `${index + 1},p${index + 1}@${domain}`)
    // A new person, so that the run writes the members of the group.
    const { run } = await imported([lineOf(0), lineOf(12), ...broken])
    expect(run).toMatchObject({ status: 'succeeded', people_held: 0, people_missing: 0, problem_count: 11 })
    expect((await app.get(`/v1/sync_runs/${held.run.id}`)).body.data.status).toBe('superseded')
    expect([await missing(), await groups()]).toEqual([[], [['Sales', 13]]])
  })
})

describe('the mapping of a file', () => {
  it('names the column of the addresses in any case, or by the id of its field', async () => {
    const fields = (await app.get('/v1/smart_fields?limit=100')).body.data
    const { id } = fields.find(({ key }: { key: string }) => key === 'email')
    for (const name of ['EMAIL', id]) {
      const { run } = await imported(lines(2), { Email: name, 'First name': 'first_name' })
      expect(run).toMatchObject({ status: 'succeeded', people_seen: 2, problem_count: 0 })
    }
  })

  it('needs the right to change integrations where it changes, and is audited', async () => {
    await imported(lines(2))
    const body = { api_key: { name: 'HR', scopes: ['teammates:read', 'teammates:write'] } }
    const { key } = (await app.post('/v1/api_keys', body)).body.data
    const { id } = await upload(lines(2))
    const other = { ...columns, Department: 'department' }
    const refused = await apply(id, other, { key })
    expect([refused.status, refused.body.error.code]).toEqual([403, 'insufficient_scope'])
    expect(refused.body.error.message).toContain('integrations:write')
    expect((await app.get(`/v1/imports/${id}`)).body.data.state).toBe('ready')
    expect((await apply(id, columns, { key })).status).toBe(202)
    await runAllJobs(app)
    const audited = async () =>
      (await app.get('/v1/audit_log?limit=100')).body.data.filter(
        ({ action }: { action: string }) => action === 'smart_field.updated',
      ).length
    const before = await audited()
    const { run } = await imported(lines(2), other)
    expect([run.status, await audited()]).toEqual(['succeeded', before + 1])
  })

  it('that has one more field fills it for people who have not changed, too', async () => {
    await imported(lines(2))
    await imported(lines(2), { ...columns, Department: 'department' })
    const values: { label: string; value: string }[] = (await teammate('p1')).smart_fields
    expect(values.find(({ label }) => label === 'Department')?.value).toBe('Sales')
  })
})

describe('rows that a run did not take', () => {
  it('are counted and listed by their import, with their lines', async () => {
    await imported(lines(3))
    const rows = [...lines(3), '3,nonsense,First3,Sales', `4,p0@${domain},First4,Sales`, '5,cut']
    const { file, run } = await imported([...rows, lineOf(6)])
    expect(run).toMatchObject({ status: 'succeeded', people_added: 1, problem_count: 3 })
    expect(file).toMatchObject({
      state: 'done',
      row_count: 7,
      processed_count: 7,
      created_count: 1,
      updated_count: 0,
      unchanged_count: 3,
      failed_count: 3,
    })
    expect(file.failures).toMatchObject([
      { line: 5, email: 'nonsense', column: 'Email', value: 'nonsense', code: 'invalid' },
      { line: 6, email: `p0@${domain}`, column: 'Email', code: 'duplicate' },
      { line: 7, column: null, value: null, code: 'wrong_cell_count' },
    ])
    const report = (await app.get(`/v1/imports/${file.id}/report?as=rows`)).text.split('\r\n')
    expect(report[1]).toMatch(/^3,nonsense,First3,Sales,/)
    expect(report).toHaveLength(5)
  })

  it('have a number that an earlier line has; its people do not leave', async () => {
    await imported([...lines(11), `77,bob@${domain},Bob,Sales`])
    // By mistake, bob has the number of another person.
    const { file, run } = await imported([...lines(11), `0,bob@${domain},Bob,Sales`])
    expect(run).toMatchObject({ status: 'succeeded', people_changed: 0, people_missing: 0, problem_count: 1 })
    expect(run.problems).toMatchObject([
      { kind: 'conflict', message: expect.stringMatching(/^Line 13: .*“0”.*line 2/) },
    ])
    expect(file).toMatchObject({ failed_count: 1, unchanged_count: 11 })
    expect(file.failures).toMatchObject([{ line: 13, email: `bob@${domain}`, code: 'duplicate' }])
    expect((await teammate('p0')).email).toBe(`p0@${domain}`)
    expect(await missing()).toEqual([])
  })
})

describe('the preview of a file', () => {
  const counts = ({ body }: { body: { data: Record<string, unknown> } }) =>
    Object.fromEntries(
      ['created', 'updated', 'unchanged', 'failed', 'deactivated', 'reactivated'].map(name => [
        name,
        body.data[`${name}_count`],
      ]),
    )
  const seatsLeft = async (left: number) =>
    changeSeatLimit(app.db, app.by, (await app.get('/v1/workspace')).body.data.seats.now + left)
  const graceDays = (days: number) =>
    app.patch(`/v1/integrations/${integrationId}`, { settings: { ...settings, grace_days: days } })
  afterEach(() => changeSeatLimit(app.db, app.by, null))

  /** The preview, and that applying the file does the same. */
  async function previewed(rows: readonly string[], mapping: object = columns) {
    const { id } = await upload(rows)
    const preview = await app.post(`/v1/imports/${id}/preview`, { mapping, mode: 'directory' })
    await apply(id, mapping)
    await runAllJobs(app)
    expect(counts(preview)).toEqual(counts(await app.get(`/v1/imports/${id}`)))
    return preview.body.data
  }

  it('creates the people who are new, as far as seats are left, and shows their values', async () => {
    await imported(lines(4))
    await seatsLeft(3)
    const rows = [lineOf(0, 'Other'), ...lines(8).slice(1), '9,nonsense,First9,Sales']
    const preview = await previewed(rows)
    expect(preview).toMatchObject({ created_count: 3, updated_count: 1, unchanged_count: 3, failed_count: 2 })
    expect(preview.changes).toMatchObject([
      { line: 2, action: 'update', fields: [{ label: 'First name', before: 'First0', after: 'Other' }] },
      { line: 6, action: 'create', teammate_id: null, fields: [{ before: null, after: 'First4' }] },
      { line: 7, email: `p5@${domain}` },
      { line: 8, email: `p6@${domain}` },
    ])
    expect(preview.failures).toMatchObject([
      { line: 9, column: 'Email', message: expect.stringContaining('seats are taken') },
      { line: 10, column: 'Email', value: 'nonsense' },
    ])
  })

  it('gives the seats of people who leave at once to new ones', async () => {
    await graceDays(0)
    await imported(lines(4))
    await seatsLeft(0)
    const preview = await previewed([4, 5, 6, 7, 8].map(id => lineOf(id)))
    expect(preview).toMatchObject({ created_count: 4, failed_count: 1, deactivated_count: 4 })
    expect(preview.deactivations).toHaveLength(4)
  })

  it('names those who would wait for an approval, and no person who only has another number', async () => {
    await imported(lines(12))
    const preview = await previewed(lines(1))
    expect(preview).toMatchObject({ deactivated_count: 0, held_count: 11, confirmation_required: false })
    expect(preview.held_reason).toContain('11 of 12 people would leave')
    const renumbered = lines(12).map((line, id) => line.replace(/^\d+/, String(id + 100)))
    expect(await previewed(renumbered)).toMatchObject({
      deactivated_count: 0,
      held_count: 0,
      held_reason: null,
    })
  })

  it('shows the values of other columns, writes nothing, and refuses a file without the numbers', async () => {
    await imported(lines(2))
    const before = await app.get(`/v1/smart_fields?limit=100`)
    const { id } = await upload([lineOf(0), lineOf(1, 'New')])
    const mapping = { Email: 'email', Department: 'department' }
    const { body } = await app.post(`/v1/imports/${id}/preview`, { mapping, mode: 'directory' })
    expect(body.data.changes).toMatchObject([{ line: 3, fields: [{ label: 'Department', after: 'Sales' }] }])
    expect((await app.get(`/v1/smart_fields?limit=100`)).body).toEqual(before.body)
    expect((await teammate('p1')).smart_fields).toContainEqual(expect.objectContaining({ value: 'First1' }))
    await app.patch(`/v1/integrations/${integrationId}`, { settings: { id_column: 'Employee' } })
    const refused = await app.post(`/v1/imports/${id}/preview`, { mapping, mode: 'directory' })
    expect([refused.status, refused.body.error.message]).toEqual([422, expect.stringContaining('“Employee”')])
  })
})

describe('other settings', () => {
  it('start no run: there is no file to read', async () => {
    const { run } = await imported(lines(3))
    await app.patch(`/v1/integrations/${integrationId}`, { settings: { grace_days: 3 } })
    await runJob(app, 'directories.schedule', {})
    await runAllJobs(app)
    expect((await app.get(`/v1/integrations/${integrationId}`)).body.data).toMatchObject({
      next_sync_at: null,
      status: 'active',
    })
    expect(await lastRun()).toEqual(run)
  })
})

describe('a request to read the directory', () => {
  it('says that files cannot be read by request, although a directory is connected', async () => {
    const { status, body } = await app.post('/v1/teammates/sync', {})
    expect([status, body.error.code]).toEqual([409, 'no_integration_to_sync'])
    expect(body.error.message).toContain('CSV files sends its changes itself')
    expect(body.remediation.action).toBe('connect_integration')
  })
})
