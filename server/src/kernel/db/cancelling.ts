// Ends a statement from outside: by PostgreSQL's cancel request, or by cutting its connection.
import { connect, type Socket } from 'node:net'
import pg from 'pg'

/** Closes a connection without a goodbye. PostgreSQL rolls back what still runs on it. */
export const destroyConnection = (client: pg.ClientBase): void =>
  void (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy()

/**
 * PostgreSQL has this time to cancel. Then the connection is cut, and `statement_timeout`, where the connection has one,
 * ends the statement.
 */
const cancelMilliseconds = 2_000
const cancelCode = 80_877_102

/**
 * PostgreSQL takes a cancel request on a separate connection: the length, the code, and the ids of the session. A
 * pooler passes it on.
 */
export function cancelStatement(options: pg.PoolConfig, client: pg.PoolClient): void {
  const { processID, secretKey } = client as unknown as Readonly<Record<'processID' | 'secretKey', number>>
  const message = Buffer.alloc(16)
  for (const [index, word] of [16, cancelCode, processID, secretKey].entries())
    message.writeInt32BE(word, 4 * index)
  const { host, port } = new pg.Client(options)
  const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
  socket.on('error', () => undefined) // the connection is cut below
  socket.end(message)
  const timer = setTimeout(() => destroyConnection(client), cancelMilliseconds)
  client.once('end', () => clearTimeout(timer))
}
