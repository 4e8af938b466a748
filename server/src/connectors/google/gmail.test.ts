import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type Connection,
  installationJobs,
  type PushChannel,
  takeQuota,
} from '#features/delivery/installations/index.ts'
import { reconcile } from '#features/delivery/installations/reconcile/rules.ts'
import { connectedIntegrations, insertIntegration } from '#features/workspace/integrations/index.ts'
import { sql } from '#kernel/db/db.ts'
import type { Worker } from '#kernel/db/jobs.ts'
import { type TestApp, testApp } from '#test/support/app.ts'
import {
  basicScope,
  type GmailBehavior,
  type Google,
  sharingScope,
  startGoogle,
} from '#test/support/directories/google.ts'
import { startJobs } from '#test/support/jobs.ts'
import { deliveryFor } from '#test/support/outside/channel-contract.ts'
import { urlOf } from '#test/support/postgres/postgres.ts'
import { emptyFolder, signoff } from '#test/support/processes/process.ts'
import { nextRsaKeys } from '#test/support/sign-in/rsa-keys.ts'
import { stack, text } from '#test/support/signatures.ts'
import { createPublished, createTeammate } from '#test/support/world.ts'
import { createQuota } from '../http/quota.ts'
import { readRetryAfter } from '../http/retry-after.ts'
import { gmailChannel } from './gmail.ts'
import { outcomeOfGoogleError } from './gmail-refusals.ts'

const secretKeys = Buffer.alloc(32, 9).toString('base64')
const [ada, alias] = ['ada@example.com', 'sales@example.com']
let google: Google
let app: TestApp
let folder: string
beforeAll(async () => {
  google = await startGoogle()
  google.users.set(ada, new Map([ada, alias].map(address => [address, ''])))
  app = await testApp({ env: { SIGNOFF_SECRET_KEYS: secretKeys } })
  folder = await emptyFolder()
})
beforeEach(() => {
  google.behavior = () => 'well'
  google.delegated = new Set([basicScope, sharingScope])
  google.retryAfter = null
})
const connection = (settings: object = {}, secret: string | null = google.keyFile): Connection => ({
  workspaceId: 'w',
  channel: 'google_workspace',
  mode: 'push' as const,
  integrationId: 'i',
  settings: { api: google.api, token_uri: google.tokenUri, ...settings },
  secret,
})
const unlimitedQuota = { quota: async () => 0 }
const content = stack(text('By Gmail'))
/** Through a new channel, which has no cached tokens. */
const deliver = (address: string, primary = address, html = '<p>Ada</p>', secret?: string) =>
  gmailChannel(unlimitedQuota).deliver(
    deliveryFor(address, html, primary),
    connection({}, secret ?? google.keyFile),
  )

describe('Gmail', () => {
  it('needs the basic scope for the primary address, and both scopes for an alias', async () => {
    google.delegated = new Set([basicScope])
    expect(await deliver(ada)).toMatchObject({ ok: true })
    expect(await deliver(alias, ada)).toMatchObject({ code: 'access_lost', next: 'halt' })
    google.delegated = new Set([basicScope, sharingScope])
    expect(await deliver(alias, ada, '<p>Sales</p>')).toMatchObject({ ok: true })
    expect([...(google.users.get(ada) ?? [])]).toEqual([
      [ada, '<p>Ada</p>'],
      [alias, '<p>Sales</p>'],
    ])
    expect(google.faults).toEqual([])
  })

  it('can change the HTML that it stores, but not drop all of it', async () => {
    const html = '<p style="mso-line-height-rule:exactly;color:red">Ada<!-- Outlook --></p>'
    expect(await deliver(ada, ada, html)).toMatchObject({ ok: true })
    expect(google.users.get(ada)?.get(ada)).toBe('<p style="color:red">Ada</p>')
    // Gmail removes all of this HTML.
    expect(await deliver(ada, ada, '<!-- Outlook -->')).toMatchObject({ code: 'refused', next: 'reject' })
  })

  it('gets no signature of more than 10,000 characters', async () => {
    const before = google.sent.get(ada)?.length
    const outcome = await deliver(ada, ada, 'x'.repeat(10_001))
    expect(outcome).toMatchObject({ code: 'signature_too_long', next: 'reject' })
    expect(google.sent.get(ada)?.length).toBe(before)
    expect(await deliver(ada, ada, 'x'.repeat(10_000))).toMatchObject({ ok: true })
  })

  it('gives one token per user and scopes, and a new one when the token is refused', async () => {
    const channel = gmailChannel(unlimitedQuota)
    const deliverTo = (address: string) =>
      channel.deliver(deliveryFor(address, '<p>x</p>', ada), connection())
    const before = google.tokensGiven()
    for (let n = 0; n < 3; n++)
      expect([await deliverTo(ada), await deliverTo(alias)]).toMatchObject([{ ok: true }, { ok: true }])
    expect(google.tokensGiven()).toBe(before + 2)
    google.forgetTokens()
    expect(await deliverTo(ada)).toMatchObject({ ok: true })
    expect(google.tokensGiven()).toBe(before + 3)
  })

  it.each<[GmailBehavior, string, string]>([
    ['too many', 'rate_limited', 'retry'],
    ['user rate', 'rate_limited', 'retry'],
    ['project rate', 'rate_limited', 'retry'],
    ['down', 'unreachable', 'retry'],
    ['junk', 'unreachable', 'retry'],
    ['denied', 'forbidden', 'reject'],
    ['not enabled', 'access_lost', 'halt'],
    ['no mailbox', 'user_not_found', 'reject'],
  ])('with the answer "%s" leads to %s: %s', async (behavior, code, next) => {
    google.behavior = () => behavior
    expect(await deliver(ada)).toMatchObject({ ok: false, code, next })
  })

  it('distinguishes an unknown user from an unknown alias', async () => {
    expect(await deliver('bob@example.com')).toMatchObject({ code: 'user_not_found', next: 'reject' })
    expect(await deliver('x@example.com', ada)).toMatchObject({ code: 'alias_not_found', next: 'reject' })
  })

  it('says how long to wait before the retry', async () => {
    google.behavior = () => 'too many'
    google.retryAfter = '7'
    expect(await deliver(ada)).toMatchObject({ afterMilliseconds: 7_000 })
    const now = Date.parse('2030-01-31T12:00:00Z')
    expect(readRetryAfter('Thu, 31 Jan 2030 12:00:20 GMT', now)).toBe(20_000)
    expect([readRetryAfter('86400', now), readRetryAfter('0', now)]).toEqual([3_600_000, 1_000])
    expect([readRetryAfter('soon', now), readRetryAfter(undefined, now)]).toEqual([undefined, undefined])
    const soon = new Date(Date.now() + 60_000).toISOString()
    const body = { error: { message: `User-rate limit exceeded.  Retry after ${soon}` } }
    const { afterMilliseconds } = outcomeOfGoogleError(
      { status: 429, retryAfter: undefined, body },
      false,
    ) as {
      afterMilliseconds: number
    }
    expect(afterMilliseconds).toBeGreaterThan(50_000)
    expect(afterMilliseconds).toBeLessThanOrEqual(60_000)
  })

  it('halts the channel when the delegation is lost or the key is wrong', async () => {
    google.delegated = new Set()
    expect(await deliver(ada)).toMatchObject({ code: 'access_lost', next: 'halt' })
    google.delegated = new Set([basicScope])
    const { privateKey } = nextRsaKeys()
    const forged = {
      ...JSON.parse(google.keyFile),
      private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    }
    const outcome = await deliver(ada, ada, '<p>x</p>', JSON.stringify(forged))
    expect(outcome).toMatchObject({
      code: 'access_lost',
      next: 'halt',
      message: expect.stringContaining('Invalid JWT Signature'),
    })
    expect(await deliver(ada, ada, '<p>x</p>', '{}')).toMatchObject({ code: 'access_lost', next: 'halt' })
  })
})

describe('the quota', () => {
  const integration = (workspaceId: string, integrationId: string): Connection => ({
    ...connection(),
    workspaceId,
    integrationId,
  })
  const connectGoogle = async () => {
    const kind = 'google_workspace'
    const id = await insertIntegration(app.db, app.by, {
      kind,
      name: 'G',
      dashboardUrl: null,
      drivesTeammates: false,
    })
    return integration(app.id, id)
  }
  /** A quota counts one clock minute: a test that fails because the minute ended during it runs again. */
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
    'is shared by several processes, rarely queries the shared count, and returns the time until the next minute',
    withinAMinute(async () => {
      const to = await connectGoogle()
      let queries = 0
      const createProcess = () =>
        createQuota((target, count) => {
          queries += 1
          return takeQuota(app.db, target, count, 30)
        }, 10)
      const processes = [createProcess(), createProcess(), createProcess()]
      const waits = await Promise.all(Array.from({ length: 90 }, (_, n) => processes[n % 3]?.(to) ?? 0))
      expect(waits.filter(wait => wait === 0)).toHaveLength(30)
      const waiting = waits.filter(wait => wait > 0)
      expect(Math.max(...waiting)).toBeLessThanOrEqual(60_000)
      expect(queries).toBeLessThanOrEqual(6) // three portions, and one refusal per process
      // Another integration has its own quota.
      expect(await createProcess()(await connectGoogle())).toBe(0)
    }),
  )

  it(
    'is full again in the next minute',
    withinAMinute(async () => {
      const to = await connectGoogle()
      const take = () => takeQuota(app.db, to, 10, 10)
      expect([(await take()).isGranted, (await take()).isGranted]).toEqual([true, false])
      const minuteBefore = new Date(Date.now() - 60_000)
      await app.db.query(
        sql`update channel_quotas set minute = ${minuteBefore} where integration_id = ${to.integrationId}`,
      )
      expect([(await take()).isGranted, (await take()).isGranted]).toEqual([true, false])
    }),
  )

  it('when used up, pauses the channel', async () => {
    const before = google.sent.get(ada)?.length
    const outcome = await gmailChannel({ quota: async () => 20_000 }).deliver(
      deliveryFor(ada, 'x'),
      connection(),
    )
    expect(outcome).toMatchObject({ code: 'rate_limited', next: 'retry', quotaExhausted: true })
    const { afterMilliseconds } = outcome as { afterMilliseconds: number }
    expect(afterMilliseconds).toBeGreaterThanOrEqual(20_000)
    expect(afterMilliseconds).toBeLessThanOrEqual(23_000)
    expect(google.sent.get(ada)?.length).toBe(before)
  })

  it('when used up, makes the remaining mailboxes wait without counting an attempt', async () => {
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
      emailIds.push((await createTeammate(app, { email, key })).emailId)
    const signature = await app.post(
      '/v1/signatures',
      { signature: { name: 'Q', draft_content: content } },
      { key },
    )
    await app.post(`/v1/signatures/${signature.body.data.id}/emails`, { email_ids: emailIds }, { key })
    await app.post(`/v1/signatures/${signature.body.data.id}/publish`, {}, { key })
    const rendering = { ...app.parts.rendering, tracking: null }
    await reconcile(app.db, { ...rendering, workspaceId }, emailIds, [to])

    let attempts = 0
    const channel: PushChannel = {
      ...gmailChannel({ quota: async () => 20_000 }),
      atOnce: 1,
      deliver(delivery, through) {
        attempts += 1
        return gmailChannel({ quota: async () => 20_000 }).deliver(delivery, through)
      },
    }
    const troubles: unknown[] = []
    const jobs = installationJobs({
      db: app.db,
      rendering,
      channels: new Map([[channel.name, channel]]),
      connectionsOf: async () => [to],
      onHalt: async (_, why) => void troubles.push(why),
      allConnections: async () => [],
    })
    const deliverJob = jobs.find(job => job.name === 'installations.deliver')
    await deliverJob?.run({
      workspace_id: workspaceId,
      channel: channel.name,
      integration_id: integrationId,
      slot: 2,
    })
    expect([attempts, troubles]).toEqual([1, []])
    const rows = (await app.get(`/v1/installations?integration_id=${integrationId}`, { key })).body.data
    expect(rows.map((row: { status: string; attempts: number }) => [row.status, row.attempts])).toEqual(
      emailIds.map(() => ['pending', 0]),
    )
    const [next] = await app.db.query<{ run_at: Date }>(
      sql`select run_at from graphile_worker.jobs where key = ${`installations.deliver ${workspaceId} ${channel.name} ${integrationId} 2`}`,
    )
    expect((next?.run_at.getTime() ?? 0) - Date.now()).toBeGreaterThan(15_000)
  })

  it('is queried again after a failed query', async () => {
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
  const endpoints = () => ['--api', google.api, '--token-uri', google.tokenUri]
  const optionsFor = async (text: string) => [
    '--key-file',
    await keyFile(text),
    '--admin',
    ada,
    ...endpoints(),
  ]
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
      const { code, err } = await cli(...(await optionsFor(text)))
      expect([code, err]).toEqual([1, expect.stringContaining(problem)])
    }
    const missingFile = await cli('--key-file', join(folder, 'none.json'), '--admin', ada)
    expect(missingFile.err).toContain('cannot be read')
    const badAdmin = await cli('--key-file', 'x', '--admin', 'ada')
    expect(badAdmin.err).toContain('--admin must be an email address')
  })

  it('with --check stores nothing when Google refuses the account', async () => {
    google.delegated = new Set([basicScope])
    const { code, err } = await cli('--check', ...(await optionsFor(google.keyFile)))
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/unauthorized_client[\s\S]*gmail\.settings\.sharing/),
    ])
    expect((await connectedIntegrations(app.db, app.id)).filter(integration => integration.secret)).toEqual(
      [],
    )
  })

  it('delivers signatures to the primary address and to aliases, and stores the key encrypted', async () => {
    const { code, out, err } = await cli('--check', ...(await optionsFor(google.keyFile)))
    expect([code, err]).toEqual([0, ''])
    expect(out).toContain(`lets ${google.clientEmail} act for ${ada}`)
    const [system] = (await connectedIntegrations(app.db, app.id)).filter(integration => integration.secret)
    expect(system).toMatchObject({
      kind: 'google_workspace',
      settings: { client_email: google.clientEmail, admin: ada, api: google.api, token_uri: google.tokenUri },
    })
    expect(system?.secret?.toString('latin1')).not.toContain('PRIVATE KEY')

    const teammate = await createTeammate(app, { email: ada })
    const second = await app.post('/v1/emails', { email: { address: alias, teammate_id: teammate.id } })
    expect(second.status).toBe(201)
    worker = startJobs(app)
    await createPublished(app, { draft_content: content }, teammate.emailId, second.body.data.id)
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
