// Everybody changes everything at once, while signatures are on their way: nothing fails, and in the end every mailbox has
// what a fresh look would give it.
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startWorker, type Worker } from '#kernel/jobs.ts'
import { createLog } from '#kernel/log.ts'
import { buildJobs } from '#worker.ts'
import { type Answer, type TestApp, testApp } from './support/app.ts'
import { runs } from './support/runs.ts'
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
  // Some take their time, so that what was sent first arrives last.
  receiver.delay = () => (Math.random() < 0.5 ? 0 : Math.round(Math.random() ** 3 * 400))
  await connectReceiver(app, receiver)
  const jobs = buildJobs(app.parts, app.db)
  for (let n = 0; n < 2; n++)
    workers.push(startWorker({ pool: app.db.pg, jobs, concurrency: 2, log: createLog('silent') }))
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

/** Until nothing is on its way, or waits for its turn, but what people copy themselves. */
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
      { interval: 50 },
    )
    .toBe(0)
}

interface Row {
  readonly email_id: string
  readonly signature_template_id: string
  readonly channel: string
  readonly status: string
}

/** Every mailbox, and every row, against what a fresh look gives. */
async function compare(): Promise<void> {
  const rows: Row[] = []
  for (let page = 1, more = true; more; page++) {
    const { body } = await app.get(`/v1/installations?limit=100&page=${page}`)
    rows.push(...body.data)
    more = body.pagination.has_more
  }
  const theirs = Map.groupBy(rows, row => row.email_id)
  const living = new Set<string>()
  for (const { id, address } of await list('/v1/emails')) {
    living.add(id)
    const { html, signature_id } = (await app.get(`/v1/emails/${id}/signature`)).body.data
    if (html !== null) expect(receiver.mailboxes.get(address), address).toBe(html)
    const stated = (theirs.get(id) ?? [])
      .filter(row => row.status !== 'uninstalled')
      .map(row => `${row.channel} ${row.signature_template_id} ${row.status}`)
      .sort()
    const right = signature_id
      ? [`personal_page ${signature_id} pending`, `webhook ${signature_id} installed`]
      : []
    expect(stated, address).toEqual(right)
  }
  const gone = rows.filter(row => !living.has(row.email_id) && row.status !== 'uninstalled')
  expect(gone).toEqual([])
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
  | 'move house'
  | 'install'
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
    'move house',
    'install',
  ),
  who: fc.nat({ max: 50 }),
  which: fc.nat({ max: 2 }),
  dept: fc.constantFrom('Sales', 'Law', 'Lab'),
  n: fc.nat({ max: 9 }),
})

describe('changes at the same moment', () => {
  it('that take a mailbox from one signature to another leave the last one there', async () => {
    const usual = receiver.delay
    receiver.delay = () => Math.random() * 600
    const { body } = await hire('Nobody')
    const [email] = body.data.emails
    const ids: string[] = []
    for (const name of ['One', 'Two', 'Three']) {
      const made = await app.post('/v1/signatures', {
        signature: { name, draft_content: saying(name), priority: 50 },
      })
      ids.push(made.body.data.id)
      await app.post(`/v1/signatures/${made.body.data.id}/emails`, { email_ids: [email.id] })
    }
    for (let n = 0; n < runs(12); n++) {
      const path = `/v1/signatures/${ids[n % 3]}`
      await app.patch(path, { signature: { draft_content: saying(`Turn ${n}`), priority: 40 - n } })
      await app.post(`${path}/publish`)
      await sleep(Math.random() * 400)
      if (n % 4 !== 3) continue
      if (n % 8 === 3) await app.post(`${path}/deactivate`)
      await settled()
      await compare()
    }
    for (const id of ids) await app.del(`/v1/signatures/${id}`)
    await settled()
    await compare()
    receiver.delay = usual
    await app.del(`/v1/teammates/${body.data.id}`)
  })

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
              'move house': async () => {
                const [email] = person ? (await app.get(`/v1/emails?teammate_id=${person.id}`)).body.data : []
                return email
                  ? app.patch(`/v1/emails/${email.id}`, { email: { address: `m${++made}@example.com` } })
                  : app.get('/v1/workspace')
              },
              install: () => app.post(`${path}/install`),
              fallback: () =>
                app.patch(`/v1/smart_fields/${firstName}`, { smart_field: { fallback: `F${n}` } }),
            }
            return acting[what]()
          }),
        )
        // Somebody else may have fired them first.
        expect(
          answers
            .map(answer => answer.status)
            .filter(status => ![200, 201, 202, 204, 404, 409, 422].includes(status)),
        ).toEqual([])
        await settled()
        await compare()
      }),
      { numRuns: runs(15), endOnFailure: true },
    )
    expect(receiver.refused).toEqual([])
  })
})
