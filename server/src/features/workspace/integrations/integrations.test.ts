import { beforeAll, describe, expect, it } from 'vitest'
import { createTeammate, importTeammates } from '#features/people/teammates/index.ts'
import type { Caller } from '#kernel/api/scopes.ts'
import { sql } from '#kernel/db/db.ts'
import { fieldErrors, type TestApp, testApp } from '#test/support/app.ts'
import { connectIntegration, disconnectIntegration } from './index.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})

const webhook = {
  kind: 'webhook',
  name: 'Mailboxes',
  dashboardUrl: null,
  drivesTeammates: false,
  settings: { url: 'https://mail.example.com/' },
  secret: 'whsec_x',
}
const failing = {
  sealSecret: async () => Buffer.alloc(8),
  onConnectionChange: () => Promise.reject(new Error('no')),
  onDisconnect: async () => undefined,
}
const names = async () =>
  (await app.get('/v1/integrations')).body.data.map((integration: { name: string }) => integration.name)

describe('managers', () => {
  it('read the groups that they give signatures to, and not the integrations', async () => {
    const [manager, member] = [await app.signIn({ role: 'manager' }), await app.signIn({ role: 'member' })]
    expect((await manager.get('/v1/integration_entities')).status).toBe(200)
    expect((await manager.get('/v1/integrations')).body.error.code).toBe('insufficient_role')
    expect((await member.get('/v1/integration_entities')).body.error.code).toBe('insufficient_role')
  })
})

describe('kinds that only the operator connects', () => {
  it('are not offered to API clients', async () => {
    for (const kind of ['fax', 'ldap']) {
      const { status, body } = await app.post('/v1/integrations', { kind })
      expect([status, body.details[0].field, body.details[0].code]).toEqual([422, 'kind', 'not_allowed'])
      expect(body.details[0].allowed).toContain('google_workspace')
      expect(body.details[0].allowed).not.toContain('ldap')
    }
  })
})

describe('an integration', () => {
  it('is connected and disconnected together with the hook, or not at all', async () => {
    await expect(connectIntegration(app.db, app.by, webhook, failing)).rejects.toThrow('no')
    expect(await names()).toEqual([])
    const id = await connectIntegration(app.db, app.by, webhook, app.parts.integrations)
    expect(await names()).toEqual(['Mailboxes'])
    await expect(disconnectIntegration(app.db, app.by, id, failing)).rejects.toThrow('no')
    expect(await names()).toEqual(['Mailboxes'])
    await disconnectIntegration(app.db, app.by, id, app.parts.integrations)
    expect(await names()).toEqual([])
  })

  it('whose address only this machine can reach is refused, and fails its test as its deliveries do', async () => {
    const input = { kind: 'webhook', settings: { url: 'http://localhost:9/' } }
    const refused = await app.post('/v1/integrations', { integration: input })
    expect([refused.status, fieldErrors(refused)]).toEqual([422, { 'settings.url': 'invalid' }])
    const reachable = { ...input, settings: { url: 'https://hooks.example.com/' } }
    const { body } = await app.post('/v1/integrations', { integration: reachable })
    await app.db.query(sql`update integrations set settings = ${input.settings} where id = ${body.data.id}`)
    const path = `/v1/integrations/${body.data.id}`
    expect((await app.post(`${path}/test`)).body.data.steps).toEqual([
      {
        name: 'address',
        ok: false,
        message: 'The address names a host that was not found on the public internet.',
        remedy: 'Change the setting url to a public https address.',
      },
    ])
    expect((await app.del(path)).status).toBe(204)
  })

  it('that does not exist, or belongs to another workspace, is not disconnected', async () => {
    const id = await connectIntegration(app.db, app.by, webhook, app.parts.integrations)
    for (const [by, unknown] of [
      [app.other.by, id],
      [app.by, 'x'],
      [app.by, app.id],
    ] as const)
      await expect(disconnectIntegration(app.db, by, unknown, app.parts.integrations)).rejects.toMatchObject({
        status: 404,
      })
    expect(await names()).toEqual(['Mailboxes'])
  })
})

describe('a directory that drives the teammates', () => {
  it('is the only caller that creates them, and they are marked as its own', async () => {
    const directory = { ...webhook, kind: 'google_workspace', name: 'Directory', drivesTeammates: true }
    const directoryId = await connectIntegration(app.db, app.by, directory, app.parts.integrations)
    const deps = { publicUrl: '', onPeopleChange: app.parts.onPeopleChange }
    const input = { email: 'synced@example.com', smart_fields: [] }
    const otherSync: Caller = { ...app.by, directoryId: app.id }
    for (const by of [app.by, otherSync])
      await expect(createTeammate(app.db, by, input, deps)).rejects.toMatchObject({
        code: 'directory_managed',
      })
    const sync: Caller = { ...app.by, directoryId }
    const { teammate } = await createTeammate(app.db, sync, input, deps)
    expect(teammate).toMatchObject({ source: 'directory' })
    const rows = [{ email: 'imported@example.com', smart_fields: [] }]
    const byHand = await app.db.transaction(tx => importTeammates(tx, app.by, rows, deps))
    const bySync = await app.db.transaction(tx => importTeammates(tx, sync, rows, deps))
    expect([byHand.created, byHand.failed.length, bySync.created]).toEqual([0, 1, 1])
    const { body } = await app.get('/v1/teammates?source=directory')
    expect(body.pagination.total_count).toBe(2)
  })
})
