// COPY sends its rows before PostgreSQL has accepted the statement.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freshDatabase } from '#test/support/app.ts'
import { type DedicatedConnection, openDedicatedConnection } from './database-session.ts'
import { openPool, type Pool, sql } from './db.ts'

let db: Pool
let connection: DedicatedConnection
beforeAll(async () => {
  db = openPool({ connection: await freshDatabase(), size: 2, onError: () => undefined })
  connection = openDedicatedConnection(db)
  await db.query(sql`create table numbers (n int primary key, word text)`)
})
afterAll(async () => {
  await connection.end()
  await db.end()
})

const copy = (table: string, rows: string) =>
  connection.run(on =>
    on.copy(table === 'numbers' ? sql`copy numbers from stdin` : sql`copy nowhere from stdin`, rows),
  )
const all = () => db.query(sql`select n, word from numbers order by n`)

it('copied rows arrive unchanged, also many and none', async () => {
  await copy('numbers', '1\tone\n2\tzwölf 🙂\n3\t\\N\n')
  await copy('numbers', '')
  expect(await all()).toEqual([
    { n: 1, word: 'one' },
    { n: 2, word: 'zwölf 🙂' },
    { n: 3, word: null },
  ])
  await db.query(sql`delete from numbers`)
  await copy('numbers', Array.from({ length: 50_000 }, (_, n) => `${n}\t${'x'.repeat(100)}\n`).join(''))
  expect(await all()).toHaveLength(50_000)
})

it('a copy with an error inserts no row, and the connection works for the next statement', async () => {
  await db.query(sql`delete from numbers`)
  const long = 'x'.repeat(100_000)
  await expect(copy('nowhere', `1\t${long}\n`)).rejects.toMatchObject({ code: '42P01' })
  await expect(copy('numbers', `1\tone\nnone\t${long}\n`)).rejects.toMatchObject({ code: '22P02' })
  expect(await all()).toEqual([])
  await copy('numbers', '4\tfour\n')
  await connection.run(on =>
    on.transaction(async () => {
      await on.copy(sql`copy numbers from stdin`, '5\tfive\n')
      expect(await on.query(sql`select n from numbers order by n`)).toEqual([{ n: 4 }, { n: 5 }])
      await on.copy(sql`copy numbers from stdin`, '6\tsix\n')
    }),
  )
  expect(await all()).toHaveLength(3)
})

it('a copy fails when its connection is lost, and the next one gets a new connection', async () => {
  await db.query(sql`truncate numbers`)
  const blocking = await db.pg.connect()
  try {
    await blocking.query('begin; lock table numbers in access exclusive mode')
    const copying = copy('numbers', '7\tseven\n')
    const refused = expect(copying).rejects.toMatchObject({ code: 'unavailable' })
    await expect
      .poll(async () => {
        const { rowCount } = await db.pg.query(
          `select pg_terminate_backend(pid) from pg_stat_activity where query like 'copy numbers%' and wait_event_type = 'Lock'`,
        )
        return rowCount
      })
      .toBe(1)
    await refused
  } finally {
    await blocking.query('rollback')
    blocking.release()
  }
  await copy('numbers', '8\teight\n')
  expect(await all()).toEqual([{ n: 8, word: 'eight' }])
})
