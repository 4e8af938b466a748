import { readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { disconnect, saveSecret } from '#features/integrations/index.ts'
import { raw, sql } from '#kernel/db.ts'
import { startWorker, type Worker } from '#kernel/jobs.ts'
import { createLog } from '#kernel/log.ts'
import { createVault } from '#platform/secrets.ts'
import { problems, type TestApp, testApp } from '#test/support/app.ts'
import { freshFolder } from '#test/support/process.ts'
import { connectReceiver, type Receiver, startReceiver, webhookSecret } from '#test/support/webhook.ts'
import { buildJobs } from '#worker.ts'
import { backOffAfter } from './mailboxes/states.ts'

let app: TestApp
let receiver: Receiver
let worker: Worker
let firstName: string
let integration: string
beforeAll(async () => {
  app = await testApp({ env: { SIGNOFF_PRIVATE_TARGETS: '127.0.0.1' } })
  receiver = await startReceiver(() => webhookSecret)
  const { body } = await app.get('/v1/smart_fields?limit=100')
  firstName = body.data.find((field: { key: string }) => field.key === 'first_name').id
  integration = await connectReceiver(app, receiver)
  worker = startWorker({
    pool: app.db.pg,
    jobs: buildJobs(app.parts, app.db),
    concurrency: 4,
    log: createLog('silent'),
  })
})
afterAll(() => worker.stop(5_000))
beforeEach(() => {
  receiver.answer = () => 200
  receiver.delay = 0
})

let made = 0
async function teammate(name: string) {
  made += 1
  const email = `person${made}@example.com`
  const smart_fields = [{ smart_field_id: firstName, value: name }]
  const { body } = await app.post('/v1/teammates', { teammate: { email, smart_fields } })
  return { id: body.data.id as string, emailId: body.data.emails[0].id as string, email }
}

const saying = (words: string) => ({
  type: 'stack',
  children: [{ type: 'text', tokens: [{ value: `${words} ` }, { smartFieldUuid: firstName }] }],
})

async function signature(words: string, priority = 0) {
  const { body } = await app.post('/v1/signatures', {
    signature: { name: words, draft_content: saying(words), priority },
  })
  return body.data.id as string
}
const publish = (id: string) => app.post(`/v1/signatures/${id}/publish`)
const rewrite = (id: string, words: string) =>
  app.patch(`/v1/signatures/${id}`, { signature: { draft_content: saying(words) } })
const give = (id: string, ...emailIds: string[]) =>
  app.post(`/v1/signatures/${id}/emails`, { email_ids: emailIds })
const rows = async (query: string) => (await app.get(`/v1/installations?limit=100&${query}`)).body.data
const rowOf = async (emailId: string, id: string) =>
  (await rows(`email_id=${emailId}&signature_template_id=${id}`)).find(
    (row: { channel: string }) => row.channel === 'webhook',
  )
const has = (email: string) => receiver.mailboxes.get(email) ?? ''
const eventually = (check: () => unknown) => expect.poll(check, { interval: 30 })

describe('publishing', () => {
  it('brings the signature to everybody who gets it, and notes it', async () => {
    const [ada, bob] = [await teammate('Ada'), await teammate('Bob')]
    const id = await signature('Hello')
    await give(id, ada.emailId, bob.emailId)
    await publish(id)
    await eventually(() => has(ada.email)).toContain('Hello Ada')
    await eventually(() => has(bob.email)).toContain('Hello Bob')
    for (const { emailId } of [ada, bob])
      await eventually(async () => (await rowOf(emailId, id)).status).toBe('installed')
    expect(await rowOf(ada.emailId, id)).toMatchObject({
      signature_template_id: id,
      email_address: ada.email,
      integration_id: integration,
      error_code: null,
      attempts: 1,
      html_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    const page = (await rows(`email_id=${ada.emailId}`)).find(
      (row: { channel: string }) => row.channel === 'personal_page',
    )
    expect(page).toMatchObject({ status: 'pending', integration_id: null })
    const { body } = await app.get(`/v1/signatures/${id}/emails`)
    expect(body.data[0].installation_status).toBe('installed') // whoever has copied it or not
    const progress = await app.get(`/v1/signatures/${id}/installation`)
    expect(progress.body.data).toMatchObject({
      signature_id: id,
      installed: 2,
      pending: 0,
      failed: 0,
      estimated_end: null,
      personal_page: { pending: 2, installed: 0 },
    })
    expect(receiver.refused).toEqual([])
  })

  it('again without a change writes nothing; with one it does', async () => {
    const ada = await teammate('Ada')
    const id = await signature('Once')
    await give(id, ada.emailId)
    await publish(id)
    await eventually(() => has(ada.email)).toContain('Once')
    await publish(id)
    await rewrite(id, 'Twice')
    await publish(id)
    await eventually(() => has(ada.email)).toContain('Twice Ada')
    expect(receiver.writes.get(ada.email)).toBe(2)
  })

  it('follows values, addresses, recipients and priorities', async () => {
    const ada = await teammate('Ada')
    const [low, high] = [await signature('Low', 9), await signature('High', 3)]
    await give(low, ada.emailId)
    await publish(low)
    await publish(high)
    await eventually(() => has(ada.email)).toContain('Low Ada')
    await app.patch(`/v1/teammates/${ada.id}`, {
      teammate: { smart_fields: [{ smart_field_id: firstName, value: 'Adele' }] },
    })
    await eventually(() => has(ada.email)).toContain('Low Adele')
    await give(high, ada.emailId)
    await eventually(() => has(ada.email)).toContain('High Adele')
    await eventually(async () => (await rowOf(ada.emailId, low)).status).toBe('uninstalled')
    await app.post(`/v1/signatures/${high}/deactivate`)
    await eventually(() => has(ada.email)).toContain('Low Adele')
    await app.post(`/v1/signatures/${high}/publish`)
    await eventually(() => has(ada.email)).toContain('High Adele')
    await app.del(`/v1/signatures/${high}`)
    await eventually(() => has(ada.email)).toContain('Low Adele')
  })

  it('of one signature, or to one more address, looks at nobody else', async () => {
    const everybody = await app.workspace('Small changes')
    const as = { key: everybody.key }
    const ids: string[] = []
    for (const email of ['a@example.com', 'b@example.com', 'c@example.com'])
      ids.push((await app.post('/v1/teammates', { teammate: { email } }, as)).body.data.emails[0].id)
    const make = async (name: string) => {
      const signature = { name, draft_content: { type: 'stack', children: [] } }
      return (await app.post('/v1/signatures', { signature }, as)).body.data.id
    }
    const queued = () =>
      app.db.query<{ payload: { email_ids?: string[] } }>(sql`
        select j.payload from graphile_worker._private_jobs j
        where j.payload->>'workspace_id' = ${everybody.id} and j.run_at > now() order by j.id`)
    // Workers leave what is to be done in the future.
    await app.db.query(
      sql`create or replace function later() returns trigger language plpgsql as ${raw("$$ begin new.run_at = now() + interval '1 hour'; return new; end $$")}`,
    )
    await app.db.query(
      sql`create or replace trigger later before insert on graphile_worker._private_jobs for each row
        when (new.payload->>'workspace_id' = ${raw(`'${everybody.id}'`)}) execute function later()`,
    )
    const [all, draft] = [await make('All'), await make('Draft')]
    await app.post(`/v1/signatures/${all}/emails`, { email_ids: [ids[0]?.toUpperCase(), ids[1]] }, as)
    expect((await queued()).at(-1)?.payload.email_ids).toEqual([ids[0], ids[1]])
    await app.call('DELETE', `/v1/signatures/${all}/emails/${ids[1]}`, as)
    expect((await queued()).at(-1)?.payload.email_ids).toEqual([ids[1]])
    const before = (await queued()).length
    await app.post(`/v1/signatures/${draft}/emails`, { email_ids: [ids[2]] }, as)
    await app.del(`/v1/signatures/${draft}`, as)
    expect(await queued()).toHaveLength(before + 1) // the address alone, nothing for the draft
    await app.post(`/v1/signatures/${all}/publish`, undefined, as)
    await app.del(`/v1/signatures/${all}`, as)
    expect((await queued()).at(-1)?.payload.email_ids).toEqual([ids[0]])
    await app.db.query(sql`drop trigger later on graphile_worker._private_jobs`)
  })

  it('never leaves an older version where a newer one belongs', async () => {
    const ada = await teammate('Ada')
    const id = await signature('v0')
    await give(id, ada.emailId)
    receiver.delay = 20
    for (let version = 1; version <= 12; version++) {
      await rewrite(id, `v${version}`)
      await publish(id)
    }
    await eventually(() => has(ada.email)).toContain('v12 Ada')
    await eventually(async () => (await rowOf(ada.emailId, id)).status).toBe('installed')
    expect(has(ada.email)).toContain('v12 Ada')
    expect(receiver.writes.get(ada.email)).toBeLessThanOrEqual(13)
  })
})

describe('a delivery that fails', () => {
  it('for good is told, and tried again when asked', async () => {
    const ada = await teammate('Ada')
    const id = await signature('Refused')
    receiver.answer = address => (address === ada.email ? 422 : 200)
    await give(id, ada.emailId)
    await publish(id)
    await eventually(async () => (await rowOf(ada.emailId, id))?.status).toBe('failed')
    expect(await rowOf(ada.emailId, id)).toMatchObject({
      error_code: 'refused',
      error_message: 'The address answered 422.',
    })
    const failed = await app.get(`/v1/signatures/${id}/emails?installation_status=failed`)
    expect(failed.body.data.map((one: { id: string }) => one.id)).toEqual([ada.emailId])
    receiver.answer = () => 200
    const asked = await app.post(`/v1/signatures/${id}/install`)
    expect([asked.status, asked.body.data]).toEqual([202, { signature_id: id, queued: 1 }])
    await eventually(() => has(ada.email)).toContain('Refused Ada')
  })

  it('for now is tried again later', async () => {
    const ada = await teammate('Ada')
    const id = await signature('Later')
    receiver.answer = address => (address === ada.email ? 503 : 200)
    await give(id, ada.emailId)
    await publish(id)
    await eventually(async () => (await rowOf(ada.emailId, id))?.error_code).toBe('unreachable')
    expect(await rowOf(ada.emailId, id)).toMatchObject({ status: 'pending', attempts: 1 })
    receiver.answer = () => 200
    await eventually(() => has(ada.email)).toContain('Later Ada')
  })

  it('for everybody stops, tells the integration, and goes on when it is mended', async () => {
    const [ada, bob] = [await teammate('Ada'), await teammate('Bob')]
    const id = await signature('Locked out')
    receiver.answer = () => 401
    await give(id, ada.emailId, bob.emailId)
    await publish(id)
    const state = async () => (await app.get(`/v1/integrations/${integration}`)).body.data
    await eventually(async () => (await state()).status).toBe('error')
    expect((await state()).error_message).toBe('The address answered 401.')
    expect((await rowOf(ada.emailId, id)).status).toBe('pending')
    receiver.answer = () => 200
    await app.post(`/v1/signatures/${id}/install`)
    await eventually(() => has(ada.email)).toContain('Locked out')
    await eventually(() => has(bob.email)).toContain('Locked out')
    await eventually(async () => (await state()).status).toBe('active')
  })

  it('comes back after 5 s, then after twice as long, an hour at most, and never in step', () => {
    expect(backOffAfter(1, 0.5)).toBe(5_000)
    expect(backOffAfter(4, 0.5)).toBe(40_000)
    expect(backOffAfter(30, 0.5)).toBe(3_600_000)
    expect([backOffAfter(1, 0), backOffAfter(1, 1)]).toEqual([2_500, 7_500])
  })
})

describe('asking for an installation', () => {
  it('of one address writes it once more', async () => {
    const ada = await teammate('Ada')
    const id = await signature('Mine')
    await give(id, ada.emailId)
    await publish(id)
    await eventually(async () => (await rowOf(ada.emailId, id))?.status).toBe('installed')
    receiver.mailboxes.set(ada.email, 'changed by hand')
    const asked = await app.post(`/v1/emails/${ada.emailId}/install`, {})
    expect([asked.status, asked.body.data]).toEqual([202, { signature_id: id, queued: 1 }])
    await eventually(() => has(ada.email)).toContain('Mine Ada')
    const other = await signature('Not mine')
    const writes = receiver.writes.get(ada.email)
    const wrong = await app.post(`/v1/emails/${ada.emailId}/install`, { signature_id: other })
    expect(problems(wrong)).toEqual({ signature_id: 'not_a_recipient' })
    expect(wrong.body.error.message).toBe('signature_id is not the signature that this address gets')
    await sleep(300)
    expect(receiver.writes.get(ada.email)).toBe(writes) // refused before anything was done
  })

  it('counts those who get the signature, and is refused while nobody does', async () => {
    const [ada, bob] = [await teammate('Ada'), await teammate('Bob')]
    const [low, high] = [await signature('Low', 900), await signature('High', 800)]
    await give(low, ada.emailId, bob.emailId)
    await give(high, bob.emailId)
    await publish(low)
    await publish(high)
    expect((await app.post(`/v1/signatures/${low}/install`)).body.data.queued).toBe(1)
    await app.post(`/v1/signatures/${low}/deactivate`)
    const off = await app.post(`/v1/signatures/${low}/install`)
    expect([off.status, off.body.error.code]).toEqual([409, 'no_signature_to_install'])
    await app.post(`/v1/signatures/${high}/deactivate`)
  })

  it('where there is none is refused', async () => {
    const ada = await teammate('Ada')
    const id = await signature('Draft')
    for (const path of [`/v1/signatures/${id}/install`, `/v1/emails/${ada.emailId}/install`]) {
      const answer = await app.post(path, {})
      expect([answer.status, answer.body.error.code]).toEqual([409, 'no_signature_to_install'])
    }
  })
})

describe('a secret that does not open', () => {
  it('stops its own channel, which says so, and no other', async () => {
    const ada = await teammate('Ada')
    const closed = await connectReceiver(app, receiver)
    const other = createVault({ dataDir: '/nowhere', secretKeys: [Buffer.alloc(32, 3)] })
    await saveSecret(app.db, app.id, closed, await other.seal('x', closed))
    const id = await signature('Half open', 0)
    await give(id, ada.emailId)
    await publish(id)
    await eventually(() => has(ada.email)).toContain('Half open')
    const state = async () => (await app.get(`/v1/integrations/${closed}`)).body.data
    await eventually(async () => (await state()).status).toBe('error')
    expect((await state()).error_message).toContain('SIGNOFF_SECRET_KEYS')
    await eventually(async () =>
      (await rows(`email_id=${ada.emailId}`))
        .map((row: { channel: string; status: string }) => `${row.channel} ${row.status}`)
        .sort(),
    ).toEqual(['personal_page pending', 'webhook installed', 'webhook pending'])
    await disconnect(app.db, app.by, closed)
  })
})

describe('stored secrets', () => {
  it('are sealed, and open for their own use alone', async () => {
    const [row] = await app.db.query<{ secret: Buffer }>(
      sql`select secret from integrations where workspace_id = ${app.id} and id = ${integration}`,
    )
    expect(row?.secret.toString('latin1')).not.toContain('whsec')
    const vault = createVault(app.config)
    expect(await vault.open(row?.secret ?? Buffer.alloc(0), integration)).toBe(webhookSecret)
    await expect(vault.open(row?.secret ?? Buffer.alloc(0), 'another')).rejects.toThrow('does not open')
  })

  it('are kept by a key that is whole or not there', async () => {
    const dataDir = await freshFolder()
    const vaults = Array.from({ length: 8 }, () => createVault({ dataDir, secretKeys: null }))
    const sealed = await Promise.all(vaults.map(vault => vault.seal('x', 'c')))
    for (const one of sealed) expect(await vaults[0]?.open(one, 'c')).toBe('x')
    expect(await readdir(dataDir)).toEqual(['secret.key'])
    expect(((await stat(join(dataDir, 'secret.key'))).mode & 0o777).toString(8)).toBe('600')
    await writeFile(join(dataDir, 'secret.key'), '')
    const broken = createVault({ dataDir, secretKeys: null })
    await expect(broken.seal('x', 'c')).rejects.toThrow('must hold 32 bytes')
    await expect(vaults[0]?.open(Buffer.alloc(3), 'c')).rejects.toThrow('does not open')
  })

  it('stay readable when the key is changed', async () => {
    const [old, fresh] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
    const at = { dataDir: '/nowhere' }
    const sealed = await createVault({ ...at, secretKeys: [old] }).seal('x', 'c')
    expect(await createVault({ ...at, secretKeys: [fresh, old] }).open(sealed, 'c')).toBe('x')
    await expect(createVault({ ...at, secretKeys: [fresh] }).open(sealed, 'c')).rejects.toThrow()
  })
})
