import { bounded, maxAnswerLength, toolDefinitions } from '@signoff/mcp'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { addMember, findMember } from '#features/workspace/accounts/index.ts'
import { createKey } from '#features/workspace/api-keys/index.ts'
import { type Answer, type TestApp, testApp } from './support/app.ts'
import { type Agent, connect, generations, listen } from './support/outside/mcp.ts'
import { loopLimit, watchLoop } from './support/processes/loop-watch.ts'
import { createSignature, stack, text } from './support/signatures.ts'
import { createPublished, createTeammate, unknownId } from './support/world.ts'

let app: TestApp
let url: string
beforeAll(async () => {
  app = await testApp({
    env: { SIGNOFF_CORS_ORIGINS: 'https://app.example.com', SIGNOFF_PUBLIC_URL: 'https://sign.example.com' },
  })
  url = await listen(app)
})

const draft = stack(text('Hello'))

/** The secret of a key with these scopes, of the owner or of a member with this role. */
async function keyWith(scopes: string[], role?: 'manager' | 'member'): Promise<string> {
  const owner = await findMember(app.db, app.id)
  const email = `${role}.${scopes.length}@example.com`
  const memberId = role ? await addMember(app.db, app.id, { name: role, email, role }) : owner!.id
  return (await createKey(app.db, app.by, memberId, { name: scopes.join(' '), scopes })).key
}

const message = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 1, method, params })
const send = (body: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
  app.post('/mcp', body, { headers })
const callTool = async (name: string, args: object = {}, key = app.key) =>
  (await app.post('/mcp', message('tools/call', { name, arguments: args }), { key })).body.result

describe.each(generations)('a client of %s', generation => {
  let agent: Agent
  beforeAll(async () => {
    agent = await connect(url, app.key, generation)
  })

  it('gets all tools in one short list, with hints about what they change', async () => {
    const { tools } = await agent.client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(toolDefinitions.map(({ name }) => name))
    expect(tools.length).toBeLessThanOrEqual(35)
    expect(JSON.stringify(tools).length).toBeLessThanOrEqual(40_000)
    const hintsOf = (name: string) => tools.find(tool => tool.name === name)?.annotations
    expect(hintsOf('list_signatures')).toMatchObject({ readOnlyHint: true })
    expect(hintsOf('create_signature')).toMatchObject({ readOnlyHint: false, destructiveHint: false })
    expect(hintsOf('publish_signature')).toMatchObject({ destructiveHint: true, idempotentHint: true })
    expect(hintsOf('delete')).toMatchObject({ destructiveHint: true })
  })

  it('calls tools, and reads answers as data and as text', async () => {
    await agent.call('create_signature', { name: `From ${generation}`, draft_content: draft })
    const { data, text: words } = await agent.call('list_signatures', { search: generation })
    expect(data.data).toMatchObject([{ name: `From ${generation}` }])
    expect(words).toContain('1 of 1 signatures.')
    expect(words).toContain(JSON.stringify(data))
  })

  it('reads resources and prompts', async () => {
    const { resources } = await agent.client.listResources()
    expect(resources.map(({ uri }) => uri)).toEqual(
      expect.arrayContaining(['signoff://content-schema', 'signoff://docs/content', 'signoff://docs/mcp']),
    )
    const textOf = async (uri: string) => {
      const [content] = (await agent.client.readResource({ uri })).contents
      return (content as { text: string }).text
    }
    expect(JSON.parse(await textOf('signoff://content-schema'))).toHaveProperty('schema.$defs.stack')
    expect(await textOf('signoff://docs/content')).toMatch(/^# Content/)
    expect(await textOf('signoff://docs/webhooks')).toBe(await textOf('signoff://docs/event-webhooks'))
    const { body } = await createSignature(app, { draft_content: draft })
    expect(await textOf(`signoff://signatures/${body.data.id}.html`)).toContain('Hello')
    for (const uri of [`signoff://signatures/${unknownId}.html`, 'signoff://docs/../x', 'file:///etc/passwd'])
      await expect(textOf(uri)).rejects.toThrow('There is no such resource')
    expect((await agent.client.listPrompts()).prompts.map(({ name }) => name)).toEqual(['design_signature'])
    const prompt = await agent.client.getPrompt({
      name: 'design_signature',
      arguments: { wishes: 'Blue, short' },
    })
    expect(JSON.stringify(prompt.messages)).toContain('Blue, short')
    await expect(agent.client.getPrompt({ name: 'design_signature' })).rejects.toThrow('wishes')
  })

  it('repairs wrong content from the paths in the error', async () => {
    const content = structuredClone(stack(text('Kind regards'))) as { children: { type: string }[] }
    content.children[0]!.type = 'tekst'
    const refused = await agent.call('create_signature', { name: 'Repaired', draft_content: content })
    expect(refused.isError).toBe(true)
    const [detail] = refused.data.details
    expect(refused.text).toContain(detail.field)
    expect(detail.field).toBe('draft_content.children[0].type')
    content.children[0]!.type = detail.allowed.find((word: string) => word === 'text')
    const { isError, data } = await agent.call('create_signature', {
      name: 'Repaired',
      draft_content: content,
    })
    expect([isError, data.data.name]).toEqual([false, 'Repaired'])
  })
})

describe('a tool', () => {
  it('names the arguments that it does not have, and those that are missing', async () => {
    const result = await callTool('restore_version', { signature: 'x' })
    expect(result).toMatchObject({
      isError: true,
      structuredContent: { error: { type: 'validation_error' } },
    })
    expect(
      result.structuredContent.details.map((detail: { field: string; code: string }) => [
        detail.field,
        detail.code,
      ]),
    ).toEqual([
      ['signature', 'unknown_property'],
      ['signature_id', 'missing'],
      ['version_id', 'missing'],
    ])
  })

  it.each(['.', '..'])('takes no id %s, which would make the path of another route', async id => {
    for (const [name, args, field] of [
      ['get_teammate', { teammate_id: id }, 'id'],
      ['list_recipients', { signature_id: id }, 'id'],
      ['delete', { kind: 'signature', id }, 'id'],
    ] as const) {
      const { isError, structuredContent } = await callTool(name, args)
      expect([isError, structuredContent.details], name).toMatchObject([true, [{ field, code: 'invalid' }]])
    }
  })

  it('does not find what belongs to another workspace', async () => {
    const foreign = await app.post('/v1/signatures', { name: 'Foreign' }, { key: app.other.key })
    const { id } = foreign.body.data
    for (const [name, args] of [
      ['get_signature', { signature_id: id }],
      ['preview_signature', { signature_id: id }],
      ['update_signature', { signature_id: id, name: 'Mine' }],
      ['publish_signature', { signature_id: id }],
      ['set_recipients', { signature_id: id, everybody: true }],
      ['delete', { kind: 'signature', id }],
    ] as const) {
      const result = await callTool(name, args)
      expect([result.isError, result.structuredContent.error.code], name).toEqual([true, 'not_found'])
    }
    expect((await callTool('list_signatures', { search: 'Foreign' })).structuredContent.data).toEqual([])
    expect((await app.get(`/v1/signatures/${id}`, { key: app.other.key })).body.data.name).toBe('Foreign')
  })

  it('refuses an id of dots, which would make its path the path of another route', async () => {
    const { id } = (await createSignature(app, { draft_content: draft })).body.data
    for (const dots of ['.', '..'])
      for (const [name, args] of [
        ['set_recipients', { signature_id: id, remove_entity_ids: [dots] }],
        ['get_teammate', { teammate_id: dots }],
        ['delete', { kind: 'signature', id: dots }],
      ] as const) {
        const result = await callTool(name, args)
        expect([result.isError, result.structuredContent.error.code], name).toEqual([true, 'invalid'])
      }
    expect((await app.get(`/v1/signatures/${id}`)).status).toBe(200)
  })

  it('lists 25 rows and says how to get the next ones', async () => {
    const teammates = Array.from({ length: 30 }, (_, n) => ({
      email: `row${n}@example.com`,
      smart_fields: [{ smart_field: 'company', value: 'Rows' }],
    }))
    expect((await callTool('upsert_teammates', { teammates })).structuredContent.data.created).toBe(30)
    const first = await callTool('list_teammates', { search: 'rows' })
    expect(first.structuredContent.data).toHaveLength(25)
    expect(first.content[0].text).toContain('Call again with page: 2')
    expect(
      (await callTool('list_teammates', { search: 'rows', page: 2 })).structuredContent.data,
    ).toHaveLength(5)
    const many = Array.from({ length: 101 }, (_, n) => ({ email: `many${n}@example.com` }))
    expect((await callTool('upsert_teammates', { teammates: many })).structuredContent.details[0].code).toBe(
      'too_many',
    )
  })

  it('explains which signature an address gets, by its address', async () => {
    const { email, emailId } = await createTeammate(app, { email: 'Explained@example.com' })
    await createPublished(app, { draft_content: draft }, emailId)
    const { structuredContent } = await callTool('explain_signature', { address: email.toLowerCase() })
    expect(structuredContent.data).toMatchObject({ email_id: emailId, candidates: [{ chosen: true }] })
    expect((await callTool('explain_signature', { address: 'x@example.com' })).isError).toBe(true)
  })

  it('tells which steps were done before one failed', async () => {
    const { id } = (await createSignature(app, { draft_content: draft })).body.data
    const result = await callTool('set_recipients', {
      signature_id: id,
      everybody: true,
      add_email_ids: [unknownId],
    })
    expect(result.structuredContent).toMatchObject({
      done: ['everybody'],
      details: [{ field: 'add_email_ids[0]', code: 'unknown_reference' }],
    })
  })

  it('that changes something is in the audit log, as the key and via MCP', async () => {
    const { structuredContent } = await callTool('create_signature', { name: 'Audited' })
    await app.post('/v1/folders', { name: 'Directly' }, { headers: { via: 'mcp', 'x-via': 'mcp' } })
    const [direct, viaTool] = (await app.get('/v1/audit_log?limit=2')).body.data
    expect(viaTool).toMatchObject({
      action: 'signature.created',
      resource_id: structuredContent.data.id,
      api_key_name: 'First key',
      request_id: expect.any(String),
      via: 'mcp',
    })
    expect(direct).toMatchObject({ action: 'folder.created', via: null })
  })
})

describe('a key', () => {
  it('that can only read sees only tools that read', async () => {
    const agent = await connect(url, await keyWith(['*:read']), '2026')
    const names = await agent.toolNames()
    expect(names).toEqual(toolDefinitions.filter(tool => tool.effect === 'reads').map(({ name }) => name))
    const { isError, text: words } = await agent.call('create_signature', { name: 'No' })
    expect(isError).toBe(true)
    expect(words).toContain('no tool that this API key can use')
  })

  it('sees the tools of its scopes and of its role', async () => {
    const namesOf = async (key: string) =>
      (await app.post('/mcp', message('tools/list'), { key })).body.result.tools.map(
        ({ name }: { name: string }) => name,
      )
    expect(await namesOf(await keyWith(['teammates:*']))).toEqual([
      'get_content_schema',
      'list_teammates',
      'get_teammate',
      'upsert_teammates',
      'search_docs',
      'delete',
    ])
    expect(await namesOf(await keyWith(['*'], 'member'))).not.toContain('publish_signature')
    const manager = await namesOf(await keyWith(['*'], 'manager'))
    expect(manager).toContain('publish_signature')
    expect(manager).not.toContain('list_integrations')
    const folders = await keyWith(['folders:delete'])
    const refused = await callTool('delete', { kind: 'signature', id: unknownId }, folders)
    expect(refused.structuredContent.error.code).toBe('insufficient_scope')
  })

  it('is required, and the answer asks for a bearer token', async () => {
    for (const key of [null, 'sgn_wrong']) {
      const { status, headers } = await app.post('/mcp', message('tools/list'), { key })
      expect([status, headers['www-authenticate']]).toEqual([401, 'Bearer'])
    }
  })

  it('is counted once per message by the rate limit, however many routes a tool calls', async () => {
    const limited = await testApp({ connection: app.connection, env: { SIGNOFF_RATE_LIMIT: '1000' } })
    const sent = message('tools/call', { name: 'get_workspace' })
    const { headers } = await limited.post('/mcp', sent, { key: app.key })
    expect(headers['ratelimit-remaining']).toBe('999')
  })
})

describe('/mcp', () => {
  it('has no streams and no sessions', async () => {
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const { status, headers, body } = await app.call(method, '/mcp')
      expect([status, headers.allow, body.error.code], method).toEqual([405, 'POST', 'method_not_allowed'])
    }
  })

  it.each([
    [{ host: 'sign.example.com' }, 200],
    [{ host: 'localhost:3000' }, 200],
    [{ host: '[::1]:3000' }, 200],
    [{ host: '127.0.0.1', origin: 'http://localhost:6274' }, 200],
    [{ origin: 'https://sign.example.com' }, 200],
    [{ origin: 'https://app.example.com' }, 200],
    [{ host: 'evil.example' }, 403],
    [{ host: 'sign.example.com.evil.example' }, 403],
    [{ host: '127.0.0.1.evil.example' }, 403],
    [{ host: ' ' }, 403],
    [{ origin: 'https://evil.example' }, 403],
    [{ origin: 'http://app.example.com' }, 403],
    [{ origin: 'http://localhost.evil.example' }, 403],
    [{ origin: 'null' }, 403],
  ])('judges Host and Origin: %j', async (headers, expected) => {
    const { status, body } = await send(message('ping'), headers as Record<string, string>)
    expect(status).toBe(expected)
    if (expected === 403) expect(body.error.code).toBe('origin_not_allowed')
  })

  it('lets pages of allowed origins call it', async () => {
    const headers = { origin: 'https://app.example.com', 'access-control-request-method': 'POST' }
    const preflight = await app.call('OPTIONS', '/mcp', { key: null, headers })
    expect(preflight.headers['access-control-allow-origin']).toBe('https://app.example.com')
    expect(preflight.headers['access-control-allow-headers']).toContain('Mcp-Protocol-Version')
    expect((await send(message('ping'), headers)).headers['access-control-allow-origin']).toBe(headers.origin)
  })

  it('does not repeat a call with the same Idempotency-Key', async () => {
    const create = () =>
      send(message('tools/call', { name: 'create_signature', arguments: { name: 'Once' } }), {
        'idempotency-key': 'once',
      })
    const [first, second] = await Promise.all([create(), create()])
    expect(first.body).toEqual(second.body)
    expect((await app.get('/v1/signatures?search=Once')).body.data).toHaveLength(1)
  })

  it('refuses what is no message, or too much', async () => {
    expect((await send([message('ping'), message('ping')])).status).toBe(422)
    expect((await send({})).status).toBe(400)
    expect((await send(message('no/such/method'))).body.error.code).toBe(-32601)
    const listen = { ...message('subscriptions/listen', { notifications: {} }) }
    expect((await send(listen)).body.error).toBeDefined()
    const long = message('tools/call', { name: 'search_docs', arguments: { query: 'x '.repeat(600_000) } })
    expect((await send(long)).status).toBe(413)
    const deep = { ...message('ping'), params: JSON.parse(`${'{"a":'.repeat(500)}1${'}'.repeat(500)}`) }
    expect((await send(deep)).status).toBeLessThan(500)
  })

  it('bounds answers of any shape, and names what it leaves out', () => {
    const long = fc.string({ minLength: 1, maxLength: 10 }).map(part => part.repeat(5_000))
    const row = fc.record({
      id: fc.uuid(),
      content: fc.oneof(long, fc.string()),
      html: fc.oneof(long, fc.string()),
    })
    const siblings = { pagination: fc.constant({ page: 1 }), warnings: fc.array(long, { maxLength: 3 }) }
    const answer = fc.oneof(
      fc.record({ data: fc.array(row, { maxLength: 100 }), ...siblings }),
      fc.record({ data: row, ...siblings }),
      fc.record({ integrations: fc.array(row), entities: fc.array(row) }),
    )
    const check = (sent: Record<string, unknown>) => {
      const result = bounded(sent)
      expect(JSON.stringify(result).length).toBeLessThanOrEqual(maxAnswerLength)
      if (JSON.stringify(sent).length <= maxAnswerLength) expect(result).toEqual(sent)
      else expect(JSON.stringify(result)).toContain('left_out')
      const { data, left_out_ids: leftOut = [] } = result as { data?: unknown[]; left_out_ids?: string[] }
      if (Array.isArray(sent.data) && Array.isArray(data))
        expect(data.length + leftOut.length).toBe(sent.data.length)
    }
    fc.assert(fc.property(answer, check), { numRuns: 100 })
  })

  it('bounds answers, however much is stored', async () => {
    const children = Array.from({ length: 30 }, (_, n) => text(`${n} ${'long '.repeat(900)}`))
    const { id } = (await createSignature(app, { draft_content: stack(...children) })).body.data
    const { structuredContent, content } = await callTool('get_signature', { signature_id: id })
    expect(structuredContent.data.left_out).toEqual(['draft_content'])
    expect(content[0].text.length).toBeLessThan(70_000)
  })

  it('answers any arguments of any tool without a fault, and without holding the process', async () => {
    await send(message('ping'))
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 3 }),
      fc.constant('a\u0000b'),
      fc.constant('../../x'),
      fc.uuid(),
    )
    for (const { name } of toolDefinitions) {
      const listed = (await send(message('tools/list'))).body.result.tools
      const { properties } = listed.find((tool: { name: string }) => tool.name === name).inputSchema
      const [args] = fc.sample(
        fc.record(Object.fromEntries(Object.keys(properties).map(key => [key, value])), { requiredKeys: [] }),
        { numRuns: 1 },
      )
      const { result: answer, held } = await watchLoop(() =>
        send(message('tools/call', { name, arguments: args })),
      )
      expect(held, name).toBeLessThan(loopLimit)
      expect(answer.status, `${name} ${JSON.stringify(args)} ${answer.text}`).toBe(200)
      expect(answer.body.result?.content ?? answer.body, `${name} ${JSON.stringify(args)}`).toEqual(
        expect.arrayContaining([expect.objectContaining({ type: 'text' })]),
      )
    }
  })
})
