// How soon a change in a directory is on its way to mailboxes: docs/operate/performance.md has the figure.
import { beforeAll, expect, it } from 'vitest'
import { sql } from '#kernel/db/db.ts'
import { type TestApp, testApp } from '#test/support/app.ts'
import type { Google } from '#test/support/directories/google.ts'
import { addUser, connectGoogle, startDirectory, syncNow } from '#test/support/directories/google-people.ts'
import { runJob, runScheduled } from '#test/support/jobs.ts'

let app: TestApp
let google: Google
let id: string
beforeAll(async () => {
  app = await testApp()
  google = await startDirectory()
  id = await connectGoogle(app, google)
})

const integration = async () => (await app.get(`/v1/integrations/${id}`)).body.data
const runningRuns = async () =>
  (await app.get('/v1/sync_runs')).body.data
    .filter((run: { status: string }) => run.status === 'running')
    .map((run: { trigger: string }) => run.trigger)
/** The schedule runs, when the next run is due after so many seconds. */
const scheduleWhenDueIn = async (seconds: number | null) => {
  await app.db.query(
    sql`update integrations set next_sync_at = now() + ${seconds}::int * interval '1 second'`,
  )
  await runScheduled(app, 'directories.schedule')
}

it('a change in a directory is queued for mailboxes within five minutes', async () => {
  const user = addUser(google, 'ada')
  expect(await integration()).toMatchObject({ next_sync_at: null })
  const run = await syncNow(app)
  // The time of a run counts: what changes right after it was read waits for the end of the next one.
  const until = Date.parse((await integration()).next_sync_at) - Date.parse(run.started_at)
  const took = Date.parse(run.ended_at) - Date.parse(run.started_at)
  expect(until + took).toBeLessThanOrEqual(300_000)
  expect(until).toBeGreaterThan(180_000)

  for (const later of [null, 180]) {
    await scheduleWhenDueIn(later)
    expect(await runningRuns()).toEqual([])
  }
  // The schedule runs once a minute, so it begins every run that is due within the next one.
  await scheduleWhenDueIn(60)
  expect(await runningRuns()).toEqual(['schedule'])
  await runScheduled(app, 'directories.schedule')
  expect(await runningRuns()).toEqual(['schedule'])

  google.directory.users.set(user.id, { ...user, title: 'Director' })
  await runJob(app, 'directories.sync', { integration_id: id })
  const { data } = (await app.get('/v1/sync_runs')).body
  expect(data).toContainEqual(
    expect.objectContaining({ trigger: 'schedule', status: 'succeeded', people_changed: 1 }),
  )
  const [teammate] = (await app.get('/v1/teammates')).body.data
  const queued = await app.db.query<{ payload: { teammate_ids: string[] } }>(
    sql`select payload from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
      where t.identifier = 'installations.reconcile'`,
  )
  expect(queued.flatMap(({ payload }) => payload.teammate_ids ?? [])).toContain(teammate.id)
})
