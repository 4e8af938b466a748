// The protocol over standard input and output, for programs that start their servers themselves. Every request is
// passed on to `/mcp` of the service: tools, rights, limits and the audit log are the same.
import { serveStdio as serveLibrary } from '@modelcontextprotocol/server/stdio'
import { isRecord, type JsonRecord } from './api.ts'
import type { Backend } from './backend.ts'
import { BackendError, internalFailure } from './backend-error.ts'
import { createProtocolServer } from './server.ts'

export interface StdioOptions {
  /** The address of the service. */
  readonly url: string
  readonly apiKey: string
  readonly onError: (error: unknown) => void
}

const timeoutMilliseconds = 120_000

/** Resolves when the client closes the standard input. */
export async function runStdio({ url, apiKey, onError }: StdioOptions): Promise<void> {
  const backend = createRemoteBackend(url, apiKey)
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  process.stdin.once('end', resolve).once('close', resolve)
  const { close } = serveLibrary(() => createProtocolServer({ backend, onError }), {
    onerror: onError,
    maxSubscriptions: 0,
  })
  await ended
  await close()
}

function createRemoteBackend(url: string, apiKey: string): Backend {
  return async (method, params, signal) => {
    const response = await fetch(`${url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${apiKey}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMilliseconds)]),
    }).catch(error => {
      throw internalFailure(`Signoff at ${url} does not answer (${reasonOf(error)}). Is SIGNOFF_URL right?`)
    })
    return resultIn(response.status, await response.json().catch(() => undefined))
  }
}

const reasonOf = (error: unknown): string => {
  const { cause, message } = error as Error & { cause?: { code?: string; message?: string } }
  return cause?.code ?? cause?.message ?? message
}

/** The result of a JSON-RPC answer, or the error in it; errors of the service itself have its own envelope. */
function resultIn(status: number, body: unknown): JsonRecord {
  if (isRecord(body) && isRecord(body.result)) return body.result
  const { code, message } = isRecord(body) && isRecord(body.error) ? body.error : {}
  if (typeof code === 'number') throw new BackendError(code, String(message))
  if (status === 404)
    throw internalFailure(
      'There is no /mcp below SIGNOFF_URL: give the address of the service, without /mcp.',
    )
  throw internalFailure(`${message ?? 'Signoff does not serve the Model Context Protocol here.'} (${status})`)
}
