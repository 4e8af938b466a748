// An agent that has nothing but tools: from an empty workspace to a signature in a mailbox.

import { join } from 'node:path'
import { Client as ModernClient } from '@modelcontextprotocol/client'
import { StdioClientTransport as ModernStdio } from '@modelcontextprotocol/client/stdio'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as LegacyStdio } from '@modelcontextprotocol/sdk/client/stdio.js'
import { bindTools, toolDefinitions } from '@signoff/mcp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findMember } from '#features/workspace/accounts/index.ts'
import { createKey } from '#features/workspace/api-keys/index.ts'
import type { Worker } from '#kernel/db/jobs.ts'
import type { TestApp } from './support/app.ts'
import { startJobs } from './support/jobs.ts'
import { agentOf, connect, listen } from './support/outside/mcp.ts'
import type { Receiver } from './support/outside/webhook.ts'
import { signoff } from './support/processes/process.ts'
import { connectedApp } from './support/world.ts'

let app: TestApp
let receiver: Receiver
let worker: Worker
let url: string
beforeAll(async () => {
  ;({ app, receiver } = await connectedApp({ draws: true }))
  worker = startJobs(app)
  url = await listen(app)
})
afterAll(() => worker.stop(5_000))

const png = Buffer.from([0x89, 0x50, 0x4e, 0x47])

describe('an agent', () => {
  it('gets from nothing to a published, installed and explained signature', async () => {
    const agent = await connect(url, app.key, '2026')
    const done = async (name: string, args: object = {}) => {
      const answer = await agent.call(name, args)
      expect(answer.isError, `${name}: ${answer.text}`).toBe(false)
      return answer
    }
    const email = 'ada@example.com'
    expect((await done('get_workspace')).data.workspace.name).toBe('Own')
    const fields = { first_name: 'Ada', last_name: 'Lovelace', job_title: 'Analyst' }
    const smart_fields = Object.entries(fields).map(([smart_field, value]) => ({ smart_field, value }))
    await done('upsert_teammates', { teammates: [{ email, smart_fields }] })
    const [ada] = (await done('list_teammates', { search: email })).data.data
    expect(ada.smart_fields).toMatchObject({ 'First name': 'Ada', 'Job title': 'Analyst' })
    const email_id = ada.emails[0].id

    const [template] = (await done('list_templates')).data.data
    const created = await done('create_signature', { name: 'By an agent', template_id: template.id })
    const signature_id = created.data.data.id
    const draft = (await done('get_signature', { signature_id })).data.data.draft_content
    draft.children.push({ type: 'text', tokens: [{ type: 'textToken', value: 'Made by an agent' }] })
    await done('update_signature', { signature_id, draft_content: draft })

    const preview = await done('preview_signature', { signature_id, email_id, theme: 'dark' })
    expect(preview.data.data.text).toContain('Made by an agent')
    expect(preview.pictures[0]?.subarray(0, 4)).toEqual(png)

    await done('set_recipients', { signature_id, add_email_ids: [email_id] })
    const problems: { severity: string }[] = (await done('check_signature', { signature_id })).data.data
      .problems
    expect(problems.filter(({ severity }) => severity === 'error')).toEqual([])
    await done('publish_signature', { signature_id })
    const states = async () => {
      const { data } = await done('list_installations', { signature_template_id: signature_id })
      return data.data.flatMap((row: { channel: string; status: string }) =>
        row.channel === 'webhook' ? [row.status] : [],
      )
    }
    await expect.poll(states, { interval: 50 }).toEqual(['installed'])
    expect(receiver.mailboxes.get(email)).toContain('Lovelace')

    const explained = await done('explain_signature', { address: email })
    expect(explained.data.data).toMatchObject({ signature_id, candidates: [{ chosen: true }] })
    await done('install_signature', { email_id })
    const versions = (await done('get_signature', { signature_id, versions: true })).data.versions
    await done('restore_version', { signature_id, version_id: versions[0].id })
    await done('publish_signature', { signature_id, deactivate: true })
    await done('delete', { kind: 'signature', id: signature_id })
    const entries = (await app.get(`/v1/audit_log?resource_id=${signature_id}&limit=100`)).body.data
    expect(entries.length).toBeGreaterThan(5)
    expect(new Set(entries.map((entry: { via: string }) => entry.via))).toEqual(new Set(['mcp']))
  })

  it('runs a campaign and reads its numbers', async () => {
    const agent = await connect(url, app.key, '2025')
    const banner = {
      type: 'stack',
      children: [{ type: 'text', tokens: [{ type: 'textToken', value: 'Fair!' }] }],
    }
    const { data } = await agent.call('create_campaign', { name: 'Fair', content: banner })
    const campaign_id = data.data.id
    const answer = await agent.call('get_campaign', { campaign_id, picture: true })
    expect(answer.pictures[0]?.subarray(0, 4)).toEqual(png)
    expect((await agent.call('preview_campaign_audience', { campaign_id })).data.pagination.total_count).toBe(
      0,
    )
    await agent.call('update_campaign', { campaign_id, name: 'Autumn fair' })
    for (const [action, status] of [
      ['schedule', 'active'],
      ['pause', 'paused'],
      ['resume', 'active'],
    ] as const)
      expect((await agent.call('set_campaign_state', { campaign_id, action })).data.data.status).toBe(status)
    expect((await agent.call('set_campaign_state', { campaign_id, action: 'resume' })).data.error.code).toBe(
      'campaign_state',
    )
    for (const args of [
      { report: 'overview' },
      { report: 'breakdown', dimension: 'marketing_campaign' },
      { report: 'events' },
      { report: 'event_summary' },
    ])
      expect((await agent.call('get_analytics', args)).isError, args.report).toBe(false)
    expect((await agent.call('list_campaigns', { status: 'active' })).data.data[0]).toMatchObject({
      name: 'Autumn fair',
    })
    expect((await agent.call('delete', { kind: 'campaign', id: campaign_id })).data.deleted).toBe(true)
  })
})

describe('the other tools', () => {
  it('work too', async () => {
    const agent = await connect(url, app.key, '2026')
    const field = await agent.call('update_smart_field', { label: 'Pronouns' })
    const changed = await agent.call('update_smart_field', {
      smart_field_id: field.data.data.id,
      fallback: 'they',
    })
    expect(changed.data.data).toMatchObject({ label: 'Pronouns', fallback: 'they' })
    expect((await agent.call('list_smart_fields')).data.data.length).toBeGreaterThan(10)
    const dot =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
    const asset = await agent.call('create_asset', { file_base64: dot, filename: 'dot.png' })
    expect((await agent.call('list_assets')).data.data[0].id).toBe(asset.data.data.id)
    const imported = await agent.call('import_signature', { html: '<b>Ada Lovelace</b><br>Analyst' })
    expect(imported.data.data.content.type).toBe('stack')
    expect(
      (await agent.call('preview_signature', { content: imported.data.data.content, picture: false })).text,
    ).toContain('Ada Lovelace')
    expect((await agent.call('list_integrations')).data.integrations).toHaveLength(1)
    const [firstResult] = (await agent.call('search_docs', { query: 'gmail delegation' })).data.data
    expect(firstResult.resource).toBe('signoff://docs/gmail')
    const { id } = (await agent.call('create_signature', { name: 'Mailed' })).data.data
    expect((await agent.call('send_test_email', { signature_id: id })).isError).toBe(true) // no mail server
    expect((await agent.call('list_recipients', { signature_id: id })).data.selection.everybody).toBe(false)
  })

  it('are all bound to routes that exist', () => {
    const documents = async () => []
    const names = new Set(toolDefinitions.flatMap(({ routes }) => routes))
    expect(names.size).toBeGreaterThan(50)
    for (const name of names) {
      const routes = app.routes.filter(route => route.name !== name)
      expect(() => bindTools(toolDefinitions, { routes, documents }), name).toThrow(`needs the route ${name}`)
    }
    bindTools(toolDefinitions, { routes: app.routes, documents })
  })

  it('have schemas in forms that every client understands, and no secrets', () => {
    const tools = bindTools(toolDefinitions, { routes: app.routes, documents: async () => [] })
    const text = JSON.stringify(tools.map(({ listing }) => listing.inputSchema))
    expect(text).not.toMatch(/"type":\[|:\{\}[,}](?<!"properties":\{\}[,}])|"pattern"/)
    expect(
      [...new Set(toolDefinitions.flatMap(({ routes }) => routes))].filter(name =>
        name.startsWith('apiKeys'),
      ),
    ).toEqual([])
  })
})

describe('npx signoff mcp', () => {
  const bin = join(import.meta.dirname, '../bin/signoff.js')

  it('serves clients of both generations on its standard input and output', async () => {
    const owner = await findMember(app.db, app.id)
    const { key } = await createKey(app.db, app.by, owner!.id, { name: 'Desktop', scopes: ['signatures:*'] })
    const { PATH = '', HOME = '' } = process.env
    const parameters = {
      command: process.execPath,
      args: [bin, 'mcp'],
      env: { PATH, HOME, SIGNOFF_URL: url, SIGNOFF_API_KEY: key },
      stderr: 'pipe' as const,
    }
    const legacy = new Client({ name: 'test', version: '1' })
    const modern = new ModernClient(
      { name: 'test', version: '1' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } } },
    )
    await Promise.all([
      legacy.connect(new LegacyStdio(parameters)),
      modern.connect(new ModernStdio(parameters)),
    ])
    for (const client of [legacy, modern as unknown as Client]) {
      const agent = agentOf(client)
      expect(await agent.toolNames()).toContain('publish_signature')
      expect(await agent.toolNames()).not.toContain('list_teammates')
      const { data } = await agent.call('create_signature', { name: 'By stdio' })
      expect(data.data.name).toBe('By stdio')
      expect((await agent.call('get_signature', { signature_id: 'x' })).data.error.code).toBe('not_found')
      expect((await client.listResources()).resources.length).toBeGreaterThan(5)
      await expect(client.readResource({ uri: 'signoff://nothing' })).rejects.toThrow('no such resource')
      await client.close()
    }
    const [entry] = (await app.get('/v1/audit_log?limit=1')).body.data
    expect(entry).toMatchObject({ action: 'signature.created', api_key_name: 'Desktop', via: 'mcp' })
  })

  it('says what is missing in its settings', async () => {
    const { code, err, out } = await signoff(['mcp'])
    expect([code, out]).toEqual([1, ''])
    expect(err).toContain('SIGNOFF_API_KEY')
  })

  it('says so when its address is the one that agents connect to', async () => {
    const env = { PATH: process.env.PATH ?? '', SIGNOFF_URL: `${url}/mcp`, SIGNOFF_API_KEY: app.key }
    const client = new Client({ name: 'test', version: '1' })
    await client.connect(new LegacyStdio({ command: process.execPath, args: [bin, 'mcp'], env }))
    await expect(client.listTools()).rejects.toThrow('without /mcp')
    await client.close()
  })
})
