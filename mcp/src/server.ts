// One server of the protocol: the library speaks it, in the revisions of 2025 and of 2026-07-28, and a backend answers.
import { ProtocolError, Server } from '@modelcontextprotocol/server'
import { type Backend, type BackendMethod, backendMethods } from './backend.ts'
import { BackendError, internalFailure } from './backend-error.ts'

const instructions = `Signoff manages the email signatures of a company: their design, who gets which, campaigns (banners) and numbers.
Start with get_workspace and list_signatures. To make a signature: list_templates, create_signature, preview_signature (look at the picture), set_recipients, check_signature, publish_signature.
Ask the user before calls that other people notice: publish_signature, set_campaign_state, send_test_email, delete.
Lists have pages of 25 rows. An error names the paths of the wrong values: correct them and call again.`

/** Clients can keep lists for this long; they depend on the key. */
const cached = { ttlMs: 60_000, cacheScope: 'private' } as const

export interface ServerOptions {
  readonly backend: Backend
  /** Faults of ours; the client is told only that there was one. */
  readonly onError: (error: unknown) => void
}

// The class is marked as deprecated in favour of one that registers tools anew for each request: 5 ms for 35 tools.
export function createProtocolServer({ backend, onError }: ServerOptions): Server {
  const server = new Server(
    { name: 'signoff', title: 'Signoff', version: '0.1.0' },
    {
      capabilities: { tools: {}, resources: {}, prompts: {} },
      instructions,
      cacheHints: { 'tools/list': cached, 'prompts/list': cached, 'resources/list': cached },
    },
  )
  for (const method of backendMethods) answerBy(server, method, backend, onError)
  return server
}

function answerBy(
  server: Server,
  method: BackendMethod,
  backend: Backend,
  onError: ServerOptions['onError'],
): void {
  server.setRequestHandler(method, async (request, { mcpReq: { signal } }) => {
    const { _meta, ...params } = (request.params ?? {}) as Record<string, unknown>
    try {
      // The backend answers each method with its own result; the library checks the results of tools.
      return (await backend(method, params, signal)) as never
    } catch (error) {
      if (!(error instanceof BackendError)) onError(error)
      const { code, message } =
        error instanceof BackendError ? error : internalFailure('Something went wrong on our side.')
      throw new ProtocolError(code, message)
    }
  })
}
