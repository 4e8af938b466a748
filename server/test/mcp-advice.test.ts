// What tools tell an agent beside the data: only what is true now, and what to do next.
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findMember } from '#features/workspace/accounts/index.ts'
import { createKey } from '#features/workspace/api-keys/index.ts'
import { type TestApp, testApp } from './support/app.ts'
import { createSignature, stack, text } from './support/signatures.ts'
import { createCampaign, createPublished, createTeammate } from './support/world.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})

async function callTool(name: string, args: object = {}, key = app.key) {
  const params = { name, arguments: args }
  const { body } = await app.post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, { key })
  const { content, structuredContent, isError = false } = body.result
  const [words] = String(content[0].text).split('\n\n{')
  return { isError, words, text: content[0].text as string, data: structuredContent }
}

const draft = stack(text('Hello'))

describe('what comes first', () => {
  let emailId: string
  beforeEach(async () => {
    for (const { id } of (await app.get('/v1/signatures?limit=100')).body.data)
      await app.del(`/v1/signatures/${id}`)
    emailId = (await createTeammate(app)).emailId
  })

  it('is no subject while no other signature reaches the same people', async () => {
    const first = await callTool('create_signature', { name: 'First', draft_content: draft })
    expect(first.words).not.toMatch(/last|priority/)
    const signature_id = first.data.data.id
    const chosen = await callTool('set_recipients', { signature_id, add_email_ids: [emailId] })
    expect(chosen.words).toBe('Changed. The signature reaches 1 address.')
    const published = await callTool('publish_signature', { signature_id })
    expect(published.words).not.toMatch(/first|priority/)
    // Another one, for other people.
    await createPublished(app, { draft_content: draft, priority: 0 }, (await createTeammate(app)).emailId)
    expect((await callTool('publish_signature', { signature_id })).words).not.toMatch(/first|priority/)
  })

  it('is said of a new signature, which stands last unless it has a priority', async () => {
    await createSignature(app, { name: 'Standard' })
    const { words, data } = await callTool('create_signature', { name: 'Sales', draft_content: draft })
    expect(data.data.priority).toBe(1)
    expect(words).toContain('stands last (priority 1)')
    expect(words).toContain('update_signature')
    const { words: given } = await callTool('create_signature', { name: 'Board', priority: 0 })
    expect(given).not.toContain('last')
  })

  it('is named with its priority and the addresses concerned, and how to change it', async () => {
    const { emailId: other } = await createTeammate(app)
    const winner = await createPublished(app, { draft_content: draft, priority: 4 }, emailId)
    const { name } = (await app.get(`/v1/signatures/${winner}`)).body.data
    const { data } = await callTool('create_signature', { name: 'Sales', draft_content: draft })
    const signature_id = data.data.id
    const expected = `For 1 of 2 addresses another signature comes first: ${JSON.stringify(name)} (priority 4, 1 address).`
    const chosen = await callTool('set_recipients', { signature_id, add_email_ids: [emailId, other] })
    expect(chosen.words).toContain(expected)
    expect(chosen.words).toContain('update_signature with priority: 3')
    const published = await callTool('publish_signature', { signature_id })
    expect(published.words).toContain(expected)
    expect(published.words).toContain('update_signature with priority: 3')
    expect((await callTool('update_signature', { signature_id, priority: 3 })).isError).toBe(false)
    expect((await callTool('publish_signature', { signature_id })).words).not.toContain('comes first')
    // No priority is lower than 0: then the other one has to go back.
    await callTool('update_signature', { signature_id: winner, priority: 0 })
    expect((await callTool('publish_signature', { signature_id })).words).toContain(
      `update_signature with signature_id: ${winner} and a priority above 3`,
    )
  })

  it('is left out for a key that cannot check', async () => {
    const owner = await findMember(app.db, app.id)
    const scopes = ['signatures:write']
    const { key } = await createKey(app.db, app.by, owner!.id, { name: 'Writes', scopes })
    const { body } = await createSignature(app, { draft_content: draft })
    const args = { signature_id: body.data.id, add_email_ids: [emailId] }
    expect((await callTool('set_recipients', args, key)).words).toBe(
      'Changed. The signature reaches 1 address.',
    )
  })
})

describe('get_content_schema', () => {
  it('is short, and names every block and the names that they take', async () => {
    const { text: answer, data } = await callTool('get_content_schema')
    expect(answer.length).toBeLessThan(9_000)
    const { blocks, enums, example } = data.data
    expect(Object.keys(blocks)).toEqual(enums.blockType)
    expect(blocks.button).toContain('href (required)')
    expect(blocks.marketing).toContain('campaignUuid')
    const { status } = await createSignature(app, { draft_content: example })
    expect(status).toBe(201)
  })

  it('has the schema and a valid example of one block', async () => {
    const { enums } = (await callTool('get_content_schema')).data.data
    for (const block of enums.blockType) {
      const { text: answer, data } = await callTool('get_content_schema', { block })
      expect(answer.length, block).toBeLessThan(6_000)
      expect(data.data.schema.properties.type.enum).toEqual([block])
      expect(data.data.example.type).toBe(block)
    }
    const refused = await callTool('get_content_schema', { block: 'tekst' })
    expect(refused.data.details).toMatchObject([
      { field: 'block', code: 'not_allowed', allowed: enums.blockType },
    ])
  })

  it('has everything with full: true', async () => {
    const { data } = await callTool('get_content_schema', { full: true })
    expect(data.data).toHaveProperty('schema.$defs.stack.properties.wrap')
    expect(data.data).toHaveProperty('example.children')
  })
})

describe('lists', () => {
  it('take a limit and a page, as the API does', async () => {
    const teammates = Array.from({ length: 5 }, (_, n) => ({
      email: `limited${n}@example.com`,
      smart_fields: [{ smart_field: 'company', value: 'Limited' }],
    }))
    await callTool('upsert_teammates', { teammates })
    const list = async (args: object) => callTool('list_teammates', { search: 'limited', ...args })
    const first = await list({ limit: 2 })
    expect(first.data.data).toHaveLength(2)
    expect(first.words).toContain('page: 2')
    expect((await list({ limit: 2, page: 3 })).data.data).toHaveLength(1)
    expect((await list({ limit: 101 })).data.details).toMatchObject([{ field: 'limit' }])
    for (const [name, args] of [
      ['list_integrations', {}],
      ['get_analytics', { report: 'breakdown', dimension: 'country' }],
    ] as const)
      expect((await callTool(name, { ...args, limit: 1 })).isError, name).toBe(false)
  })
})

describe('a campaign that people would not see', () => {
  it('is told in words, with what to do next, before and after it starts', async () => {
    const signature = await createPublished(
      app,
      { draft_content: draft },
      (await createTeammate(app)).emailId,
    )
    const { name } = (await app.get(`/v1/signatures/${signature}`)).body.data
    const path = await createCampaign(app, { signature_template_ids: [signature] })
    const campaign_id = path.split('/').at(-1)
    const audience = await callTool('preview_campaign_audience', { campaign_id })
    const started = await callTool('set_campaign_state', { campaign_id, action: 'schedule' })
    expect(started.words).toContain('active now')
    for (const { words, data } of [audience, started]) {
      expect(data.warnings.map(({ code }: { code: string }) => code)).toEqual([
        'no_audience',
        'no_banner_slot',
        'no_banner',
      ])
      expect(words).toContain(`“${name}”`)
      expect(words).toContain(signature)
      expect(words).toMatch(/marketing block.*update_signature.*publish_signature/s)
      expect(words).toContain('update_campaign')
    }
    const paused = await callTool('set_campaign_state', { campaign_id, action: 'pause' })
    expect(paused.words).toBe('The campaign is paused now.')
    await app.patch(`/v1/signatures/${signature}`, { draft_content: stack(text('x'), { type: 'marketing' }) })
    await app.post(`/v1/signatures/${signature}/publish`)
    await app.patch(path, { marketing_campaign: { content: draft } })
    const resumed = await callTool('set_campaign_state', { campaign_id, action: 'resume' })
    expect(resumed.words).toBe('The campaign is active now.')
  })
})
