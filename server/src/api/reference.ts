// The API reference: for programs at /v1/openapi.json, for people at /docs (Scalar, served by this service, works
// without internet access).
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { Type } from 'typebox'
import { type Answer, publicRoute, type Route } from '#kernel/api/routes.ts'
import { apiError } from '#kernel/base/errors.ts'
import { compressFile, type StaticFile, staticAnswer } from '#kernel/http/static-files.ts'
import { memoize } from './memoize.ts'

const html = Type.String()
/** The browser lets the page connect to this service only. Scalar creates style elements; scripts come from files. */
const policy =
  "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

const scriptName = /^(scalar|(scalar|start)-[0-9a-f]{16})\.js$/

interface Page {
  readonly html: string
  /** By name under /docs/js. */
  readonly files: ReadonlyMap<string, StaticFile>
}

export function referenceRoutes(document: () => Promise<object>): readonly Route[] {
  const getDocument = memoize(async () =>
    compressFile(Buffer.from(JSON.stringify(await document())), 'application/json; charset=utf-8'),
  )
  const getPage = memoize(loadPage)
  return [
    publicRoute(
      '/v1/openapi.json',
      'This API as OpenAPI 3.1',
      { 200: Type.Unknown(), 304: null },
      async ({ client }) => staticAnswer(await getDocument(), client, { 'cache-control': 'no-store' }),
    ),
    publicRoute(
      '/docs',
      'The reference of this API',
      { 200: html },
      async (): Promise<Answer> => ({
        status: 200,
        body: (await getPage()).html,
        headers: {
          'content-type': 'text/html; charset=utf-8',
          'content-security-policy': policy,
          'x-frame-options': 'DENY',
          'referrer-policy': 'no-referrer',
          'cache-control': 'no-cache',
        },
      }),
    ),
    publicRoute(
      '/docs/js/{file}',
      'A program of the reference page',
      { 200: html, 304: null },
      async ({ params: { file = '' }, client }) => {
        // Loading the page takes seconds at the first request.
        if (!scriptName.test(file)) throw apiError('not_found')
        const script = (await getPage()).files.get(file)
        if (!script) throw apiError('not_found')
        return staticAnswer(script, client, {}, file.includes(script.hash))
      },
    ),
  ]
}

/** Runs at the first request, because this page is rarely requested. */
async function loadPage(): Promise<Page> {
  const startScript = await readFile(join(import.meta.dirname, 'reference-start.js'))
  const scalar = await workerResult<StaticFile>(new URL('reference-worker.ts', import.meta.url))
  const files = [
    { name: 'scalar', file: scalar },
    { name: 'start', file: await compressFile(startScript, 'text/javascript; charset=utf-8') },
  ].map(({ name, file }) => [`${name}-${file.hash}.js`, file] as const)
  const scripts = files.map(([name]) => `<script src="/docs/js/${name}"></script>`).join('')
  return {
    html: `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Signoff API</title><meta name="viewport" content="width=device-width, initial-scale=1"></head><body><div id="app" data-document="/v1/openapi.json"></div>${scripts}</body></html>`,
    // Also under the plain name that earlier versions used.
    files: new Map([...files, ['scalar.js', scalar]]),
  }
}

/** Runs a worker thread and returns its only message. Throws when the worker fails, or ends without a message. */
export async function workerResult<T>(program: URL): Promise<T> {
  const worker = new Worker(program)
  const ended = once(worker, 'exit').then(([code]) => {
    throw new Error(`the worker ended with code ${code} before it gave a result`)
  })
  try {
    const [result] = (await Promise.race([once(worker, 'message'), ended])) as [T]
    return result
  } finally {
    await worker.terminate()
  }
}
