import { afterAll, beforeAll, expect, it } from 'vitest'
import { freshDatabase } from '#test/support/app.ts'
import { composed, openPool, type Pool, type Sql, sql } from './db.ts'

let db: Pool
beforeAll(async () => {
  db = openPool({ connection: await freshDatabase(), size: 1, onError: () => undefined })
})
afterAll(() => db.end())

const isPrepared = async (statement: Sql): Promise<boolean> => {
  const { rowCount } = await db.pg.query('select from pg_prepared_statements where statement = $1', [
    statement.text,
  ])
  return rowCount === 1
}

it('a statement is prepared under a name, unless it or a part of it is composed', async () => {
  const fixed = sql`select ${1}::int as n`
  const whole = composed(sql`select ${1}::int as n, 1 as whole`)
  const nested = sql`select n from (${sql`select 1 as n where ${composed(sql`${2} = ${3}`)}`}) inner_rows`
  for (const statement of [fixed, whole, nested]) await db.query(statement)
  expect([await isPrepared(fixed), await isPrepared(whole), await isPrepared(nested)]).toEqual([
    true,
    false,
    false,
  ])
})

it('a statement whose columns a migration changed still runs, alone and in a transaction', async () => {
  const id = '00000000-0000-7000-8000-000000000000'
  const alone = sql`select * from folders where workspace_id = ${id}`
  const inside = sql`select *, 1 as one from folders where workspace_id = ${id}`
  const read = () => Promise.all([db.query(alone), db.transaction(tx => tx.query(inside))])
  await read()
  await db.pg.query('alter table folders add column shape text')
  expect(await read()).toEqual([[], []])
})
