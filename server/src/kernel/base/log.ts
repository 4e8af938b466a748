// Logs go to standard error: readable lines on a terminal, JSON otherwise. Keys and bodies are never logged.
import { createRequire } from 'node:module'
import { type Logger, pino } from 'pino'

export type Log = Logger
export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

/**
 * The properties of an error that help to find the cause. Errors of PostgreSQL also hold values of the row, which are
 * left out.
 */
export function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) }
  const { code, constraint } = error as { code?: string; constraint?: string }
  const cause = error.cause === undefined ? undefined : describeError(error.cause)
  return { type: error.name, message: error.message, code, constraint, stack: error.stack, cause }
}

const load = createRequire(import.meta.url)

export function createLog(level: LogLevel): Log {
  const options = { level, base: null, serializers: { err: describeError } }
  // In the main thread: a transport of pino would cost a worker thread and its memory. Loaded for terminals only.
  if (process.stderr.isTTY) {
    const pretty = load('pino-pretty') as typeof import('pino-pretty')
    return pino(options, pretty({ destination: 2, ignore: 'pid,hostname' }))
  }
  // Written in blocks, at least twice a second: a write per request would cost as much as the request.
  return pino(options, pino.destination({ dest: 2, sync: false, minLength: 4096, periodicFlush: 500 }))
}

/** Writes the buffered lines. Twice, because a flush during a write waits for that write only. */
export async function flushLog(log: Log): Promise<void> {
  for (let i = 0; i < 2; i++) await new Promise<void>(done => log.flush(() => done()))
}
