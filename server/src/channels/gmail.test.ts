import { generateKeyPairSync } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type Connection,
  installationJobs,
  type PushChannel,
  takeQuota,
} from '#features/installations/index.ts'
import { reconcile } from '#features/installations/reconcile/rules.ts'
import { connectedSystems, insertIntegration } from '#features/integrations/index.ts'
import { sql } from '#kernel/db.ts'
import { startWorker, type Worker } from '#kernel/jobs.ts'
import { createLog } from '#kernel/log.ts'
import { readRetryAfter } from '#providers/retry-after.ts'
import { type TestApp, testApp } from '#test/support/app.ts'
import { deliveryFor } from '#test/support/channel-contract.ts'
import { basicScope, type Google, type Mood, sharingScope, startGoogle } from '#test/support/google.ts'
import { urlOf } from '#test/support/postgres.ts'
import { freshFolder, signoff } from '#test/support/process.ts'
import { buildJobs } from '#worker.ts'
import { gmailChannel } from './gmail.ts'
import { gmailOutcomeOf } from './gmail-refusals.ts'
import { createQuota } from './quota.ts'

const secretKeys = Buffer.alloc(32, 9).toString('base64')
const [ada, alias] = ['ada@example.com', 'sales@example.com']
let google: Google
let app: TestApp
let folder: string
beforeAll(async () => {
  google = await startGoogle()
  google.users.set(ada, new Map([ada, alias].map(address => [address, ''])))
  app = await testApp({ env: { SIGNOFF_SECRET_KEYS: secretKeys } })
  folder = await freshFolder()
})
beforeEach(() => {
  google.mood = () => 'well'
  google.delegated = new Set([basicScope, sharingScope])
  google.retryAfter = null
})
const connection = (settings: object = {}, secret: string | null = google.keyFile): Connection => ({
  workspaceId: 'w',
  channel: 'google_workspace',
  integrationId: 'i',
  settings: { api: google.api, token_uri: google.tokenUri, ...settings },
  secret,
})
const free = { quota: async () => 0 }
const content = { type: 'stack', children: [{ type: 'text', tokens: [{ value: 'By Gmail' }] }] }
/** By a channel that remembers nothing. */
const deliver = (address: string, primary = address, html = '<p>Ada</p>', secret?: string) =>
  gmailChannel(free).deliver(deliveryFor(address, html, primary), connection({}, secret ?? google.keyFile))

describe('Gmail', () => {
  it('gets the signature of the primary address with the lesser scope alone, of an alias with both', async () => {
    google.delegated = new Set([basicScope])
    expect(await deliver(ada)).toEqual({ ok: true })
    expect(await deliver(alias, ada)).toMatchObject({ code: 'access_lost', next: 'stop' })
    google.delegated = new Set([basicScope, sharingScope])
    expect(await deliver(alias, ada, '<p>Sales</p>')).toEqual({ ok: true })
    expect([...(google.users.get(ada) ?? [])]).toEqual([
      [ada, '<p>Ada</p>'],
      [alias, '<p>Sales</p>'],
    ])
    expect(google.faults).toEqual([])
  })

  it('may store it in its own way', async () => {
    const html = '<p style="mso-line-height-rule:exactly;color:red">Ada<!-- Outlook --></p>'
    expect(await deliver(ada, ada, html)).toEqual({ ok: true })
    expect(google.users.get(ada)?.get(ada)).toBe('<p style="color:red">Ada</p>')
    // Nothing is left of this one.
    expect(await deliver(ada, ada, '<!-- Outlook -->')).toMatchObject({ code: 'refused', next: 'never' })
  })

  it('is not asked to take more than 10,000 characters', async () => {
    const before = google.sent.get(ada)?.length
    const outcome = await deliver(ada, ada, 'x'.repeat(10_001))
    expect(outcome).toMatchObject({ code: 'signature_too_long', next: 'never' })
    expect(google.sent.get(ada)?.length).toBe(before)
    expect(await deliver(ada, ada, 'x'.repeat(10_000))).toEqual({ ok: true })
  })

  it('is asked for one token per person and scope, and for another when it is refused', async () => {
    const channel = gmailChannel(free)
    const go = (address: string) => channel.deliver(deliveryFor(address, '<p>x</p>', ada), connection())
    const before = google.tokensGiven()
    for (let n = 0; n < 3; n++) expect([await go(ada), await go(alias)]).toEqual([{ ok: true }, { ok: true }])
    expect(google.tokensGiven()).toBe(before + 2)
    google.forgetTokens()
    expect(await go(ada)).toEqual({ ok: true })
    expect(google.tokensGiven()).toBe(before + 3)
  })

  it.each<[Mood, string, string]>([
    ['too many', 'rate_limited', 'again'],
    ['user rate', 'rate_limited', 'again'],
    ['project rate', 'rate_limited', 'again'],
    ['down', 'unreachable', 'again'],
    ['junk', 'unreachable', 'again'],
    ['denied', 'forbidden', 'never'],
    ['not enabled', 'access_lost', 'stop'],
    ['no mailbox', 'user_not_found', 'never'],
  ])('that answers "%s" means %s: %s', async (mood, code, next) => {
    google.mood = () => mood
    expect(await deliver(ada)).toMatchObject({ ok: false, code, next })
  })

  it('tells people and aliases that it does not know apart', async () => {
    expect(await deliver('bob@example.com')).toMatchObject({ code: 'user_not_found', next: 'never' })
    expect(await deliver('x@example.com', ada)).toMatchObject({ code: 'alias_not_found', next: 'never' })
  })

  it('says how long to wait', async () => {
    google.mood = () => 'too many'
    google.retryAfter = '7'
    expect(await deliver(ada)).toMatchObject({ afterMilliseconds: 7_000 })
    const now = Date.parse('2030-01-31T12:00:00Z')
    expect(readRetryAfter('Thu, 31 Jan 2030 12:00:20 GMT', now)).toBe(20_000)
    expect([readRetryAfter('86400', now), readRetryAfter('0', now)]).toEqual([3_600_000, 1_000])
    expect([readRetryAfter('soon', now), readRetryAfter(undefined, now)]).toEqual([undefined, undefined])
    const soon = new Date(Date.now() + 60_000).toISOString()
    const body = { error: { message: `User-rate limit exceeded.  Retry after ${soon}` } }
    const { afterMilliseconds } = gmailOutcomeOf({ status: 429, retryAfter: undefined, body }, false) as {
      afterMilliseconds: number
    }
    expect(afterMilliseconds).toBeGreaterThan(50_000)
    expect(afterMilliseconds).toBeLessThanOrEqual(60_000)
  })

  it('locks out whoever lost the delegation or has another key', async () => {
    google.delegated = new Set()
    expect(await deliver(ada)).toMatchObject({ code: 'access_lost', next: 'stop' })
    google.delegated = new Set([basicScope])
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
    const forged = {
      ...JSON.parse(google.keyFile),
      private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    }
    const outcome = await deliver(ada, ada, '<p>x</p>', JSON.stringify(forged))
    expect(outcome).toMatchObject({
      code: 'access_lost',
      next: 'stop',
      message: expect.stringContaining('Invalid JWT Signature'),
    })
    expect(await deliver(ada, ada, '<p>x</p>', '{}')).toMatchObject({ code: 'access_lost', next: 'stop' })
  })
})

describe('the quota', () => {
  const integration = (workspaceId: string, integrationId: string): Connection => ({
    ...connection(),
    workspaceId,
    integrationId,
  })
  const connected = async () => {
    const kind = 'google_workspace'
    const id = await insertIntegration(app.db, app.by, {
      kind,
      name: 'G',
      dashboardUrl: null,
      drivesTeammates: false,
    })
    return integration(app.id, id)
  }
  /** A quota is that of a minute: what fails because one ended meanwhile is tried again. */
  const withinAMinute = (test: () => Promise<void>) => async () => {
    const minute = () => Math.floor(Date.now() / 60_000)
    for (;;) {
      const began = minute()
      try {
        return await test()
      } catch (error) {
        if (minute() === began) throw error
      }
    }
  }

  it(
    'is kept by several processes together, asks seldom, and tells when the next minute begins',
    withinAMinute(async () => {
      const to = await connected()
      let asked = 0
      const process = () =>
        createQuota((one, count) => {
          asked += 1
          return takeQuota(app.db, one, count, 30)
        }, 10)
      const processes = [process(), process(), process()]
      const waits = await Promise.all(Array.from({ length: 90 }, (_, n) => processes[n % 3]?.(to) ?? 0))
      expect(waits.filter(wait => wait === 0)).toHaveLength(30)
      const waiting = waits.filter(wait => wait > 0)
      expect(Math.max(...waiting)).toBeLessThanOrEqual(60_000)
      expect(asked).toBeLessThanOrEqual(6) // three portions, and a refusal for each
      // Another's is its own.
      expect(await process()(await connected())).toBe(0)
    }),
  )

  it(
    'is there again in the next minute',
    withinAMinute(async () => {
      const to = await connected()
      const take = () => takeQuota(app.db, to, 10, 10)
      expect([(await take()).isGranted, (await take()).isGranted]).toEqual([true, false])
      await app.db.query(
        sql`update channel_quotas set minute = minute - interval '1 minute' where integration_id = ${to.integrationId}`,
      )
      expect([(await take()).isGranted, (await take()).isGranted]).toEqual([true, false])
    }),
  )

  it('used up means later, for everybody', async () => {
    const before = google.sent.get(ada)?.length
    const outcome = await gmailChannel({ quota: async () => 20_000 }).deliver(
      deliveryFor(ada, 'x'),
      connection(),
    )
    expect(outcome).toMatchObject({ code: 'rate_limited', next: 'again', forEverybody: true })
    const { afterMilliseconds } = outcome as { afterMilliseconds: number }
    expect(afterMilliseconds).toBeGreaterThanOrEqual(20_000)
    expect(afterMilliseconds).toBeLessThanOrEqual(23_000)
    expect(google.sent.get(ada)?.length).toBe(before)
  })

  it('used up makes the rest wait too, and costs nobody an attempt', async () => {
    const { id: workspaceId, key, by } = app.other
    const integrationId = await insertIntegration(app.db, by, {
      kind: 'google_workspace',
      name: 'G',
      dashboardUrl: null,
      drivesTeammates: false,
    })
    const to = integration(workspaceId, integrationId)
    const emailIds: string[] = []
    for (const email of ['bob@example.com', 'eve@example.com', 'joe@example.com'])
      emailIds.push(
        (await app.post('/v1/teammates', { teammate: { email } }, { key })).body.data.emails[0].id,
      )
    const made = await app.post(
      '/v1/signatures',
      { signature: { name: 'Q', draft_content: content } },
      { key },
    )
    await app.post(`/v1/signatures/${made.body.data.id}/emails`, { email_ids: emailIds }, { key })
    await app.post(`/v1/signatures/${made.body.data.id}/publish`, {}, { key })
    const { publicUrl } = app.config
    await reconcile(app.db, { workspaceId, publicUrl, tracking: null }, emailIds, [to])

    let tried = 0
    const channel: PushChannel = {
      ...gmailChannel({ quota: async () => 20_000 }),
      atOnce: 1,
      deliver(parcel, through) {
        tried += 1
        return gmailChannel({ quota: async () => 20_000 }).deliver(parcel, through)
      },
    }
    const troubles: unknown[] = []
    const jobs = installationJobs({
      db: app.db,
      rendering: { publicUrl, tracking: null },
      channels: new Map([[channel.name, channel]]),
      connectionsOf: async () => [to],
      onHalt: async (_, why) => void troubles.push(why),
      allConnections: async () => [],
    })
    const carry = jobs.find(job => job.name === 'installations.carry')
    await carry?.run({
      workspace_id: workspaceId,
      channel: channel.name,
      integration_id: integrationId,
      lane: 2,
    })
    expect([tried, troubles]).toEqual([1, []])
    const rows = (await app.get(`/v1/installations?integration_id=${integrationId}`, { key })).body.data
    expect(rows.map((row: { status: string; attempts: number }) => [row.status, row.attempts])).toEqual(
      emailIds.map(() => ['pending', 0]),
    )
    const [next] = await app.db.query<{ run_at: Date }>(
      sql`select run_at from graphile_worker.jobs where key = ${`installations.carry ${workspaceId} ${channel.name} ${integrationId} 2`}`,
    )
    expect((next?.run_at.getTime() ?? 0) - Date.now()).toBeGreaterThan(15_000)
  })

  it('that cannot be asked for is asked for again', async () => {
    let isDown = true
    const quota = createQuota(async () => {
      if (isDown) throw new Error('down')
      return { isGranted: true, millisecondsLeft: 1_000 }
    }, 1)
    await expect(quota(connection())).rejects.toThrow('down')
    isDown = false
    expect(await quota(connection())).toBe(0)
  })
})

describe('integrations add google', () => {
  const cli = (...args: string[]) => {
    const env = {
      DATABASE_URL: urlOf(app.connection),
      SIGNOFF_DATA_DIR: folder,
      SIGNOFF_SECRET_KEYS: secretKeys,
    }
    return signoff(['integrations', 'add', 'google', '-w', app.id, ...args], { env })
  }
  const keyFile = async (text: string) => {
    const path = join(folder, 'key.json')
    await writeFile(path, text)
    return path
  }
  const at = () => ['--api', google.api, '--token-uri', google.tokenUri]
  const keyed = async (text: string) => ['--key-file', await keyFile(text), '--admin', ada, ...at()]
  let worker: Worker | undefined
  afterAll(() => worker?.stop(5_000))

  it('says what is wrong with a key', async () => {
    const { private_key: _, ...keyless } = JSON.parse(google.keyFile)
    const cases = [
      ['nonsense', 'is not JSON'],
      ['{"type":"authorized_user"}', '"type" must be "service_account"'],
      [JSON.stringify({ ...keyless, client_email: 7 }), 'has no "client_email"'],
      [JSON.stringify(keyless), 'has no "private_key"'],
      [JSON.stringify({ ...keyless, private_key: 'x' }), 'not an RSA key in PEM form'],
    ] as const
    for (const [text, problem] of cases) {
      const { code, err } = await cli(...(await keyed(text)))
      expect([code, err]).toEqual([1, expect.stringContaining(problem)])
    }
    const nowhere = await cli('--key-file', join(folder, 'none.json'), '--admin', ada)
    expect(nowhere.err).toContain('cannot be read')
    const nobody = await cli('--key-file', 'x', '--admin', 'ada')
    expect(nobody.err).toContain('--admin must be an email address')
  })

  it('with --check stores nothing that Google does not accept', async () => {
    google.delegated = new Set([basicScope])
    const { code, err } = await cli('--check', ...(await keyed(google.keyFile)))
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/unauthorized_client[\s\S]*gmail\.settings\.sharing/),
    ])
    expect((await connectedSystems(app.db, app.id)).filter(one => one.secret)).toEqual([])
  })

  it('brings signatures to the primary address and to aliases, with the key sealed', async () => {
    const { code, out, err } = await cli('--check', ...(await keyed(google.keyFile)))
    expect([code, err]).toEqual([0, ''])
    expect(out).toContain(`lets ${google.clientEmail} act for ${ada}`)
    const [system] = (await connectedSystems(app.db, app.id)).filter(one => one.secret)
    expect(system).toMatchObject({
      kind: 'google_workspace',
      settings: { client_email: google.clientEmail, admin: ada, api: google.api, token_uri: google.tokenUri },
    })
    expect(system?.secret?.toString('latin1')).not.toContain('PRIVATE KEY')

    const made = await app.post('/v1/teammates', { teammate: { email: ada } })
    const emailId = made.body.data.emails[0].id
    const second = await app.post('/v1/emails', { email: { address: alias, teammate_id: made.body.data.id } })
    expect(second.status).toBe(201)
    const signature = await app.post('/v1/signatures', { signature: { name: 'G', draft_content: content } })
    const { id } = signature.body.data
    await app.post(`/v1/signatures/${id}/emails`, { email_ids: [emailId, second.body.data.id] })
    worker = startWorker({
      pool: app.db.pg,
      jobs: buildJobs(app.config, app.db),
      concurrency: 4,
      log: createLog('silent'),
    })
    await app.post(`/v1/signatures/${id}/publish`)
    const eventually = (check: () => unknown) => expect.poll(check, { interval: 50 })
    await eventually(() => google.users.get(ada)?.get(ada)).toContain('By Gmail')
    await eventually(() => google.users.get(ada)?.get(alias)).toContain('By Gmail')
    const rows = async () =>
      (await app.get(`/v1/installations?limit=100&integration_id=${system?.id}`)).body.data.map(
        (row: { email_address: string; channel: string; status: string }) =>
          `${row.email_address} ${row.channel} ${row.status}`,
      )
    await eventually(async () => (await rows()).sort()).toEqual([
      `${ada} google_workspace installed`,
      `${alias} google_workspace installed`,
    ])
    expect(google.faults).toEqual([])
  })
})
