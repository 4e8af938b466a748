// Clients of the Model Context Protocol, of both generations, against the real app over HTTP.
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from '@modelcontextprotocol/client'
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterFile } from '../after-file.ts'
import type { TestApp } from '../app.ts'

export interface ToolAnswer {
  readonly isError: boolean
  /** All texts. */
  readonly text: string
  readonly pictures: readonly Buffer[]
  // biome-ignore lint/suspicious/noExplicitAny: tests read the answers of all tools
  readonly data: any
}

export interface Agent {
  readonly client: Pick<
    LegacyClient,
    'listTools' | 'listResources' | 'readResource' | 'listPrompts' | 'getPrompt'
  >
  call(name: string, args?: object): Promise<ToolAnswer>
  toolNames(): Promise<string[]>
}

export const generations = ['2025', '2026'] as const
export type Generation = (typeof generations)[number]

/** The address under which the app listens. */
export const listen = (app: TestApp): Promise<string> => app.http.listen({ host: '127.0.0.1', port: 0 })

const info = { name: 'test', version: '1' }

export async function connect(url: string, key: string, generation: Generation): Promise<Agent> {
  const options = { requestInit: { headers: { authorization: `Bearer ${key}` } } }
  const target = new URL('/mcp', url)
  const modern = new ModernClient(info, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
  const legacy = new LegacyClient(info)
  if (generation === '2026') await modern.connect(new ModernTransport(target, options))
  else await legacy.connect(new LegacyTransport(target, options) as never)
  const client = (generation === '2026' ? modern : legacy) as unknown as LegacyClient
  afterFile(() => client.close())
  return agentOf(client)
}

export const agentOf = (client: LegacyClient): Agent => ({
  client,
  async call(name, args = {}) {
    const { content, structuredContent, isError } = await client.callTool({
      name,
      arguments: args as Record<string, unknown>,
    })
    const blocks = content as { type: string; text?: string; data?: string }[]
    return {
      isError: isError === true,
      text: blocks.flatMap(block => block.text ?? []).join('\n'),
      pictures: blocks.flatMap(({ type, data = '' }) =>
        type === 'image' ? [Buffer.from(data, 'base64')] : [],
      ),
      data: structuredContent,
    }
  },
  toolNames: async () => (await client.listTools()).tools.map(({ name }) => name),
})
