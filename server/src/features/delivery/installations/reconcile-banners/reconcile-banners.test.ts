// After a change of campaigns the mailboxes of all affected addresses are compared, even when a job fails or is lost.
import { beforeAll, describe, expect, it } from 'vitest'
import { sql } from '#kernel/db/db.ts'
import type { TestApp } from '#test/support/app.ts'
import { runAllJobs, runScheduled, startJobs } from '#test/support/jobs.ts'
import type { Receiver } from '#test/support/outside/webhook.ts'
import { stack, text } from '#test/support/signatures.ts'
import {
  connectedApp,
  createField,
  createPublished,
  createTeammate,
  startCampaign,
} from '#test/support/world.ts'

let app: TestApp
let receiver: Receiver
let office: string

beforeAll(async () => {
  ;({ app, receiver } = await connectedApp())
  office = await createField(app, 'Office')
  const emailIds: string[] = []
  for (const [email, value] of [
    ['ada@example.com', 'Paris'],
    ['bob@example.com', 'Rome'],
    ['cyd@example.com', 'Oslo'],
  ] as const)
    emailIds.push((await createTeammate(app, { email, values: { [office]: value } })).emailId)
  await createPublished(app, { draft_content: stack(text('Own'), { type: 'marketing' }) }, ...emailIds)
  await runAllJobs(app)
})

async function startCampaignIn(value: string, words: string): Promise<string> {
  const path = await startCampaign(app, {
    content: stack(text(words)),
    smart_fields_conditions: [[{ smart_field_id: office, values: [value] }]],
  })
  expect((await app.get(path)).body.data.status).toBe('active')
  return path
}

const mailboxOf = (name: string) => receiver.mailboxes.get(`${name}@example.com`)

const reachCount = async (): Promise<number> =>
  (await app.db.query(sql`select from banner_reaches where workspace_id = ${app.id}`)).length

/** Marks the job as graphile-worker does when a worker takes it. The worker `killed` never finishes the job. */
async function claimAndDie(): Promise<void> {
  const taken = await app.db.query(sql`
    update graphile_worker._private_jobs set locked_at = now(), locked_by = 'killed', attempts = attempts + 1
    where key like 'installations.reconcile_banners%' returning id`)
  expect(taken).toHaveLength(1)
  await app.db.query(sql`
    update graphile_worker._private_job_queues set locked_at = now(), locked_by = 'killed'
    where queue_name like 'installations.reconcile_banners%'`)
}

describe('a change of campaigns', () => {
  it('reaches all addresses when a worker is killed and another change follows', async () => {
    const paths = [await startCampaignIn('Paris', 'Come to Paris')]
    await claimAndDie()
    paths.push(await startCampaignIn('Rome', 'Come to Rome'))
    const worker = startJobs(app, { concurrency: 2 })
    await expect.poll(() => mailboxOf('bob')).toContain('Come to Rome')
    await expect.poll(() => mailboxOf('ada')).toContain('Come to Paris')
    await worker.stop(10_000)
    expect(mailboxOf('cyd')).not.toContain('Come')
    expect(await reachCount()).toBe(0)
    for (const path of paths) await app.del(path)
    await runAllJobs(app)
    for (const name of ['ada', 'bob']) expect(mailboxOf(name)).not.toContain('Come')
  })

  it('does not wait for a reach that fails, and retries that reach', async () => {
    const conditions = [[{ smart_field_id: 'no id', operator: 'is_set' }]]
    const broken = { campaign_id: app.id, signature_ids: [], conditions }
    await app.db.query(sql`
      insert into banner_reaches (workspace_id, reach) values (${app.id}, ${JSON.stringify(broken)}::jsonb)`)
    const path = await startCampaignIn('Oslo', 'Come to Oslo')
    await runAllJobs(app, { mayFail: true })
    expect(mailboxOf('cyd')).toContain('Come to Oslo')
    const [failedReach, ...others] = await app.db.query(sql`select reach, failures from banner_reaches`)
    expect([failedReach, others]).toEqual([{ reach: broken, failures: 1 }, []])
    const failed = await app.db.query(sql`
      select from graphile_worker.jobs
      where key = ${`installations.reconcile_banners ${app.id}`} and last_error is not null and attempts < max_attempts`)
    expect(failed).toHaveLength(1)
    await app.db.query(sql`delete from banner_reaches`)
    await app.del(path)
    await runAllJobs(app, { mayFail: true })
    expect(mailboxOf('cyd')).not.toContain('Come')
  })

  it('is found by the nudge job when its own job is lost', async () => {
    await startCampaignIn('Paris', 'Come again')
    await app.db.query(
      sql`delete from graphile_worker._private_jobs where key like 'installations.reconcile_banners%'`,
    )
    await runAllJobs(app)
    expect(mailboxOf('ada')).not.toContain('Come again')
    await runScheduled(app, 'installations.nudge')
    await runAllJobs(app)
    expect(mailboxOf('ada')).toContain('Come again')
  })
})
