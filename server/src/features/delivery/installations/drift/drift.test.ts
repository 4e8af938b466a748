import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createIntegration } from '#features/workspace/integrations/index.ts'
import { sql } from '#kernel/db/db.ts'
import { type TestApp, testApp } from '#test/support/app.ts'
import { type Google, startGoogle } from '#test/support/directories/google.ts'
import { runAllJobs, runJob, runScheduled } from '#test/support/jobs.ts'
import { stack, text } from '#test/support/signatures.ts'
import { createAlias, createPublished, createTeammate, fieldIds, setValues } from '#test/support/world.ts'

const [ada, sales, bob] = ['ada@example.com', 'sales@example.com', 'bob@example.com']
let google: Google
let app: TestApp
let integrationId: string
let signatureId: string
let adaId: string
const emailIds = new Map<string, string>()
/** Content that Gmail stored after the first delivery. */
const ours = new Map<string, string>()

beforeAll(async () => {
  google = await startGoogle()
  google.users.set(ada, new Map([ada, sales].map(address => [address, ''])))
  google.users.set(bob, new Map([[bob, '']]))
  app = await testApp({ env: { SIGNOFF_SECRET_KEYS: Buffer.alloc(32, 9).toString('base64') } })
  const settings = { admin: ada, api: google.api, token_uri: google.tokenUri }
  const created = await createIntegration(
    app.db,
    app.by,
    {
      kind: 'google_workspace',
      capabilities: ['channel'],
      settings,
      secret: { service_account_key: google.keyFile },
    },
    app.parts.integrations,
  )
  integrationId = created.id
  const first = await createTeammate(app, { email: ada })
  adaId = first.id
  emailIds.set(ada, first.emailId)
  emailIds.set(sales, await createAlias(app, adaId, sales))
  emailIds.set(bob, (await createTeammate(app, { email: bob })).emailId)
  await app.post('/v1/webhooks', {
    webhook: { url: 'https://hooks.example.com/x', events: ['installation.drifted'] },
  })
  const draft_content = stack(text('By Gmail'))
  signatureId = await createPublished(app, { draft_content }, ...emailIds.values())
  await runAllJobs(app)
  for (const address of emailIds.keys()) ours.set(address, stored(address) ?? '')
})
afterAll(() => expect(google.faults).toEqual([]))

/** A day passes in the database, and the checks run. */
async function checkAll(): Promise<void> {
  const mailboxes = await app.db.query<Record<'email_id' | 'check_at' | 'restored_at', string>>(sql`
    select email_id, check_at - interval '1 day' as check_at, restored_at - interval '1 day' as restored_at from mailboxes`)
  // The times are passed in, because Citus computes none from columns in a change.
  for (const { email_id, check_at, restored_at } of mailboxes)
    await app.db.query(sql`
      update mailboxes set check_at = ${check_at}, restored_at = ${restored_at}
      where workspace_id = ${app.id} and email_id = ${email_id}`)
  await runScheduled(app, 'installations.check_all')
  await runAllJobs(app)
}

const stored = (address: string) => google.users.get(address === bob ? bob : ada)?.get(address)
const write = (address: string, html: string) =>
  google.users.get(address === bob ? bob : ada)?.set(address, html)
const statuses = async () => {
  const { body } = await app.get(`/v1/installations?integration_id=${integrationId}&limit=100`)
  return Object.fromEntries(
    body.data.map((row: { email_address: string; status: string; error_code: string | null }) => [
      row.email_address,
      row.error_code === null ? row.status : `${row.status} ${row.error_code}`,
    ]),
  )
}
const announced = async () => {
  const rows = await app.db.query<{ body: string }>(
    sql`select body from webhook_messages where body like '%installation.drifted%' order by id`,
  )
  return rows.map(({ body }) => {
    const { error_code, restores } = JSON.parse(body).data
    return [error_code, restores]
  })
}
const setRepair = (repair: string | null) =>
  app.patch(`/v1/integrations/${integrationId}`, { integration: { settings: { repair } } })
const intact = { [ada]: 'installed', [sales]: 'installed', [bob]: 'installed' }

describe('a mailbox that was changed', () => {
  it('is found by the daily check, reported once, and stays as it is', async () => {
    expect(await statuses()).toEqual(intact)
    const [spread] = await app.db.query<{ isSpread: boolean }>(sql`
      select bool_and(check_at between now() and now() + interval '1 day') and count(distinct check_at) = 3 as "isSpread"
      from mailboxes`)
    expect(spread?.isSpread).toBe(true)
    await checkAll()
    expect([await statuses(), google.read.sort()]).toEqual([intact, [ada, bob, sales]])
    write(sales, '<p>Mine</p>')
    write(bob, '')
    await checkAll()
    await checkAll()
    const drifted = { ...intact, [sales]: 'drifted changed', [bob]: 'drifted removed' }
    expect(await statuses()).toEqual(drifted)
    expect((await announced()).sort()).toEqual([
      ['changed', false],
      ['removed', false],
    ])
    const list = await app.get('/v1/installations?status=drifted')
    expect(list.body.data.map((row: { email_address: string }) => row.email_address).sort()).toEqual([
      bob,
      sales,
    ])
    const progress = await app.get(`/v1/signatures/${signatureId}/installation`)
    expect(progress.body.data).toMatchObject({ installed: 1, drifted: 2, pending: 0 })
    // A change of a person that changes nothing visible does not write over it.
    await setValues(app, adaId, { [(await fieldIds(app)).mobile_phone]: '+49 30 123456' })
    await runAllJobs(app)
    expect([stored(sales), await statuses()]).toEqual(['<p>Mine</p>', drifted])
  })

  it('is written again when an admin asks, or counts as intact when its owner puts the signature back', async () => {
    write(bob, ours.get(bob) ?? '')
    await app.post(`/v1/emails/${emailIds.get(sales)}/install`)
    await runAllJobs(app)
    expect(stored(sales)).toBe(ours.get(sales))
    await checkAll()
    expect(await statuses()).toEqual(intact)
  })

  it('is restored where that is set, but not against a tool that writes again', async () => {
    expect(await setRepair('often').then(({ status }) => status)).toBe(422)
    expect((await setRepair('restore')).body.data.settings.repair).toBe('restore')
    write(ada, '<p>Tool</p>')
    const before = (await announced()).length
    await checkAll()
    expect([stored(ada), await statuses()]).toEqual([ours.get(ada), intact])
    write(ada, '<p>Tool</p>')
    await checkAll()
    await checkAll()
    expect([stored(ada), await statuses()]).toEqual([
      '<p>Tool</p>',
      { ...intact, [ada]: 'drifted overwritten' },
    ])
    expect((await announced()).slice(before)).toEqual([
      ['changed', true],
      ['overwritten', false],
    ])
    // A new version is written in any case.
    await app.patch(`/v1/signatures/${signatureId}`, {
      signature: { draft_content: stack(text('Second version')) },
    })
    await app.post(`/v1/signatures/${signatureId}/publish`)
    await runAllJobs(app)
    expect([stored(ada)?.includes('Second version'), await statuses()]).toEqual([true, intact])
  })

  it('is not read while a delivery is due, and a read that a delivery overtakes counts for nothing', async () => {
    await setRepair('report')
    await runAllJobs(app)
    const check = () => runJob(app, 'installations.check', { integration_id: integrationId })
    const ofBob = sql`where email_id = ${emailIds.get(bob)}`
    google.read.length = 0
    await app.db.query(sql`update mailboxes set check_at = now()`)
    await app.db.query(sql`update mailboxes set due_at = now() ${ofBob}`)
    await check()
    expect(google.read).toEqual([])
    await app.db.query(sql`update mailboxes set due_at = null ${ofBob}`)
    google.holdAnswer = async url => {
      if (!url.includes('/sendAs/bob')) return
      google.holdAnswer = async () => undefined
      await app.post(`/v1/emails/${emailIds.get(bob)}/install`)
      await runAllJobs(app)
      write(bob, '<p>Before the delivery</p>')
    }
    await check()
    expect([google.read.includes(bob), await statuses()]).toEqual([true, intact])
    write(bob, ours.get(bob) ?? '')
  })

  it('is forgotten when checks are switched off, and an unreachable Google changes nothing', async () => {
    write(sales, '<p>Mine</p>')
    google.behavior = () => 'down'
    await checkAll()
    expect(await statuses()).toEqual(intact)
    google.behavior = () => 'well'
    await checkAll()
    expect(await statuses()).toMatchObject({ [sales]: 'drifted changed' })
    await setRepair('off')
    google.read.length = 0
    await checkAll()
    expect([google.read, await statuses()]).toEqual([[], intact])
  })
})
