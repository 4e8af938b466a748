// Concurrent changes of everything during deliveries: no request fails, and in the end every mailbox has the signature
// that the API returns for it.
// @module-tag random
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Worker } from '#kernel/db/jobs.ts'
import type { Answer, TestApp } from './support/app.ts'
import { startJobs } from './support/jobs.ts'
import type { Receiver } from './support/outside/webhook.ts'
import { runs } from './support/runs.ts'
import { createSignature, stack, textWithField } from './support/signatures.ts'
import { assign, connectedApp, fieldIds, publish, setValues } from './support/world.ts'

let app: TestApp
let receiver: Receiver
let firstName: string
let department: string
const workers: Worker[] = []
beforeAll(async () => {
  ;({ app, receiver } = await connectedApp())
  ;({ first_name: firstName, department } = await fieldIds(app))
  // Random delays, so that an earlier delivery can arrive after a later one.
  receiver.delay = () => (Math.random() < 0.5 ? 0 : Math.round(Math.random() ** 3 * 400))
  for (let n = 0; n < 2; n++) workers.push(startJobs(app, { concurrency: 2 }))
})
afterAll(() => Promise.all(workers.map(worker => worker.stop(5_000))))

const contentWith = (words: string) => stack(textWithField(words, firstName))
const conditionsFor = (value: string) => [[{ smart_field_id: department, values: [value] }]]

let counter = 0
async function hire(dept: string): Promise<Answer> {
  counter += 1
  const smart_fields = [
    { smart_field_id: firstName, value: `N${counter}` },
    { smart_field_id: department, value: dept },
  ]
  return app.post('/v1/teammates', { teammate: { email: `q${counter}@example.com`, smart_fields } })
}

const list = async (path: string): Promise<{ id: string; email: string; address: string }[]> =>
  (await app.get(`${path}?limit=100`)).body.data

/** Waits until no push delivery is pending and no installation job is due. */
async function waitUntilSettled(): Promise<void> {
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

/** Compares every mailbox and every installation row with the signature that the API returns now. */
async function compare(): Promise<void> {
  const rows: Row[] = []
  for (let page = 1, more = true; more; page++) {
    const { body } = await app.get(`/v1/installations?limit=100&page=${page}`)
    rows.push(...body.data)
    more = body.pagination.has_more
  }
  const rowsByEmail = Map.groupBy(rows, row => row.email_id)
  const existingIds = new Set<string>()
  for (const { id, address } of await list('/v1/emails')) {
    existingIds.add(id)
    const { html, signature_id } = (await app.get(`/v1/emails/${id}/signature`)).body.data
    if (html !== null) expect(receiver.mailboxes.get(address), address).toBe(html)
    const actual = (rowsByEmail.get(id) ?? [])
      .filter(row => row.status !== 'uninstalled')
      .map(row => `${row.channel} ${row.signature_template_id} ${row.status}`)
      .sort()
    const expected = signature_id
      ? [`personal_page ${signature_id} pending`, `webhook ${signature_id} installed`]
      : []
    expect(actual, address).toEqual(expected)
  }
  const leftovers = rows.filter(row => !existingIds.has(row.email_id) && row.status !== 'uninstalled')
  expect(leftovers).toEqual([])
}

type StepKind =
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
const step = fc.record({
  do: fc.constantFrom<StepKind>(
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

describe('concurrent changes', () => {
  it('that switch a mailbox between signatures leave the last one installed', async () => {
    const usualDelay = receiver.delay
    receiver.delay = () => Math.random() * 600
    const { body } = await hire('Nobody')
    const [email] = body.data.emails
    const ids: string[] = []
    for (const name of ['One', 'Two', 'Three']) {
      const created = await createSignature(app, { draft_content: contentWith(name), priority: 50 })
      ids.push(created.body.data.id)
      await assign(app, created.body.data.id, email.id)
    }
    for (let n = 0; n < runs(6); n++) {
      const path = `/v1/signatures/${ids[n % 3]}`
      await app.patch(path, { signature: { draft_content: contentWith(`Turn ${n}`), priority: 40 - n } })
      await app.post(`${path}/publish`)
      await sleep(Math.random() * 400)
      if (n % 4 !== 3) continue
      if (n % 8 === 3) await app.post(`${path}/deactivate`)
      await waitUntilSettled()
      await compare()
    }
    for (const id of ids) await app.del(`/v1/signatures/${id}`)
    await waitUntilSettled()
    await compare()
    receiver.delay = usualDelay
    await app.del(`/v1/teammates/${body.data.id}`)
  })

  it('never fail, and every mailbox ends with the right signature', async () => {
    for (const [n, dept] of ['Sales', 'Law', 'Lab'].entries()) {
      const { body } = await createSignature(app, { draft_content: contentWith(dept), priority: n })
      await app.call('PUT', `/v1/signatures/${body.data.id}/recipient_rules`, {
        body: { conditions: conditionsFor(dept) },
      })
      await publish(app, body.data.id)
    }
    for (const dept of ['Sales', 'Sales', 'Law', 'Lab']) await hire(dept)
    const signatures = await list('/v1/signatures')

    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 16 }), async steps => {
        const people = await list('/v1/teammates')
        const answers = await Promise.all(
          steps.map(({ do: what, who, which, dept, n }) => {
            const person = people[who % Math.max(1, people.length)]
            const path = `/v1/signatures/${signatures[which]?.id}`
            const setValue = (fieldId: string, value: string) =>
              setValues(app, String(person?.id), { [fieldId]: value })
            const actions: Record<StepKind, () => Promise<Answer>> = {
              hire: () => hire(dept),
              fire: () => app.del(`/v1/teammates/${person?.id}`),
              rename: () => setValue(firstName, `R${n}`),
              move: () => setValue(department, dept),
              publish: () => app.post(`${path}/publish`),
              rewrite: () => app.patch(path, { signature: { draft_content: contentWith(`W${n}`) } }),
              rules: () =>
                app.call('PUT', `${path}/recipient_rules`, { body: { conditions: conditionsFor(dept) } }),
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
                  ? app.patch(`/v1/emails/${email.id}`, { email: { address: `m${++counter}@example.com` } })
                  : app.get('/v1/workspace')
              },
              install: () => app.post(`${path}/install`),
              fallback: () =>
                app.patch(`/v1/smart_fields/${firstName}`, { smart_field: { fallback: `F${n}` } }),
            }
            return actions[what]()
          }),
        )
        // 404: a concurrent step can delete the teammate first.
        expect(
          answers
            .map(answer => answer.status)
            .filter(status => ![200, 201, 202, 204, 404, 409, 422].includes(status)),
        ).toEqual([])
        await waitUntilSettled()
        await compare()
      }),
      { numRuns: runs(8), endOnFailure: true },
    )
    expect(receiver.refused).toEqual([])
  })
})
