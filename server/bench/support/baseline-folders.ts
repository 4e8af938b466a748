// A baseline with Fastify and pg only: the same pool size, the same SQL, the same response, and no code of Signoff.
import Fastify from 'fastify'
import pg from 'pg'
import { uuidv7 } from 'uuidv7'

const { connection, list, workspaceId, wrap } = JSON.parse(process.argv[2] ?? '{}')
const pool = new pg.Pool({ ...connection, max: 10 })
const app = Fastify()

app.get('/folders', async (_request, reply) => {
  const { rows } = await pool.query({ name: 'list', text: list.text, values: list.values })
  const [{ total, data }] = rows
  reply.header('content-type', 'application/json; charset=utf-8')
  return `{"data":${data},"pagination":${JSON.stringify({ ...wrap, total_count: total })}}`
})

app.post('/folders', async (request, reply) => {
  const { folder } = request.body as { folder: { name: string } }
  const now = new Date()
  const { rows } = await pool.query({
    name: 'insert',
    text: 'insert into folders (workspace_id, id, name, created_at, updated_at) values ($1, $2, $3, $4, $4) returning id, name, created_at, updated_at',
    values: [workspaceId, uuidv7(), folder.name, now],
  })
  reply.code(201)
  return { data: { ...rows[0], signature_count: 0 } }
})

console.log(await app.listen({ host: '127.0.0.1', port: 0 }))
process.once('SIGTERM', () => process.exit(0))
