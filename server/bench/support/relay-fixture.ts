// A workspace with a signed person and a relay, and processes that listen on a port.
import { readConfig } from '#config.ts'
import { createIntegration } from '#features/workspace/integrations/index.ts'
import { operator } from '#kernel/api/scopes.ts'
import { buildParts } from '#parts.ts'
import { stack, text } from '#test/support/signatures.ts'
import {
  apiOf,
  type Fixture,
  publishToAda,
  type StartedProcess,
  startProcess,
  startSignoff,
} from './bench.ts'

export interface Listening extends StartedProcess {
  readonly port: number
}

/** Starts a process that prints its port. */
export async function startListening(
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<Listening> {
  const started = await startProcess(args, env, /on port \d+/)
  return { ...started, port: Number.parseInt(started.line.slice('on port '.length), 10) }
}

/** A workspace with one person, who has a signature, and a relay to this port. */
export async function prepareRelay(
  b: Fixture,
  hopPort: number,
  secret?: Record<string, unknown>,
): Promise<void> {
  const server = await startSignoff(b.dataDir, { SIGNOFF_DASHBOARD: 'off' })
  const api = apiOf(server.url, b.key)
  await api('PATCH', '/v1/workspace', { domains: ['example.com'] })
  await publishToAda(api, stack(text('Ada Łovelace'), text('Analyst'), text('https://example.com')))
  await server.stop()
  const parts = buildParts(readConfig({ SIGNOFF_DATA_DIR: b.dataDir }))
  const settings = { next_hop: `smtp://127.0.0.1:${hopPort}`, clients: ['127.0.0.1'] }
  const input = { kind: 'smtp_relay', name: 'Relay', settings, ...(secret && { secret }) }
  await createIntegration(b.db, operator(b.workspaceId), input, parts.integrations)
}
