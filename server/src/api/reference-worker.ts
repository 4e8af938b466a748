// Reads the script of the reference page from its package and compresses it. Runs in a worker thread: the package takes
// 26 MB of memory, which are freed when the thread ends.
import { parentPort } from 'node:worker_threads'
import scalar from '@scalar/fastify-api-reference'
import Fastify from 'fastify'
import { compressFile } from '#kernel/http/static-files.ts'

const app = Fastify()
await app.register(scalar, { routePrefix: '/docs', configuration: { url: '/v1/openapi.json' } })
const { rawPayload } = await app.inject('/docs/js/scalar.js')
parentPort?.postMessage(await compressFile(rawPayload, 'text/javascript; charset=utf-8'))
