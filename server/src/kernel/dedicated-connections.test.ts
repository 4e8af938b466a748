// A connection of its own to a PostgreSQL that does not answer, or refuses: whoever waits is told, and nothing is left open.
import { createServer, type Server, type Socket } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { freshDatabase } from '#test/support/app.ts'
import { openPool, type Pool, sql } from './db.ts'
import { type DedicatedConnection, openDedicatedConnection } from './session.ts'

const opened: { end(): unknown }[] = []
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.end()
})

function poolAt(connection: Parameters<typeof openPool>[0]['connection']): Pool {
  const pool = openPool({ connection, size: 1, onError: () => undefined })
  opened.push(pool)
  return pool
}

function laneOf(pool: Pool, patience?: number): DedicatedConnection {
  const lane = openDedicatedConnection(pool, patience)
  opened.push(lane)
  return lane
}

const ask = (lane: DedicatedConnection) => lane.run(db => db.query(sql`select 1 as one`))

/** Answers what it is sent with these bytes, once, and says no more. */
async function server(says: Buffer): Promise<number> {
  const sockets = new Set<Socket>()
  const made: Server = createServer(socket => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.once('data', () => socket.write(says))
  })
  await new Promise<void>(done => made.listen(0, '127.0.0.1', done))
  opened.push({
    end() {
      for (const socket of sockets) socket.destroy()
      made.close()
    },
  })
  const { port } = made.address() as { port: number }
  return port
}

/** AuthenticationOk and ReadyForQuery. */
const welcome = Buffer.from('5200000008000000005a0000000549', 'hex')
const unavailable = { code: 'unavailable', headers: { 'Retry-After': '1' } }

it('ends after its time when PostgreSQL says nothing after the welcome', async () => {
  const pool = poolAt({ host: '127.0.0.1', port: await server(welcome), user: 'x' })
  await expect(ask(laneOf(pool, 300))).rejects.toMatchObject(unavailable)
})

it('ends after its time when PostgreSQL says nothing at all', async () => {
  const pool = poolAt({ host: '127.0.0.1', port: await server(Buffer.alloc(0)), user: 'x' })
  Object.assign(pool.pg.options, { connectionTimeoutMillis: 300 })
  await expect(ask(laneOf(pool))).rejects.toMatchObject(unavailable)
})

it('leaves no connection behind that could not be used', async () => {
  const connection = await freshDatabase()
  const db = poolAt(connection)
  await db.pg.query(`
    create schema refusing;
    create function refusing.pg_advisory_lock_shared(bigint) returns void language plpgsql as
    $$ begin raise 'out of shared memory' using errcode = '53200'; end $$`)
  const options = '-c search_path=refusing,pg_catalog,public'
  const lane = laneOf(poolAt({ ...connection, options, application_name: 'refused' }))
  for (let n = 0; n < 3; n++) await expect(ask(lane)).rejects.toMatchObject(unavailable)
  const left = async () =>
    (await db.query(sql`select from pg_stat_activity where application_name = 'refused'`)).length
  await expect.poll(left).toBe(0)
})

it('is another one right after it was lost', async () => {
  const pool = poolAt(await freshDatabase())
  const lane = laneOf(pool, 500)
  await expect(lane.run(db => db.query(sql`select pg_sleep(20)`))).rejects.toMatchObject(unavailable)
  // It may take longer than the lane is given, on a slow machine.
  await expect.poll(() => ask(lane).catch(() => null)).toEqual([{ one: 1 }])
})
