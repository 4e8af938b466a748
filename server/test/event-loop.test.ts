// A request must not block the event loop, because all other requests wait for it. Every input of every route gets the
// largest and most hostile value that it allows, and `watchLoop` measures how long the loop was blocked.
// @module-tag deep
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isOfAccount, type Route } from '#kernel/api/routes.ts'
import {
  hostileBodies,
  hostileFiles,
  hostileTexts,
  hostileTrees,
  type KnownIds,
  someHostileTexts,
  treesOfHostileTexts,
} from './support/adversarial.ts'
import type { Answer, RequestOptions, TestApp } from './support/app.ts'
import { demoApp } from './support/demo.ts'
import { exampleBody, exampleQuery, realPath } from './support/examples.ts'
import { runAllJobs } from './support/jobs.ts'
import { loopLimit, watchLoop } from './support/processes/loop-watch.ts'
import { roundRobin } from './support/runs.ts'
import { connectOutlook, createTeammateChange, createTestedWebhook } from './support/world.ts'

let app: TestApp
let paths: Map<Route, string>
let knownIds: KnownIds
let textFields: readonly string[]
beforeAll(async () => {
  app = await demoApp({ env: { SIGNOFF_SMTP_URL: 'smtp://127.0.0.1:1' } }) // no worker runs
  await createTestedWebhook(app)
  await connectOutlook(app)
  await createTeammateChange(app)
  paths = new Map()
  const person = await app.signIn({ role: 'admin' })
  for (const route of app.routes)
    paths.set(route, await realPath(isOfAccount(route.access) ? person : app, route))
  const firstId = async (path: string) => (await app.get(`${path}?limit=1`)).body.data[0].id
  const fields = (await app.get('/v1/smart_fields?limit=100')).body.data
  textFields = fields
    .filter((field: { kind: string }) => field.kind === 'text')
    .map((field: { id: string }) => field.id)
  knownIds = {
    smart_field_id: String(textFields[0]),
    teammate_id: await firstId('/v1/teammates'),
    email_ids: await firstId('/v1/emails'),
    folder_id: await firstId('/v1/folders'),
    signature_template_ids: await firstId('/v1/signatures'),
  }
})

const slowest: { what: string; held: number }[] = []
afterAll(() => {
  // Shows how close the slowest requests are to the limit.
  if (process.env.SIGNOFF_TEST_LOOP_REPORT) console.log(slowest.sort((a, b) => b.held - a.held).slice(0, 25))
})

async function expectQuick<T>(what: string, work: () => Promise<T>): Promise<T> {
  const { result, held } = await watchLoop(work)
  slowest.push({ what, held })
  expect(held, `${what} holds the event loop`).toBeLessThan(loopLimit)
  return result
}

async function send(
  route: Pick<Route, 'method' | 'path'>,
  path: string,
  what: string,
  sent: RequestOptions,
): Promise<Answer> {
  const name = `${route.method} ${route.path} with ${what}`
  const answer = await expectQuick(name, () => app.call(route.method, path, sent))
  expect(answer.status, `${name}: ${answer.text.slice(0, 300)}`).not.toBe(500)
  return answer
}

const pathOf = (route: Route) => paths.get(route) ?? ''

describe('the event loop stays free', () => {
  it('for hostile bodies of every route', async () => {
    for (const route of app.routes)
      for (const { what, payload } of hostileBodies(route, knownIds))
        await send(route, pathOf(route), what, { payload })
  })

  it('for a megabyte of JSON in shapes that take long to parse or to check', async () => {
    const list = (count: number, item: (n: number) => string) =>
      Array.from({ length: count }, (_, n) => item(n)).join(',')
    const shapes = {
      'nested arrays': `{"folder":{"name":"\\u0041","x":${'['.repeat(520_000)}${']'.repeat(520_000)}}}`,
      'nested objects': `{"folder":${'{"a":'.repeat(170_000)}1${'}'.repeat(170_000)}}`,
      'unknown properties': `{"folder":{${list(90_000, n => `"p${n}":1`)}}}`,
      'properties beside the wrapper': `{"folder":{"name":"x"},${list(90_000, n => `"p${n}":1`)}}`,
      'objects with names of their own': `{"folder":{"x":[${list(70_000, n => `{"p${n}":1}`)}]}}`,
      'empty lists with an escape': `{"folder":{"name":"\\u0041","x":[${list(330_000, () => '[]')}]}}`,
      'unstorable texts': `{"folder":{"x":[${list(100_000, () => '"\\u0000"')}]}}`,
    }
    for (const [what, payload] of Object.entries(shapes)) {
      expect(payload.length, what).toBeLessThan(1024 * 1024)
      const route = { method: 'POST', path: '/v1/folders' } as const
      expect((await send(route, route.path, what, { payload })).status, what).toBe(422)
    }
  })

  it('for hostile queries and paths of every route', async () => {
    for (const route of app.routes) {
      const names = Object.keys(route.query?.properties ?? {})
      const body = route.body && route.method !== 'GET' ? { body: exampleBody(route) } : {}
      for (const name of names)
        for (const [what, text] of someHostileTexts(3_000)) {
          const query = `${exampleQuery(route)}&${name}=${encodeURIComponent(text)}`
          await send(route, `${pathOf(route)}${query}`, `${what} in ${name}`, body)
        }
      if (!route.path.includes('{')) continue
      for (const [what, text] of someHostileTexts(3_000)) {
        const path = route.path.replace(/\{\w+\}/g, encodeURIComponent(text))
        await send(route, path, `${what} in its path`, body)
      }
    }
  })

  it('for hostile headers', async () => {
    const names = [
      'if-match',
      'idempotency-key',
      'x-request-id',
      'authorization',
      'user-agent',
      'accept-encoding',
    ]
    const routes = app.routes.filter(route => /^\/(o|c|docs|healthz)|folders/.test(route.path))
    for (const route of routes)
      for (const name of names)
        for (const [what, text] of someHostileTexts(8_000))
          if (/^[\x20-\x7e]*$/.test(text))
            await send(route, pathOf(route), `${what} in ${name}`, {
              headers: { [name]: text },
              ...(route.body && { body: exampleBody(route) }),
            })
  })

  it.each(['texts', 'pictures'] as const)('for hostile files of %s', async kind => {
    const route = { method: 'POST', path: '/v1/assets' } as const
    for (const [what, file] of hostileFiles()[kind]) {
      const payload = `{"asset":{"file_base64":"${file}","filename":"a.svg"}}`
      const answer = await send(route, route.path, what, { payload })
      expect([201, 413, 422], what).toContain(answer.status)
    }
  })

  it('for a very long file name', async () => {
    const payload = `{"asset":{"name":"${'x'.repeat(20_000_000)}","file_base64":"QQ==","filename":"a"}}`
    const route = { method: 'POST', path: '/v1/assets' } as const
    expect((await send(route, route.path, 'a long name', { payload })).status).toBe(413)
  })

  /** Creates teammates with values of maximum length, one hostile text per teammate. */
  async function hostilePeople(count: number): Promise<string[]> {
    const emails: string[] = []
    for (const [name, text] of hostileTexts(5_000).slice(0, count)) {
      const smart_fields = textFields.map(smart_field_id => ({ smart_field_id, value: text }))
      const address = `${name.replaceAll(/\W/g, '-')}-${count}@hostile.example`
      const teammate = await app.post('/v1/teammates', { teammate: { email: address, smart_fields } })
      expect(teammate.status).toBe(201)
      emails.push(teammate.body.data.emails[0].id)
    }
    return emails
  }

  type Step = readonly [method: string, path: string, body?: unknown]
  type Steps = (path: string, content: object, emails: readonly string[]) => readonly Step[]

  /** The requests that render the content of a published signature. */
  const allSteps: Steps = (path, content, emails) => [
    ...emails.slice(0, 4).map(id => ['GET', `${path}/preview?email_id=${id}`] as const),
    ['GET', `${path}/html?email_id=${emails[0]}`],
    ['GET', `/v1/emails/${emails[1]}/signature`],
    ['PATCH', path, { draft_content: content }],
    ['POST', `${path}/duplicate`, {}],
  ]

  async function renderEverywhere(
    what: string,
    content: object,
    emails: readonly string[],
    steps = allSteps,
  ): Promise<void> {
    const created = await expectQuick(what, () =>
      app.post('/v1/signatures', { name: what, draft_content: content }),
    )
    if (created.status !== 201) return
    const path = `/v1/signatures/${created.body.data.id}`
    await app.post(`${path}/emails`, { email_ids: emails })
    const requests: readonly Step[] = [['POST', `${path}/publish`], ...steps(path, content, emails)]
    for (const [method, address, body] of requests)
      await expectQuick(`${what}: ${method} ${address}`, () =>
        app.call(method, address, body ? { body } : {}),
      )
    // There is no mail server: the mails of accounts fail.
    await expectQuick(`${what}: installing`, () => runAllJobs(app, { mayFail: true }))
    await app.del(path)
  }

  it('for hostile content, and for people with values of maximum length', async () => {
    const nextEmails = roundRobin(await hostilePeople(12), 4)
    for (const [what, content] of hostileTrees(textFields))
      await renderEverywhere(what, content, nextEmails())
  })

  it('for content of hostile texts and links', async () => {
    const emails = await hostilePeople(2) // enough, because these texts do not depend on the person
    const nextStep = roundRobin([0, 1, 2, 3, 4, 5], 2) // of the six requests, which render with the same code
    const someSteps: Steps = (path, content, emails) => {
      const all = allSteps(path, content, emails)
      return nextStep().map(index => all[index] as Step)
    }
    for (const [what, content] of treesOfHostileTexts())
      await renderEverywhere(what, content, emails, someSteps)
  })

  it('for rules of maximum size, and for an import that is matched against them', async () => {
    const part = (n: number) => `${'a'.repeat(6)}${String(n).padStart(4, '0')}`
    const groups = Array.from({ length: 5 }, (_, g) => [
      {
        smart_field_id: textFields[g % textFields.length],
        operator: 'contains',
        values: Array.from({ length: 1_000 }, (_, v) => part(g * 1_000 + v)),
      },
    ])
    for (let n = 0; n < 3; n++) {
      const signature = await app.post('/v1/signatures', { name: `Ruled ${n}` })
      const path = `/v1/signatures/${signature.body.data.id}/recipient_rules`
      const saved = await expectQuick('large rules', () =>
        app.call('PUT', path, { body: { conditions: groups } }),
      )
      expect(saved.status).toBe(200)
    }
    const rows = Array.from({ length: 180 }, (_, n) => ({
      email: `ruled-${n}@hostile.example`,
      smart_fields: [{ smart_field_id: textFields[0], value: 'a'.repeat(4_900) }],
    }))
    const imported = await expectQuick('an import under large rules', () =>
      app.post('/v1/teammates/import', { teammates: rows }),
    )
    expect(imported.body.data.created).toBe(180)
  })

  it('for campaigns with rules of maximum size', async () => {
    // Each condition is small, but each searches in a long value.
    const groups = Array.from({ length: 100 }, (_, g) => [
      {
        smart_field_id: textFields[0],
        operator: 'contains',
        values: Array.from(
          { length: 45 },
          (_, v) => `${'a'.repeat(6)}${String(g * 45 + v).padStart(4, '0')}`,
        ),
      },
    ])
    const teammates = Array.from({ length: 60 }, (_, n) => ({
      email: `campaign-${n}@hostile.example`,
      smart_fields: [{ smart_field_id: textFields[0], value: `${'a'.repeat(4_900)}${n}` }],
    }))
    await app.post('/v1/teammates/import', { teammates })
    const draft_content = { type: 'stack', children: [{ type: 'marketing' }] }
    const signature = await app.post('/v1/signatures', { name: 'With a place', priority: 1, draft_content })
    const path = `/v1/signatures/${signature.body.data.id}`
    const conditions = [[{ smart_field_id: textFields[0], operator: 'is_set' }]]
    await app.call('PUT', `${path}/recipient_rules`, { body: { conditions } })
    await app.post(`${path}/publish`)
    const created = await app.post('/v1/marketing_campaigns', {
      marketing_campaign: { name: 'Large', smart_fields_conditions: groups },
    })
    const campaign = String(created.headers.location)
    const audience = await expectQuick('the audience of a large rule', () => app.get(`${campaign}/audience`))
    expect([audience.status, audience.body.data]).toEqual([200, []])
  })

  it('because larger rules are refused', async () => {
    const signature = await app.post('/v1/signatures', { name: 'Too many' })
    const path = `/v1/signatures/${signature.body.data.id}/recipient_rules`
    const values = Array.from({ length: 1_000 }, (_, v) => `a${v}`)
    const conditions = Array.from({ length: 60 }, () => [
      { smart_field_id: textFields[0], operator: 'contains', values },
    ])
    const answer = await expectQuick('60,000 values', () => app.call('PUT', path, { body: { conditions } }))
    expect([answer.status, answer.body.details[0].field, answer.body.details[0].code]).toEqual([
      422,
      'conditions',
      'too_many',
    ])
  })
})
