import { readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { markDisconnected, saveSecret } from '#features/workspace/integrations/index.ts'
import { raw, sql } from '#kernel/db/db.ts'
import { enqueue, type Worker } from '#kernel/db/jobs.ts'
import { createVault } from '#platform/secrets.ts'
import { fieldErrors, type TestApp } from '#test/support/app.ts'
import { startJobs } from '#test/support/jobs.ts'
import { connectReceiver, type Receiver, webhookSecret } from '#test/support/outside/webhook.ts'
import { emptyFolder } from '#test/support/processes/process.ts'
import { createSignature, stack, text, textWithField } from '#test/support/signatures.ts'
import { assign, connectedApp, createTeammate, fieldIds, publish, setValues } from '#test/support/world.ts'
import { backOffAfter } from './mailboxes/states.ts'

let app: TestApp
let receiver: Receiver
let worker: Worker
let firstName: string
let integration: string
beforeAll(async () => {
  ;({ app, receiver, integrationId: integration } = await connectedApp())
  firstName = (await fieldIds(app)).first_name
  worker = startJobs(app)
})
afterAll(() => worker.stop(5_000))
beforeEach(() => {
  receiver.answer = () => 200
  receiver.delay = 0
})

const createNamed = (name: string) => createTeammate(app, { values: { [firstName]: name } })
const contentOf = (words: string) => stack(textWithField(words, firstName))

async function createDraft(words: string, priority = 0): Promise<string> {
  return (await createSignature(app, { draft_content: contentOf(words), priority })).body.data.id
}
const rewrite = (id: string, words: string) =>
  app.patch(`/v1/signatures/${id}`, { signature: { draft_content: contentOf(words) } })
const rows = async (query: string) => (await app.get(`/v1/installations?limit=100&${query}`)).body.data
const rowOf = async (emailId: string, id: string) =>
  (await rows(`email_id=${emailId}&signature_template_id=${id}`)).find(
    (row: { channel: string }) => row.channel === 'webhook',
  )
const mailboxOf = (email: string) => receiver.mailboxes.get(email) ?? ''
const eventually = (check: () => unknown) => expect.poll(check, { interval: 30 })

describe('publishing', () => {
  it('delivers the signature to all its recipients, and records it', async () => {
    const [ada, bob] = [await createNamed('Ada'), await createNamed('Bob')]
    const id = await createDraft('Hello')
    await assign(app, id, ada.emailId, bob.emailId)
    await publish(app, id)
    await eventually(() => mailboxOf(ada.email)).toContain('Hello Ada')
    await eventually(() => mailboxOf(bob.email)).toContain('Hello Bob')
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
    expect(body.data[0].installation_status).toBe('installed') // although no teammate has copied it
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

  it('again writes nothing without a change, and writes after a change', async () => {
    const ada = await createNamed('Ada')
    const id = await createDraft('Once')
    await assign(app, id, ada.emailId)
    await publish(app, id)
    await eventually(() => mailboxOf(ada.email)).toContain('Once')
    await publish(app, id)
    await rewrite(id, 'Twice')
    await publish(app, id)
    await eventually(() => mailboxOf(ada.email)).toContain('Twice Ada')
    expect(receiver.writes.get(ada.email)).toBe(2)
  })

  it('updates mailboxes when values, recipients or the winning signature change', async () => {
    const ada = await createNamed('Ada')
    const [low, high] = [await createDraft('Low', 9), await createDraft('High', 3)]
    await assign(app, low, ada.emailId)
    await publish(app, low)
    await publish(app, high)
    await eventually(() => mailboxOf(ada.email)).toContain('Low Ada')
    await setValues(app, ada.id, { [firstName]: 'Adele' })
    await eventually(() => mailboxOf(ada.email)).toContain('Low Adele')
    await assign(app, high, ada.emailId)
    await eventually(() => mailboxOf(ada.email)).toContain('High Adele')
    await eventually(async () => (await rowOf(ada.emailId, low)).status).toBe('uninstalled')
    await app.post(`/v1/signatures/${high}/deactivate`)
    await eventually(() => mailboxOf(ada.email)).toContain('Low Adele')
    await publish(app, high)
    await eventually(() => mailboxOf(ada.email)).toContain('High Adele')
    await app.del(`/v1/signatures/${high}`)
    await eventually(() => mailboxOf(ada.email)).toContain('Low Adele')
  })

  it('of one signature, or to one more address, compares only the affected addresses', async () => {
    const workspace = await app.workspace('Small changes')
    const auth = { key: workspace.key }
    const ids: string[] = []
    for (let n = 0; n < 3; n++) ids.push((await createTeammate(app, auth)).emailId)
    const make = async (name: string) => {
      const signature = { name, draft_content: stack(text(name)) }
      return (await app.post('/v1/signatures', { signature }, auth)).body.data.id
    }
    const queued = () =>
      app.db.query<{ payload: { email_ids?: string[] } }>(sql`
        select j.payload from graphile_worker._private_jobs j
        where j.payload->>'workspace_id' = ${workspace.id} and j.run_at > now() order by j.id`)
    // Workers do not take jobs whose run_at is in the future.
    await app.db.query(
      sql`create or replace function later() returns trigger language plpgsql as ${raw("$$ begin new.run_at = now() + interval '1 hour'; return new; end $$")}`,
    )
    await app.db.query(
      sql`create or replace trigger later before insert on graphile_worker._private_jobs for each row
        when (new.payload->>'workspace_id' = ${raw(`'${workspace.id}'`)}) execute function later()`,
    )
    const [all, draft] = [await make('All'), await make('Draft')]
    await app.post(`/v1/signatures/${all}/emails`, { email_ids: [ids[0]?.toUpperCase(), ids[1]] }, auth)
    expect((await queued()).at(-1)?.payload.email_ids).toEqual([ids[0], ids[1]])
    await app.call('DELETE', `/v1/signatures/${all}/emails/${ids[1]}`, auth)
    expect((await queued()).at(-1)?.payload.email_ids).toEqual([ids[1]])
    const before = (await queued()).length
    await app.post(`/v1/signatures/${draft}/emails`, { email_ids: [ids[2]] }, auth)
    await app.del(`/v1/signatures/${draft}`, auth)
    expect(await queued()).toHaveLength(before + 1) // only the address, nothing for the draft
    await app.post(`/v1/signatures/${all}/publish`, undefined, auth)
    await app.del(`/v1/signatures/${all}`, auth)
    expect((await queued()).at(-1)?.payload.email_ids).toEqual([ids[0]])
    await app.db.query(sql`drop trigger later on graphile_worker._private_jobs`)
  })

  it('never leaves an older version in a mailbox', async () => {
    const ada = await createNamed('Ada')
    const id = await createDraft('v0')
    await assign(app, id, ada.emailId)
    receiver.delay = 20
    for (let version = 1; version <= 12; version++) {
      await rewrite(id, `v${version}`)
      await publish(app, id)
    }
    await eventually(() => mailboxOf(ada.email)).toContain('v12 Ada')
    await eventually(async () => (await rowOf(ada.emailId, id)).status).toBe('installed')
    expect(mailboxOf(ada.email)).toContain('v12 Ada')
    expect(receiver.writes.get(ada.email)).toBeLessThanOrEqual(13)
  })
})

describe('a delivery that fails', () => {
  it('with a rejection is reported, and retried on request', async () => {
    const ada = await createNamed('Ada')
    const id = await createDraft('Refused')
    receiver.answer = address => (address === ada.email ? 422 : 200)
    await assign(app, id, ada.emailId)
    await publish(app, id)
    await eventually(async () => (await rowOf(ada.emailId, id))?.status).toBe('failed')
    expect(await rowOf(ada.emailId, id)).toMatchObject({
      error_code: 'refused',
      error_message: 'The address answered 422.',
    })
    const failed = await app.get(`/v1/signatures/${id}/emails?installation_status=failed`)
    expect(failed.body.data.map((email: { id: string }) => email.id)).toEqual([ada.emailId])
    receiver.answer = () => 200
    const response = await app.post(`/v1/signatures/${id}/install`)
    expect([response.status, response.body.data]).toEqual([202, { signature_id: id, queued: 1 }])
    await eventually(() => mailboxOf(ada.email)).toContain('Refused Ada')
  })

  it('temporarily is retried later', async () => {
    const ada = await createNamed('Ada')
    const id = await createDraft('Later')
    receiver.answer = address => (address === ada.email ? 503 : 200)
    await assign(app, id, ada.emailId)
    await publish(app, id)
    await eventually(async () => (await rowOf(ada.emailId, id))?.error_code).toBe('unreachable')
    expect(await rowOf(ada.emailId, id)).toMatchObject({ status: 'pending', attempts: 1 })
    receiver.answer = () => 200
    await eventually(() => mailboxOf(ada.email)).toContain('Later Ada')
  })

  it('is retried under the same message id, also after a halt', async () => {
    const ada = await createNamed('Ada')
    const id = await createDraft('One message')
    const answers = [503, 401]
    receiver.answer = address => (address === ada.email ? (answers.shift() ?? 200) : 200)
    await assign(app, id, ada.emailId)
    await publish(app, id)
    const payload = { workspace_id: app.id, channel: 'webhook', integration_id: integration, slot: 0 }
    await eventually(async () => {
      await app.db.query(sql`
        update mailboxes set due_at = now()
        where workspace_id = ${app.id} and email_id = ${ada.emailId} and due_at is not null and claimed_until is null`)
      await app.db.query(enqueue('installations.deliver', payload, `deliver now ${ada.emailId}`))
      return mailboxOf(ada.email)
    }).toContain('One message')
    const ids = receiver.requestIds.get(ada.email) ?? []
    expect(ids).toHaveLength(3)
    expect(new Set(ids).size).toBe(1)
  })

  it('for all mailboxes halts the channel, sets the integration to error, and continues after the repair', async () => {
    const [ada, bob] = [await createNamed('Ada'), await createNamed('Bob')]
    const id = await createDraft('Locked out')
    receiver.answer = () => 401
    await assign(app, id, ada.emailId, bob.emailId)
    await publish(app, id)
    const state = async () => (await app.get(`/v1/integrations/${integration}`)).body.data
    await eventually(async () => (await state()).status).toBe('error')
    expect((await state()).error_message).toBe('The address answered 401.')
    expect((await rowOf(ada.emailId, id)).status).toBe('pending')
    receiver.answer = () => 200
    await app.post(`/v1/signatures/${id}/install`)
    await eventually(() => mailboxOf(ada.email)).toContain('Locked out')
    await eventually(() => mailboxOf(bob.email)).toContain('Locked out')
    await eventually(async () => (await state()).status).toBe('active')
  })

  it('is retried after 5 s, then after twice as long, at most after an hour, with a random spread', () => {
    expect(backOffAfter(1, 0.5)).toBe(5_000)
    expect(backOffAfter(4, 0.5)).toBe(40_000)
    expect(backOffAfter(30, 0.5)).toBe(3_600_000)
    expect([backOffAfter(1, 0), backOffAfter(1, 1)]).toEqual([2_500, 7_500])
  })
})

describe('asking for an installation', () => {
  it('of one address delivers the signature again', async () => {
    const ada = await createNamed('Ada')
    const id = await createDraft('Mine')
    await assign(app, id, ada.emailId)
    await publish(app, id)
    await eventually(async () => (await rowOf(ada.emailId, id))?.status).toBe('installed')
    receiver.mailboxes.set(ada.email, 'changed by hand')
    const response = await app.post(`/v1/emails/${ada.emailId}/install`, {})
    expect([response.status, response.body.data]).toEqual([202, { signature_id: id, queued: 1 }])
    await eventually(() => mailboxOf(ada.email)).toContain('Mine Ada')
    const other = await createDraft('Not mine')
    const writes = receiver.writes.get(ada.email)
    const wrong = await app.post(`/v1/emails/${ada.emailId}/install`, { signature_id: other })
    expect(fieldErrors(wrong)).toEqual({ signature_id: 'not_a_recipient' })
    expect(wrong.body.error.message).toBe('signature_id is not the signature that this address gets')
    await sleep(300)
    expect(receiver.writes.get(ada.email)).toBe(writes) // refused before any change
  })

  it('returns the number of recipients, and is refused while there are none', async () => {
    const [ada, bob] = [await createNamed('Ada'), await createNamed('Bob')]
    const [low, high] = [await createDraft('Low', 900), await createDraft('High', 800)]
    await assign(app, low, ada.emailId, bob.emailId)
    await assign(app, high, bob.emailId)
    await publish(app, low)
    await publish(app, high)
    expect((await app.post(`/v1/signatures/${low}/install`)).body.data.queued).toBe(1)
    await app.post(`/v1/signatures/${low}/deactivate`)
    const off = await app.post(`/v1/signatures/${low}/install`)
    expect([off.status, off.body.error.code]).toEqual([409, 'no_signature_to_install'])
    await app.post(`/v1/signatures/${high}/deactivate`)
  })

  it('is refused where no signature is published', async () => {
    const ada = await createNamed('Ada')
    const id = await createDraft('Draft')
    for (const path of [`/v1/signatures/${id}/install`, `/v1/emails/${ada.emailId}/install`]) {
      const answer = await app.post(path, {})
      expect([answer.status, answer.body.error.code]).toEqual([409, 'no_signature_to_install'])
    }
  })
})

describe('a secret that cannot be decrypted', () => {
  it('halts only its own channel, and sets that integration to error', async () => {
    const ada = await createNamed('Ada')
    const unreadable = await connectReceiver(app, receiver)
    const other = createVault({ dataDir: '/nowhere', secretKeys: [Buffer.alloc(32, 3)] })
    await saveSecret(app.db, app.id, unreadable, await other.seal('x', unreadable))
    const id = await createDraft('Half open', 0)
    await assign(app, id, ada.emailId)
    await publish(app, id)
    await eventually(() => mailboxOf(ada.email)).toContain('Half open')
    const state = async () => (await app.get(`/v1/integrations/${unreadable}`)).body.data
    await eventually(async () => (await state()).status).toBe('error')
    expect((await state()).error_message).toContain('SIGNOFF_SECRET_KEYS')
    await eventually(async () =>
      (await rows(`email_id=${ada.emailId}`))
        .map((row: { channel: string; status: string }) => `${row.channel} ${row.status}`)
        .sort(),
    ).toEqual(['personal_page pending', 'webhook installed', 'webhook pending'])
    await markDisconnected(app.db, app.by, unreadable)
  })
})

describe('stored secrets', () => {
  it('are encrypted, and can be decrypted only for their own integration', async () => {
    const [row] = await app.db.query<{ secret: Buffer }>(
      sql`select secret from integrations where workspace_id = ${app.id} and id = ${integration}`,
    )
    expect(row?.secret.toString('latin1')).not.toContain('whsec')
    const vault = createVault(app.config)
    expect(await vault.open(row?.secret ?? Buffer.alloc(0), integration)).toBe(webhookSecret)
    await expect(vault.open(row?.secret ?? Buffer.alloc(0), 'another')).rejects.toThrow('does not open')
  })

  it('use a key file that is either complete or missing', async () => {
    const dataDir = await emptyFolder()
    const vaults = Array.from({ length: 8 }, () => createVault({ dataDir, secretKeys: null }))
    const sealed = await Promise.all(vaults.map(vault => vault.seal('x', 'c')))
    for (const secret of sealed) expect(await vaults[0]?.open(secret, 'c')).toBe('x')
    expect(await readdir(dataDir)).toEqual(['secret.key'])
    expect(((await stat(join(dataDir, 'secret.key'))).mode & 0o777).toString(8)).toBe('600')
    await writeFile(join(dataDir, 'secret.key'), '')
    const broken = createVault({ dataDir, secretKeys: null })
    await expect(broken.seal('x', 'c')).rejects.toThrow('must hold 32 bytes')
    await expect(vaults[0]?.open(Buffer.alloc(3), 'c')).rejects.toThrow('does not open')
  })

  it('stay readable when the key is changed and the old key is still configured', async () => {
    const [old, fresh] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
    const at = { dataDir: '/nowhere' }
    const sealed = await createVault({ ...at, secretKeys: [old] }).seal('x', 'c')
    expect(await createVault({ ...at, secretKeys: [fresh, old] }).open(sealed, 'c')).toBe('x')
    await expect(createVault({ ...at, secretKeys: [fresh] }).open(sealed, 'c')).rejects.toThrow()
  })
})
