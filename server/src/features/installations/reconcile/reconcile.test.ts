// Comparing goes on while people change things, and in two parts at once.
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { type Db, type Sql, sql } from '#kernel/db.ts'
import { type TestApp, testApp } from '#test/support/app.ts'
import { workAll } from '#test/support/jobs.ts'
import { createField, createSignature, field, stack, text } from '#test/support/signatures.ts'
import { connectReceiver, type Receiver, startReceiver, webhookSecret } from '#test/support/webhook.ts'
import { buildJobs } from '#worker.ts'

async function company(): Promise<{ app: TestApp; receiver: Receiver; systems: string[] }> {
  const app = await testApp({ env: { SIGNOFF_PRIVATE_TARGETS: '127.0.0.1' } })
  const receiver = await startReceiver(() => webhookSecret)
  const systems = [await connectReceiver(app, receiver), await connectReceiver(app, receiver)]
  return { app, receiver, systems }
}

/** Everything that is asked of the database goes through `around`. */
const through = (db: Db, around: (ask: () => Promise<unknown>, statement: Sql) => Promise<unknown>): Db => ({
  query: statement => around(() => db.query(statement), statement) as never,
  transaction: (within, isolation) => db.transaction(tx => within(through(tx, around)), isolation),
})

const running = (app: TestApp, db: Db, name: string) => async (payload: object) =>
  buildJobs(app.parts, db)
    .find(job => job.name === name)
    ?.run({ workspace_id: app.id, ...payload })

const comparing = (app: TestApp, db: Db) => running(app, db, 'installations.reconcile')

/** Addresses by the half in which they are compared. */
async function crowd(app: TestApp): Promise<{ all: string[]; even: string[]; odd: string[] }> {
  const all: string[] = []
  for (let n = 0; n < 24; n++) {
    const made = await app.post('/v1/teammates', { teammate: { email: `p${n}@example.com` } })
    all.push(made.body.data.emails[0].id)
  }
  const isEven = (id: string) => Number.parseInt(id.slice(-1), 16) % 2 === 0
  all.sort()
  return { all, even: all.filter(isEven), odd: all.filter(id => !isEven(id)) }
}

async function published(app: TestApp, content: object, emailIds: string[], priority = 500): Promise<string> {
  const id = (await createSignature(app, { draft_content: content, priority })).body.data.id
  await app.post(`/v1/signatures/${id}/emails`, { email_ids: emailIds })
  await app.post(`/v1/signatures/${id}/publish`)
  return id
}

describe('comparing', () => {
  it('takes a value that changes between two looks for changed, whoever has copied it too', async () => {
    const { app, receiver } = await company()
    const office = await createField(app, 'Office')
    const live = async (value: string) => ({ smart_fields: [{ smart_field_id: office, value }] })
    const made = await app.post('/v1/teammates', {
      teammate: { email: 'ada@example.com', ...(await live('Paris')) },
    })
    const { id, emails } = made.body.data
    await published(app, stack(field(office)), [emails[0].id])
    await workAll(app)
    expect(receiver.mailboxes.get('ada@example.com')).toContain('Paris')
    const { url } = (await app.get(`/v1/emails/${emails[0].id}/personal_page`)).body.data
    await app.post(`${new URL(url).pathname}/copied`, undefined, { key: null })
    let isChanged = false
    const changing = through(app.db, async (ask, statement) => {
      const rows = await ask()
      if (!isChanged && statement.text.includes('as revision') && !statement.text.includes('as values')) {
        isChanged = true
        await app.patch(`/v1/teammates/${id}`, { teammate: await live('Rome') })
      }
      return rows
    })
    await comparing(app, changing)({ teammate_ids: [id] })
    expect(isChanged).toBe(true)
    await workAll(app)
    expect(receiver.mailboxes.get('ada@example.com')).toContain('Rome')
  })

  it('does not call for what arrives meanwhile, at whatever moment it does', async () => {
    const { app, receiver, systems } = await company()
    const carry = () =>
      running(
        app,
        app.db,
        'installations.deliver',
      )({ channel: 'webhook', integration_id: systems[0], slot: 0 })
    const made = await app.post('/v1/teammates', { teammate: { email: 'ada@example.com' } })
    const emailId = made.body.data.emails[0].id
    const id = await published(app, stack(text('0')), [emailId])
    await workAll(app)
    await noteReturns(app)
    let asked = 1
    for (let moment = 0; moment < asked; moment++)
      for (const delay of [0, 60]) {
        await app.patch(`/v1/signatures/${id}`, {
          signature: { draft_content: stack(text(`${moment} ${delay}`)) },
        })
        await app.post(`/v1/signatures/${id}/publish`)
        await comparing(app, app.db)({ email_ids: [emailId] })
        expect(await returns(app)).toBe(systems.length) // there is a newer version
        receiver.delay = delay
        // Without a delay it begins then; with one it has begun, and ends then.
        let carried = delay > 0 ? carry() : undefined
        if (carried) await sleep(delay / 2)
        asked = 0
        const slow = through(app.db, async ask => {
          const rows = await ask()
          if (asked++ === moment) {
            carried ??= carry()
            await Promise.race([carried, sleep(100)])
          }
          return rows
        })
        await comparing(app, slow)({ email_ids: [emailId] })
        await carried
        receiver.delay = 0
        await workAll(app)
        expect(receiver.mailboxes.get('ada@example.com')).toContain(`${moment} ${delay}`)
        expect(await returns(app), `moment ${moment}, delay ${delay}`).toBe(0)
      }
  })

  it('of both halves numbers the links of new signatures without waiting for each other', async () => {
    const { app } = await company()
    await app.db.query(sql`update workspaces set tracking_enabled = false`)
    const { all, even, odd } = await crowd(app)
    await published(app, stack(text('All')), all, 900)
    await published(
      app,
      stack(text('Some')),
      [...even.slice(0, even.length / 2), ...odd.slice(odd.length / 2)],
      10,
    )
    await workAll(app)
    await app.db.query(sql`update workspaces set tracking_enabled = true`)
    const found = await failures(app, async compare => {
      for (let n = 0; n < 8; n++) {
        await app.db.query(sql`delete from tracked_sources`)
        await app.db.query(sql`update mailboxes set due_at = null`)
        await halves(even, odd)(compare)
      }
    })
    expect(found).toEqual([])
  })

  it('of both halves asks for deliveries through two systems without waiting for each other', async () => {
    const { app, systems } = await company()
    const { all, even, odd } = await crowd(app)
    await published(app, stack(text('All')), all)
    await workAll(app)
    const [first, second] = systems
    const refused = [
      [even[0], first],
      [even[1], second],
      [odd[0], second],
      [odd[1], first],
    ]
    const found = await failures(app, async compare => {
      for (let n = 0; n < 5; n++) {
        await app.db.query(sql`update mailboxes set due_at = null`)
        for (const [email, system] of refused)
          await app.db.query(sql`
            update installations set status = 'failed' where email_id = ${email} and integration_id = ${system}`)
        await halves(even, odd)(compare)
      }
    })
    expect(found).toEqual([])
  })
})

/** Counts rows that are said to wait after they were said to be installed. */
async function noteReturns({ db }: TestApp): Promise<void> {
  await db.query(sql`create table returns (id uuid)`)
  await db.query(sql`
    create function note_return() returns trigger language plpgsql as
    $$ begin insert into returns values (new.id); return null; end $$`)
  await db.query(sql`
    create trigger going_back after update on installations for each row
    when (old.status = 'installed' and new.status = 'pending' and new.integration_id is not null)
    execute function note_return()`)
}

async function returns({ db }: TestApp): Promise<number> {
  const rows = await db.query(sql`delete from returns returning id`)
  return rows.length
}

type Compare = ReturnType<typeof comparing>
const halves =
  (...emails: string[][]) =>
  (compare: Compare) =>
    Promise.all(emails.map(email_ids => compare({ email_ids })))

/** What PostgreSQL complained of, though it was tried again. */
async function failures(app: TestApp, work: (compare: Compare) => Promise<unknown>): Promise<string[]> {
  const seen: string[] = []
  const watched = through(app.db, ask =>
    ask().catch((error: Error) => {
      seen.push(error.message)
      throw error
    }),
  )
  await work(comparing(app, watched))
  return seen
}
