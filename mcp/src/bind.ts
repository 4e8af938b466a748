// Tools with their routes: everything that a definition names is looked up here, once, so that a service whose routes
// and tools do not fit together does not start.
import type { JsonRecord, ToolCaller, ToolRoute, ToolTable } from './api.ts'
import { bounded } from './bounds.ts'
import { failureIn, invalidArguments, jsonIn, ToolFailure } from './failure.ts'
import { checkArguments, requestOf } from './requests.ts'
import type { ArgumentsSchema } from './schemas.ts'
import type { RouteCalls, ToolDefinition, ToolEffect } from './tool.ts'

export interface ToolListing {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: ArgumentsSchema
  readonly annotations: Readonly<Record<string, boolean>>
}

export type ToolContent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly data: string; readonly mimeType: string }

export interface ToolResult {
  readonly content: readonly ToolContent[]
  readonly structuredContent: JsonRecord
  readonly isError?: true
}

export interface BoundTool {
  readonly listing: ToolListing
  isFor(caller: ToolCaller): boolean
  call(args: JsonRecord, caller: ToolCaller): Promise<ToolResult>
}

const hints: Readonly<Record<ToolEffect, Readonly<Record<string, boolean>>>> = {
  reads: { readOnlyHint: true },
  creates: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
  repeats: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
  overwrites: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  deletes: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
}

/** Throws when a tool names a route that does not exist. */
export function bindTools(definitions: readonly ToolDefinition[], table: ToolTable): readonly BoundTool[] {
  const byName = new Map(table.routes.map(route => [route.name, route]))
  return definitions.map(definition => bindTool(definition, byName, table.documents))
}

function bindTool(
  definition: ToolDefinition,
  byName: ReadonlyMap<string | null, ToolRoute>,
  documents: ToolTable['documents'],
): BoundTool {
  const { name, title, description, effect, isOpenWorld = false, routes: names, needs = names } = definition
  const routes = new Map(
    names.map(routeName => [routeName, routeFor(name, byName.get(routeName), routeName)]),
  )
  const inputSchema = definition.input(routeName => routeFor(name, routes.get(routeName), routeName))
  return {
    listing: {
      name,
      title,
      description,
      inputSchema,
      annotations: { ...hints[effect], openWorldHint: isOpenWorld },
    },
    isFor: caller =>
      needs === 'any'
        ? names.some(routeName => caller.allows(routeName))
        : needs.every(routeName => caller.allows(routeName)),
    async call(args, caller) {
      try {
        checkArguments(inputSchema, args)
        const calls = callsOf(
          caller,
          routeName => routeFor(name, routes.get(routeName), routeName),
          documents,
        )
        return successOf(await definition.run(args, calls))
      } catch (error) {
        if (error instanceof ToolFailure) return failureResult(error)
        throw error
      }
    },
  }
}

function routeFor(tool: string, route: ToolRoute | undefined, routeName: string): ToolRoute {
  if (!route) throw new Error(`the tool ${tool} needs the route ${routeName}, which does not exist`)
  return route
}

function callsOf(
  caller: ToolCaller,
  routeNamed: (name: string) => ToolRoute,
  documents: ToolTable['documents'],
): RouteCalls {
  const bytes = async (routeName: string, args: JsonRecord = {}): Promise<Uint8Array> => {
    const answer = await caller.send(requestOf(routeNamed(routeName), args))
    if (answer.status >= 400) throw failureIn(answer)
    return answer.bytes
  }
  return { bytes, json: async (routeName, args) => jsonIn(await bytes(routeName, args)), documents }
}

/** The JSON is there twice: clients of the first revisions give their models the text alone. */
function successOf({ summary, answer, picture }: Awaited<ReturnType<ToolDefinition['run']>>): ToolResult {
  const structuredContent = bounded(answer)
  const text = `${summary.slice(0, 4_000).toWellFormed()}\n\n${JSON.stringify(structuredContent)}`
  return {
    content: [{ type: 'text', text }, ...(picture ? [pictureContent(picture)] : [])],
    structuredContent,
  }
}

const pictureContent = (png: Uint8Array): ToolContent => ({
  type: 'image',
  data: Buffer.from(png.buffer, png.byteOffset, png.byteLength).toString('base64'),
  mimeType: 'image/png',
})

const failureResult = ({ message, answer }: ToolFailure): ToolResult => ({
  content: [{ type: 'text', text: message.slice(0, 10_000).toWellFormed() }],
  structuredContent: bounded(answer),
  isError: true,
})

export const unknownTool = (names: readonly string[]): ToolResult =>
  failureResult(
    invalidArguments([
      {
        field: 'name',
        code: 'not_allowed',
        message: 'name is no tool that this API key can use',
        allowed: names,
      },
    ]),
  )
