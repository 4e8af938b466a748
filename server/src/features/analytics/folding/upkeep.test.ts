import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, describe, expect, it } from 'vitest'
import { insertEvents } from '#features/events/index.ts'
import { setEventRetention } from '#features/workspaces/index.ts'
import { sql } from '#kernel/db.ts'
import { newRow } from '#kernel/ids.ts'
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
  it('goes on where somebody reads a month that is to go', async () => {
    const { db } = app
    for (const month of ['01', '02', '03', '05']) await record(`2021-${month}-20T00:00:00Z`)
    while (await foldTail(db));
    for (const one of [app, app.other]) await setEventRetention(db, one.by, 20)
    await db.transaction(async tx => {
      await tx.query(sql`lock table events_2021_02 in access share mode`)
      await dropOldEvents(db, now)
    })
    expect(await months()).toEqual(['events_2021_02'])
    expect(await db.query(sql`select from events where workspace_id = ${app.id}`)).toEqual([])
    await dropOldEvents(db, now)
    expect(await months()).toEqual([])
  })

  it('forgets who was behind events that are gone, and under which id they were sent', async () => {
    const { db, id } = app
    const [old, young] = ['2021-03-01T00:00:00Z', '2021-06-10T00:00:00Z']
    await record(old, 'gone')
    await record(young, 'stays')
    for (const workspaceId of [id, app.other.id]) {
      for (const who of ['gone', 'stays', 'new'])
        await db.query(sql`
          insert into visitor_traits (workspace_id, distinct_id, traits, updated_at)
          values (${workspaceId}, ${who}, '{}', ${who === 'new' ? young : old}::timestamptz)`)
      for (const [anonymous, user] of [['a', 'gone'], ['b', 'stays'], ['stays', 'gone']]) // biome-ignore format: a table
        await db.query(sql`
          insert into visitor_identities (workspace_id, anonymous_id, user_id, identified_at)
          values (${workspaceId}, ${anonymous}, ${user}, ${old}::timestamptz)`)
      for (const moment of [old, young])
        await db.query(sql`
          insert into event_ids (workspace_id, event_id, recorded_at)
          values (${workspaceId}, ${moment}, ${moment}::timestamptz)`)
      // What a web page calls an event is none of the API's business.
      await db.query(sql`
        insert into event_ids (workspace_id, event_id, source, recorded_at)
        values (${workspaceId}, ${young}, 'web', ${old}::timestamptz)`)
    }
    await foldTail(db)
    await setEventRetention(db, app.by, 30)
    await dropOldEvents(db, now)
    const left = async (workspaceId: string) =>
      (
        await db.query<{ one: string }>(sql`
          select distinct_id as one from visitor_traits where workspace_id = ${workspaceId}
          union all select anonymous_id from visitor_identities where workspace_id = ${workspaceId}
          union all select event_id from event_ids where workspace_id = ${workspaceId}`)
      ).map(({ one }) => one)
    expect((await left(id)).sort()).toEqual(['b', 'new', 'stays', 'stays', young].sort())
    expect(await left(app.other.id)).toHaveLength(9)
  })
})

describe('folding', () => {
  it.each(['id', 'other'] as const)(
    'that fails for one workspace keeps no other waiting (%s)',
    async which => {
      const { db } = app
      const all = [app.id, app.other.id]
      for (const id of all) await record('2021-01-01T00:00:00Z', null, id)
      const refused = which === 'id' ? app.id : app.other.id
      await db.query(sql`
      create function refuse() returns trigger language plpgsql as $$ begin raise 'no room'; end $$`)
      await db.pg.query(`
      create trigger refusing before insert on events for each row when (new.workspace_id = '${refused}')
      execute function refuse()`)
      await expect(foldTail(db)).rejects.toThrow('no room')
      expect(await db.query(sql`select workspace_id as id from event_tail`)).toEqual([{ id: refused }])
    },
  )

  it('waits for its turn, which comes after the day that is being recounted', async () => {
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
