// A dedicated connection to a PostgreSQL that does not answer, or refuses: the waiting caller gets an error, and no
// connection stays open.
import { createServer, type Server, type Socket } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { freshDatabase } from '#test/support/app.ts'
import { type DedicatedConnection, openDedicatedConnection } from './database-session.ts'
import { openPool, type Pool, sql } from './db.ts'

const opened: { end(): unknown }[] = []
afterEach(async () => {
  for (const resource of opened.splice(0).reverse()) await resource.end()
})

function poolAt(connection: Parameters<typeof openPool>[0]['connection']): Pool {
  const pool = openPool({ connection, size: 1, onError: () => undefined })
  opened.push(pool)
  return pool
}

function connectionTo(pool: Pool, timeoutMilliseconds?: number): DedicatedConnection {
  const dedicated = openDedicatedConnection(pool, timeoutMilliseconds)
  opened.push(dedicated)
  return dedicated
}

const query = (dedicated: DedicatedConnection) => dedicated.run(db => db.query(sql`select 1 as one`))

/** Answers the first message with these bytes, and nothing after that. */
async function silentServer(answer: Buffer): Promise<number> {
  const sockets = new Set<Socket>()
  const server: Server = createServer(socket => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.once('data', () => socket.write(answer))
  })
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  opened.push({
    end() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  })
  const { port } = server.address() as { port: number }
  return port
}

/** AuthenticationOk and ReadyForQuery. */
const welcome = Buffer.from('5200000008000000005a0000000549', 'hex')
const unavailable = { code: 'unavailable', headers: { 'Retry-After': '1' } }

it('fails after its timeout when PostgreSQL is silent after the login', async () => {
  const pool = poolAt({ host: '127.0.0.1', port: await silentServer(welcome), user: 'x' })
  await expect(query(connectionTo(pool, 300))).rejects.toMatchObject(unavailable)
})

it('fails after its timeout when PostgreSQL never answers', async () => {
  const pool = poolAt({ host: '127.0.0.1', port: await silentServer(Buffer.alloc(0)), user: 'x' })
  Object.assign(pool.pg.options, { connectionTimeoutMillis: 300 })
  await expect(query(connectionTo(pool))).rejects.toMatchObject(unavailable)
})

it('leaves no connection open after a failed start', async () => {
  const connection = await freshDatabase()
  const db = poolAt(connection)
  await db.pg.query(`
    create schema refusing;
    create function refusing.pg_advisory_lock_shared(bigint) returns void language plpgsql as
    $$ begin raise 'out of shared memory' using errcode = '53200'; end $$`)
  const options = '-c search_path=refusing,pg_catalog,public'
  const dedicated = connectionTo(poolAt({ ...connection, options, application_name: 'refused' }))
  for (let n = 0; n < 3; n++) await expect(query(dedicated)).rejects.toMatchObject(unavailable)
  const left = async () =>
    (await db.query(sql`select from pg_stat_activity where application_name = 'refused'`)).length
  await expect.poll(left).toBe(0)
})

it('is opened again right after it was lost', async () => {
  const pool = poolAt(await freshDatabase())
  const dedicated = connectionTo(pool, 500)
  await expect(dedicated.run(db => db.query(sql`select pg_sleep(20)`))).rejects.toMatchObject(unavailable)
  // On a slow machine opening can take longer than the timeout of 500 ms.
  await expect.poll(() => query(dedicated).catch(() => null)).toEqual([{ one: 1 }])
})
