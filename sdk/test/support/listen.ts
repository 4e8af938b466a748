// The real service behind a port, and what a client sends to it.
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestApp } from '../../../server/test/support/app.ts'
import { listenLocally } from '../../../server/test/support/listen.ts'

export async function listen(app: TestApp): Promise<string> {
  await app.http.listen({ host: '127.0.0.1', port: 0 })
  return `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`
}

/** A server that is not the service, such as a proxy in front of it. */
export const startServer = (listener: RequestListener): Promise<string> =>
  listenLocally(createServer(listener))

/** Passes a request on to the service and returns its answer. */
export async function forward(url: string, request: Parameters<RequestListener>[0]): Promise<Response> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers
  return fetch(url + request.url, {
    method: request.method ?? 'GET',
    headers: headers as Record<string, string>,
    ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
  })
}
