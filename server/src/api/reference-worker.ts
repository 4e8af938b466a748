// Takes the program of the reference page out of its package and compresses it, in a thread of its own: the package takes
// 26 MB of memory, which go with the thread.
import { parentPort } from 'node:worker_threads'
import scalar from '@scalar/fastify-api-reference'
import Fastify from 'fastify'
import { compressFile } from '#kernel/static-files.ts'

const app = Fastify()
await app.register(scalar, { routePrefix: '/docs', configuration: { url: '/v1/openapi.json' } })
const { rawPayload } = await app.inject('/docs/js/scalar.js')
parentPort?.postMessage(await compressFile(rawPayload, 'text/javascript; charset=utf-8'))
