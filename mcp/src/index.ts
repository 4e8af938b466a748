// The Model Context Protocol for Signoff. The library takes 30 MB and 0.2 s to load, so it is loaded at the first
// request, in steps between which the event loop serves others.
import { setImmediate as pause } from 'node:timers/promises'
import type { ToolCaller, ToolTable } from './api.ts'
import { createBackends } from './backend.ts'
import type { HttpMessage, HttpReply, HttpServing } from './http.ts'
import type { StdioOptions } from './stdio.ts'

export type { DocumentPage, RouteAnswer, RouteRequest, ToolCaller, ToolRoute, ToolTable } from './api.ts'
export { bindTools } from './bind.ts'
export { bounded, maxAnswerLength } from './bounds.ts'
export type { HttpMessage, HttpReply } from './http.ts'
export { toolDefinitions } from './tools/index.ts'

export interface McpOptions extends ToolTable {
  readonly onError: (error: unknown) => void
}

/** Throws when a tool or resource names a route that does not exist. */
export function createMcp(
  options: McpOptions,
): (message: HttpMessage, caller: ToolCaller) => Promise<HttpReply> {
  const backendOf = createBackends(options)
  let serving: Promise<HttpServing> | undefined
  const load = async () => {
    await import('zod/v4')
    await pause()
    await import('@modelcontextprotocol/server/validators/ajv')
    await pause()
    const { createHttpServing } = await import('./http.ts')
    return createHttpServing(options.onError)
  }
  return async (message, caller) => {
    serving ??= load()
    return (await serving)(message, backendOf(caller))
  }
}

export const serveStdio = async (options: StdioOptions): Promise<void> =>
  (await import('./stdio.ts')).runStdio(options)
