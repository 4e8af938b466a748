// Reconcile jobs run while data changes, and two of them run at once.
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { type Db, type Sql, sql } from '#kernel/db/db.ts'
import { queriesBy } from '#kernel/db/query-forms.ts'
import type { TestApp } from '#test/support/app.ts'
import { runAllJobs, runJob } from '#test/support/jobs.ts'
import { connectReceiver, type Receiver } from '#test/support/outside/webhook.ts'
import { field, stack, text } from '#test/support/signatures.ts'
import {
  connectedApp,
  createField,
  createPublished,
  createTeammate,
  publish,
  setValues,
} from '#test/support/world.ts'

async function createCompany(): Promise<{ app: TestApp; receiver: Receiver; systems: string[] }> {
  const { app, receiver, integrationId } = await connectedApp()
  return { app, receiver, systems: [integrationId, await connectReceiver(app, receiver)] }
}

/** A Db that passes every statement to `around`. */
const intercept = (
  db: Db,
  around: (run: () => Promise<unknown>, statement: Sql) => Promise<unknown>,
): Db => ({
  ...queriesBy(statement => around(() => db.query(statement), statement) as never),
  transaction: (within, isolation) => db.transaction(tx => within(intercept(tx, around)), isolation),
})

const reconcileRunner = (app: TestApp, db: Db) => (payload: object) =>
  runJob(app, 'installations.reconcile', payload, db)

/** Creates teammates. Returns their email ids, all and by the part in which they are compared. */
async function createCrowd(app: TestApp): Promise<{ all: string[]; even: string[]; odd: string[] }> {
  const all: string[] = []
  for (let n = 0; n < 24; n++) all.push((await createTeammate(app)).emailId)
  const isEven = (id: string) => Number.parseInt(id.slice(-1), 16) % 2 === 0
  all.sort()
  return { all, even: all.filter(isEven), odd: all.filter(id => !isEven(id)) }
}

describe('the reconcile job', () => {
  it('delivers a value that changes between its two reads, also when a teammate has copied the signature', async () => {
    const { app, receiver } = await createCompany()
    const office = await createField(app, 'Office')
    const { id, email, emailId } = await createTeammate(app, { values: { [office]: 'Paris' } })
    await createPublished(app, { draft_content: stack(field(office)) }, emailId)
    await runAllJobs(app)
    expect(receiver.mailboxes.get(email)).toContain('Paris')
    const { url } = (await app.get(`/v1/emails/${emailId}/personal_page`)).body.data
    await app.post(`${new URL(url).pathname}/copied`, undefined, { key: null })
    let isChanged = false
    const changingDb = intercept(app.db, async (run, statement) => {
      const rows = await run()
      if (!isChanged && statement.text.includes('as row_version') && !statement.text.includes('as values')) {
        isChanged = true
        await setValues(app, id, { [office]: 'Rome' })
      }
      return rows
    })
    await reconcileRunner(app, changingDb)({ teammate_ids: [id] })
    expect(isChanged).toBe(true)
    await runAllJobs(app)
    expect(receiver.mailboxes.get(email)).toContain('Rome')
  })

  it('does not ask again for a signature that arrives during the comparison, at any moment', {
    tags: ['deep'],
  }, async () => {
    const { app, receiver, systems } = await createCompany()
    const runDeliver = () =>
      runJob(app, 'installations.deliver', { channel: 'webhook', integration_id: systems[0], slot: 0 })
    const { email, emailId } = await createTeammate(app)
    const id = await createPublished(app, { draft_content: stack(text('0')) }, emailId)
    await runAllJobs(app)
    await watchReturns(app)
    let statements = 1
    for (let moment = 0; moment < statements; moment++)
      for (const delay of [0, 60]) {
        await app.patch(`/v1/signatures/${id}`, {
          signature: { draft_content: stack(text(`${moment} ${delay}`)) },
        })
        await publish(app, id)
        await reconcileRunner(app, app.db)({ email_ids: [emailId] })
        expect(await countReturns(app)).toBe(systems.length) // there is a newer version
        receiver.delay = delay
        // Without a delay the deliver job begins at this moment; with one it has begun before, and ends at this moment.
        let delivery = delay > 0 ? runDeliver() : undefined
        if (delivery) await sleep(delay / 2)
        statements = 0
        const slowDb = intercept(app.db, async run => {
          const rows = await run()
          if (statements++ === moment) {
            delivery ??= runDeliver()
            await Promise.race([delivery, sleep(100)])
          }
          return rows
        })
        await reconcileRunner(app, slowDb)({ email_ids: [emailId] })
        await delivery
        receiver.delay = 0
        await runAllJobs(app)
        expect(receiver.mailboxes.get(email)).toContain(`${moment} ${delay}`)
        expect(await countReturns(app), `moment ${moment}, delay ${delay}`).toBe(0)
      }
  })

  it('numbers the links of new signatures without a deadlock when two jobs run at once', async () => {
    const { app } = await createCompany()
    await app.db.query(sql`update workspaces set tracking_enabled = false`)
    const { all, even, odd } = await createCrowd(app)
    const some = [...even.slice(0, even.length / 2), ...odd.slice(odd.length / 2)]
    await createPublished(app, { draft_content: stack(text('All')), priority: 900 }, ...all)
    await createPublished(app, { draft_content: stack(text('Some')), priority: 10 }, ...some)
    await runAllJobs(app)
    await app.db.query(sql`update workspaces set tracking_enabled = true`)
    const errors = await failuresOf(app, async compare => {
      for (let n = 0; n < 8; n++) {
        await app.db.query(sql`delete from tracked_sources`)
        await app.db.query(sql`update mailboxes set due_at = null`)
        await compareHalves(even, odd)(compare)
      }
    })
    expect(errors).toEqual([])
  })

  it('enqueues deliveries through two integrations without a deadlock when two jobs run at once', async () => {
    const { app, systems } = await createCompany()
    const { all, even, odd } = await createCrowd(app)
    await createPublished(app, { draft_content: stack(text('All')) }, ...all)
    await runAllJobs(app)
    const [first, second] = systems
    const refused = [
      [even[0], first],
      [even[1], second],
      [odd[0], second],
      [odd[1], first],
    ]
    const errors = await failuresOf(app, async compare => {
      for (let n = 0; n < 5; n++) {
        await app.db.query(sql`update mailboxes set due_at = null`)
        for (const [email, system] of refused)
          await app.db.query(sql`
            update installations set status = 'failed' where email_id = ${email} and integration_id = ${system}`)
        await compareHalves(even, odd)(compare)
      }
    })
    expect(errors).toEqual([])
  })
})

/** Records each installation that goes from `installed` back to `pending`. */
async function watchReturns({ db }: TestApp): Promise<void> {
  await db.query(sql`create table returns (id uuid)`)
  await db.query(sql`
    create function note_return() returns trigger language plpgsql as
    $$ begin insert into returns values (new.id); return null; end $$`)
  await db.query(sql`
    create trigger going_back after update on installations for each row
    when (old.status = 'installed' and new.status = 'pending' and new.integration_id is not null)
    execute function note_return()`)
}

async function countReturns({ db }: TestApp): Promise<number> {
  const rows = await db.query(sql`delete from returns returning id`)
  return rows.length
}

type Compare = ReturnType<typeof reconcileRunner>
const compareHalves =
  (...emails: string[][]) =>
  (compare: Compare) =>
    Promise.all(emails.map(email_ids => compare({ email_ids })))

/** The errors that PostgreSQL returned, including those of transactions that were retried. */
async function failuresOf(app: TestApp, work: (compare: Compare) => Promise<unknown>): Promise<string[]> {
  const messages: string[] = []
  const watchedDb = intercept(app.db, run =>
    run().catch((error: Error) => {
      messages.push(error.message)
      throw error
    }),
  )
  await work(reconcileRunner(app, watchedDb))
  return messages
}
