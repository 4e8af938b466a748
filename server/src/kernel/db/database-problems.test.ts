// What PostgreSQL refuses is one line of a command: without a stack, and without lines of the log beside it.
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freshDatabase } from '#test/support/app.ts'
import { command } from '#test/support/command.ts'
import { query, urlOf, withDatabase } from '#test/support/postgres/postgres.ts'
import { run } from '#test/support/processes/process.ts'

let connection: pg.ClientConfig
const role = `few_${randomUUID().slice(0, 8)}`
beforeAll(async () => {
  connection = await freshDatabase()
  const owner = new pg.Client(connection).user
  await query(connection, `create role ${role} login password 'few' connection limit 0 in role "${owner}"`)
})
afterAll(() => query(connection, `drop role ${role}`))

const as = (user: string): string => {
  const { host, port, database } = new pg.Client(connection)
  return `postgresql://${user}:few@/${database}?host=${encodeURIComponent(host)}&port=${port}`
}
const problemAt = async (url: string): Promise<string> => {
  const { code, out, err } = await command(['billing', 'issuer'], { DATABASE_URL: url })
  expect([code, out]).toEqual([1, ''])
  return err
}

it('says that PostgreSQL takes no more connections, at the first one and at the second one', async () => {
  const sentence = /^DATABASE_URL: PostgreSQL takes no more connections: .+ \(too many connections .+\)\.\n$/
  expect(await problemAt(as(role))).toMatch(sentence)
  await query(connection, `alter role ${role} connection limit 1`)
  expect(await problemAt(as(role))).toMatch(/^PostgreSQL takes no more connections: .+\n$/)
  await query(connection, `alter role ${role} connection limit 2`)
  expect(await command(['billing', 'issuer'], { DATABASE_URL: as(role) })).toMatchObject({ code: 0, err: '' })
})

it('says that the user or the database is wrong', async () => {
  expect(await problemAt(as('nobody_here'))).toMatch(
    /^DATABASE_URL: PostgreSQL refuses the user or the password \(.+\)\.\n$/,
  )
  expect(await problemAt(urlOf(withDatabase(connection, 'no_such_database')))).toMatch(
    /^DATABASE_URL: PostgreSQL has no such database \(.+\)\.\n$/,
  )
})

it('says that PostgreSQL has ended the connection', async () => {
  const admin = new pg.Client(connection)
  await admin.connect()
  await admin.query('begin')
  await admin.query('lock table invoice_issuers')
  const { ended, err } = run(['billing', 'issuer'], { env: { DATABASE_URL: urlOf(connection) } })
  const end = async () => {
    await admin.query('select pg_stat_clear_snapshot()') // a transaction sees one state of all sessions otherwise
    return admin.query(`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name like 'signoff billing%' and wait_event_type = 'Lock'`)
  }
  await expect.poll(async () => (await end()).rowCount, { timeout: 20_000 }).toBe(1)
  expect(await ended).toBe(1)
  expect(err()).toMatch(/^PostgreSQL is stopping or starting: try again shortly \(.+\)\.\n$/)
  await admin.end()
})
