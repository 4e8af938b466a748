// The requests of the protocol that Signoff answers, without the protocol itself.
import type { JsonRecord, ToolCaller, ToolTable } from './api.ts'
import { type BoundTool, bindTools, type ToolListing, type ToolResult, unknownTool } from './bind.ts'
import { getPrompt, listPrompts } from './prompts.ts'
import { recordOf } from './requests.ts'
import { createResources, type Resources } from './resources.ts'
import { toolDefinitions } from './tools/index.ts'

/** The methods that a server passes on; the library answers all others. */
export const backendMethods = [
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
  'prompts/get',
] as const
export type BackendMethod = (typeof backendMethods)[number]

export type Backend = (method: BackendMethod, params: JsonRecord, signal: AbortSignal) => Promise<JsonRecord>

/** Tools and resources are bound once; a caller costs nothing. Throws when a tool names a route that does not exist. */
export function createBackends(parts: ToolTable): (caller: ToolCaller) => Backend {
  const tools = bindTools(toolDefinitions, parts)
  const byName = new Map(tools.map(tool => [tool.listing.name, tool]))
  const resources = createResources(parts)
  return caller => async (method, params) => {
    switch (method) {
      case 'tools/list':
        return { tools: listingsFor(tools, caller) }
      case 'tools/call':
        return (await callTool(byName, params, caller)) as unknown as JsonRecord
      case 'prompts/list':
        return { prompts: listPrompts() }
      case 'prompts/get':
        return getPrompt(params)
      default:
        return readResources(resources, method, params, caller)
    }
  }
}

const listingsFor = (tools: readonly BoundTool[], caller: ToolCaller): readonly ToolListing[] =>
  tools.filter(tool => tool.isFor(caller)).map(({ listing }) => listing)

async function callTool(
  tools: ReadonlyMap<string, BoundTool>,
  params: JsonRecord,
  caller: ToolCaller,
): Promise<ToolResult> {
  const tool = tools.get(String(params.name))
  if (tool?.isFor(caller)) return tool.call(recordOf(params.arguments), caller)
  return unknownTool(listingsFor([...tools.values()], caller).map(({ name }) => name))
}

async function readResources(
  resources: Resources,
  method: 'resources/list' | 'resources/templates/list' | 'resources/read',
  params: JsonRecord,
  caller: ToolCaller,
): Promise<JsonRecord> {
  if (method === 'resources/list') return { resources: await resources.list(caller) }
  if (method === 'resources/templates/list') return { resourceTemplates: resources.templates(caller) }
  return { contents: [await resources.read(String(params.uri), caller)] }
}
