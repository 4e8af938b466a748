// The protocol over HTTP, stateless: one message in, one JSON answer out. Clients of 2025 and of 2026-07-28 get the same
// server, and no answer is a stream, so nothing outlives its request.
import {
  createMcpHandler,
  isLegacyRequest,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import type { Backend } from './backend.ts'
import { createProtocolServer, type ServerOptions } from './server.ts'

export interface HttpMessage {
  /** The JSON-RPC message. Batches are not served: each message is counted by the rate limit. */
  readonly message: object
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
}

export interface HttpReply {
  readonly status: number
  /** JSON, or empty. */
  readonly body: string
}

export type HttpServing = (message: HttpMessage, backend: Backend) => Promise<HttpReply>

const passedHeaders = ['mcp-protocol-version', 'mcp-method', 'mcp-name'] as const

/** Every client of the protocol must accept JSON, whatever it says. */
const accept = 'application/json, text/event-stream'

function requestWith(headers: HttpMessage['headers']): Request {
  const sent = new Headers({ 'content-type': 'application/json', accept })
  for (const name of passedHeaders) {
    const value = headers[name]
    if (typeof value === 'string') sent.set(name, value)
  }
  return new Request('http://signoff.invalid/mcp', { method: 'POST', headers: sent })
}

export function createHttpServing(onError: ServerOptions['onError']): HttpServing {
  const modern = createMcpHandler(
    ({ authInfo }) => createProtocolServer({ backend: authInfo?.extra?.backend as Backend, onError }),
    { legacy: 'reject', maxSubscriptions: 0 },
  )
  return async ({ message, headers }, backend) => {
    const request = requestWith(headers)
    const options = { parsedBody: message }
    const response = (await isLegacyRequest(request, message))
      ? await answerLegacy(createProtocolServer({ backend, onError }), request, options)
      : await modern.fetch(request, {
          ...options,
          // The library hands it to the factory above. Authentication is done.
          authInfo: { token: '', clientId: '', scopes: [], extra: { backend } },
        })
    return { status: response.status, body: await response.text() }
  }
}

async function answerLegacy(
  server: Server,
  request: Request,
  options: { readonly parsedBody: object },
): Promise<Response> {
  // Without a generator of session ids the transport is stateless.
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  try {
    return await transport.handleRequest(request, options)
  } finally {
    await server.close()
  }
}
