// What the tools know of the API: the route table as data, and how one of its routes is called.

export type JsonRecord = Record<string, unknown>

export const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export interface ToolRoute {
  readonly name: string | null
  readonly method: string
  /** `/v1/signatures/{id}` */
  readonly path: string
  readonly query?: object
  readonly body?: { readonly schema: object; readonly wrapper?: { readonly name: string } }
}

export interface RouteRequest {
  readonly method: string
  /** Path and query. */
  readonly target: string
  /** JSON text. */
  readonly body?: string
}

export interface RouteAnswer {
  readonly status: number
  readonly bytes: Uint8Array
  /** Seconds, of the header Retry-After. */
  readonly retryAfter?: string
}

/** On whose behalf tools are called. */
export interface ToolCaller {
  /** True if the caller can use the route of this name. */
  allows(routeName: string): boolean
  send(request: RouteRequest): Promise<RouteAnswer>
}

/** A page of the documentation, in Markdown. */
export interface DocumentPage {
  /** `publishing` */
  readonly name: string
  /** Agents that have kept it can still read the page. */
  readonly formerName?: string | undefined
  readonly title: string
  readonly text: string
}

/** The parts that tools and resources are made from. */
export interface ToolTable {
  /** The route table. */
  readonly routes: readonly ToolRoute[]
  readonly documents: () => Promise<readonly DocumentPage[]>
}
