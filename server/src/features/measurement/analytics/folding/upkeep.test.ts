import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, describe, expect, it } from 'vitest'
import { insertEvents } from '#features/measurement/events/index.ts'
import { changeEventRetention } from '#features/workspace/workspaces/index.ts'
import { newRow } from '#kernel/base/ids.ts'
import { sql } from '#kernel/db/db.ts'
import { type TestApp, testApp } from '#test/support/app.ts'
import { dropOldEvents, foldTail } from '../index.ts'
import { lockFolding } from './queries.ts'

let app: TestApp
beforeEach(async () => {
  app = await testApp()
})

const record = (moment: string, distinctId: string | null = null, workspaceId = app.id) =>
  insertEvents(app.db, workspaceId, [
    {
      workspaceId,
      id: newRow().id,
      recordedAt: new Date(moment),
      name: 'told',
      outcome: 'counted',
      distinctId,
    },
  ])

async function months(): Promise<string[]> {
  const rows = await app.db.query<{ name: string }>(
    sql`select relname as name from pg_class where relname ~ '^events_2021_\\d\\d$' order by 1`,
  )
  return rows.map(({ name }) => name)
}

const now = new Date('2021-06-15T12:00:00Z')

describe('upkeep', () => {
  it('continues when another transaction reads a month that is due to be dropped', async () => {
    const { db } = app
    for (const month of ['01', '02', '03', '05']) await record(`2021-${month}-20T00:00:00Z`)
    while (await foldTail(db));
    for (const workspace of [app, app.other]) await changeEventRetention(db, workspace.by, 20)
    await db.transaction(async tx => {
      await tx.query(sql`lock table events_2021_02 in access share mode`)
      await dropOldEvents(db, now)
    })
    expect(await months()).toEqual(['events_2021_02'])
    expect(await db.query(sql`select from events where workspace_id = ${app.id}`)).toEqual([])
    await dropOldEvents(db, now)
    expect(await months()).toEqual([])
  })

  it('deletes visitors and event ids of events that were deleted', async () => {
    const { db, id } = app
    const [old, young] = ['2021-03-01T00:00:00Z', '2021-06-10T00:00:00Z']
    await record(old, 'gone')
    await record(young, 'stays')
    for (const workspaceId of [id, app.other.id]) {
      for (const visitor of ['gone', 'stays', 'new'])
        await db.query(sql`
          insert into visitor_traits (workspace_id, distinct_id, traits, updated_at)
          values (${workspaceId}, ${visitor}, '{}', ${visitor === 'new' ? young : old}::timestamptz)`)
      for (const [anonymous, user] of [['a', 'gone'], ['b', 'stays'], ['stays', 'gone']]) // biome-ignore format: a table
        await db.query(sql`
          insert into visitor_identities (workspace_id, anonymous_id, user_id, identified_at)
          values (${workspaceId}, ${anonymous}, ${user}, ${old}::timestamptz)`)
      for (const moment of [old, young])
        await db.query(sql`
          insert into event_ids (workspace_id, event_id, recorded_at)
          values (${workspaceId}, ${moment}, ${moment}::timestamptz)`)
      // An event id from a web page (source `web`) is separate from the same id sent through the API.
      await db.query(sql`
        insert into event_ids (workspace_id, event_id, source, recorded_at)
        values (${workspaceId}, ${young}, 'web', ${old}::timestamptz)`)
    }
    await foldTail(db)
    await changeEventRetention(db, app.by, 30)
    await dropOldEvents(db, now)
    const remainingIds = async (workspaceId: string) =>
      (
        await db.query<{ name: string }>(sql`
          select distinct_id as name from visitor_traits where workspace_id = ${workspaceId}
          union all select anonymous_id from visitor_identities where workspace_id = ${workspaceId}
          union all select event_id from event_ids where workspace_id = ${workspaceId}`)
      ).map(({ name }) => name)
    expect((await remainingIds(id)).sort()).toEqual(['b', 'new', 'stays', 'stays', young].sort())
    expect(await remainingIds(app.other.id)).toHaveLength(9)
  })
})

describe('folding', () => {
  it.each(['id', 'other'] as const)(
    'that fails for one workspace still folds the others (%s)',
    async workspaceKey => {
      const { db } = app
      const workspaceIds = [app.id, app.other.id]
      await record('2021-01-01T00:00:00Z')
      await foldTail(db) // makes the month
      for (const id of workspaceIds) await record('2021-01-01T00:00:00Z', null, id)
      const refusedId = workspaceKey === 'id' ? app.id : app.other.id
      await db.pg.query(
        `alter table events add constraint refusing check (workspace_id <> '${refusedId}') not valid`,
      )
      await expect(foldTail(db)).rejects.toThrow('refusing')
      expect(await db.query(sql`select workspace_id as id from event_tail`)).toEqual([{ id: refusedId }])
    },
  )

  it('waits for the lock until the running day of a recount is done', async () => {
    const { db } = app
    await record('2021-01-01T00:00:00Z')
    const recounting = db.transaction(async tx => {
      await lockFolding(tx)
      await sleep(300)
    })
    await sleep(50)
    await foldTail(db)
    await recounting
    expect(await db.query(sql`select from event_tail`)).toEqual([])
  })
})
