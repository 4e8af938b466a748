// Requests that a handler makes to other routes of this process, on behalf of its own caller.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Caller } from '#kernel/api/scopes.ts'

const callers = new AsyncLocalStorage<Caller>()

/**
 * Every request that `send` injects acts as `by`. It is not authenticated and counted a second time, and its body needs
 * no reservation, because the causing request has one. A header cannot express this, so no client can forge it.
 */
export const actAs = <T>(by: Caller, send: () => Promise<T>): Promise<T> =>
  // Fastify begins when the answer is awaited, which must happen in the context.
  callers.run(by, async () => await send())

/** The caller of the request that is being served, if another request of this process causes it. */
export const innerCaller = (): Caller | undefined => callers.getStore()
