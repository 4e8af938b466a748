// Everybody changes everything at once, while signatures are on their way: nothing fails, and in the end every mailbox has
// what a fresh look would give it.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startWorker, type Worker } from '../src/kernel/jobs.ts'
import { createLog } from '../src/kernel/log.ts'
import { buildJobs } from '../src/worker.ts'
import { type Answer, type TestApp, testApp } from './support/app.ts'
import { connectReceiver, type Receiver, startReceiver, webhookSecret } from './support/webhook.ts'

let app: TestApp
let receiver: Receiver
let firstName: string
let department: string
const workers: Worker[] = []
beforeAll(async () => {
  app = await testApp({ env: { SIGNOFF_PRIVATE_TARGETS: '127.0.0.1' } })
  receiver = await startReceiver(() => webhookSecret)
  const { body } = await app.get('/v1/smart_fields?limit=100')
  const id = (key: string) => body.data.find((field: { key: string }) => field.key === key).id
  firstName = id('first_name')
  department = id('department')
  await connectReceiver(app, receiver)
  const jobs = buildJobs(app.config, app.db)
  for (let n = 0; n < 2; n++)
    workers.push(await startWorker({ pool: app.db.pg, jobs, concurrency: 2, log: createLog('silent') }))
})
afterAll(() => Promise.all(workers.map(worker => worker.stop(5_000))))

const saying = (words: string) => ({
  type: 'stack',
  children: [{ type: 'text', tokens: [{ value: `${words} ` }, { smartFieldUuid: firstName }] }],
})
const is = (value: string) => [[{ smart_field_id: department, values: [value] }]]

let made = 0
async function hire(dept: string): Promise<Answer> {
  made += 1
  const smart_fields = [
    { smart_field_id: firstName, value: `N${made}` },
    { smart_field_id: department, value: dept },
  ]
  return app.post('/v1/teammates', { teammate: { email: `q${made}@example.com`, smart_fields } })
}

const list = async (path: string): Promise<{ id: string; email: string; address: string }[]> =>
  (await app.get(`${path}?limit=100`)).body.data

/** Until nothing is on its way but what people copy themselves. */
async function settled(): Promise<void> {
  await expect
    .poll(
      async () => {
        const { body } = await app.get('/v1/installations?limit=100&status=pending')
        const pushed = body.data.filter((row: { channel: string }) => row.channel === 'webhook')
        const [queue] = await app.db.pg
          .query(
            "select count(*)::int as n from graphile_worker.jobs where task_identifier like 'installations.%' and run_at <= now()",
          )
          .then(result => result.rows)
        return pushed.length + queue.n
      },
      { timeout: 60_000, interval: 50 },
    )
    .toBe(0)
}

async function compare(): Promise<void> {
  for (const { id, address } of await list('/v1/emails')) {
    const { html } = (await app.get(`/v1/emails/${id}/signature`)).body.data
    if (html !== null) expect(receiver.mailboxes.get(address), address).toBe(html)
  }
}

type Act =
  | 'hire'
  | 'fire'
  | 'rename'
  | 'move'
  | 'publish'
  | 'rewrite'
  | 'rules'
  | 'priority'
  | 'deactivate'
  | 'by hand'
  | 'fallback'
const act = fc.record({
  do: fc.constantFrom<Act>(
    'hire',
    'fire',
    'rename',
    'move',
    'publish',
    'publish',
    'rewrite',
    'rules',
    'priority',
    'deactivate',
    'by hand',
    'fallback',
  ),
  who: fc.nat({ max: 50 }),
  which: fc.nat({ max: 2 }),
  dept: fc.constantFrom('Sales', 'Law', 'Lab'),
  n: fc.nat({ max: 9 }),
})

describe('changes at the same moment', () => {
  it('never fail, and end with every mailbox as it should be', async () => {
    for (const [n, dept] of ['Sales', 'Law', 'Lab'].entries()) {
      const { body } = await app.post('/v1/signatures', {
        signature: { name: dept, draft_content: saying(dept), priority: n },
      })
      await app.call('PUT', `/v1/signatures/${body.data.id}/recipient_rules`, {
        body: { conditions: is(dept) },
      })
      await app.post(`/v1/signatures/${body.data.id}/publish`)
    }
    for (const dept of ['Sales', 'Sales', 'Law', 'Lab']) await hire(dept)
    const signatures = await list('/v1/signatures')

    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 4, maxLength: 16 }), async acts => {
        const people = await list('/v1/teammates')
        const answers = await Promise.all(
          acts.map(({ do: what, who, which, dept, n }) => {
            const person = people[who % Math.max(1, people.length)]
            const path = `/v1/signatures/${signatures[which]?.id}`
            const value = (smart_field_id: string, text: string) =>
              app.patch(`/v1/teammates/${person?.id}`, {
                teammate: { smart_fields: [{ smart_field_id, value: text }] },
              })
            const acting: Record<Act, () => Promise<Answer>> = {
              hire: () => hire(dept),
              fire: () => app.del(`/v1/teammates/${person?.id}`),
              rename: () => value(firstName, `R${n}`),
              move: () => value(department, dept),
              publish: () => app.post(`${path}/publish`),
              rewrite: () => app.patch(path, { signature: { draft_content: saying(`W${n}`) } }),
              rules: () => app.call('PUT', `${path}/recipient_rules`, { body: { conditions: is(dept) } }),
              priority: () => app.patch(path, { signature: { priority: n } }),
              deactivate: () => app.post(`${path}/deactivate`),
              'by hand': async () => {
                const [email] = person ? (await app.get(`/v1/emails?teammate_id=${person.id}`)).body.data : []
                return email
                  ? app.post(`${path}/emails`, { email_ids: [email.id] })
                  : app.get('/v1/workspace')
              },
              fallback: () =>
                app.patch(`/v1/smart_fields/${firstName}`, { smart_field: { fallback: `F${n}` } }),
            }
            return acting[what]()
          }),
        )
        // Somebody else may have fired them first.
        expect(
          answers.map(answer => answer.status).filter(status => ![200, 201, 204, 404, 422].includes(status)),
        ).toEqual([])
        await settled()
        await compare()
      }),
      { numRuns: 40, endOnFailure: true },
    )
    expect(receiver.refused).toEqual([])
  }, 240_000)
})
