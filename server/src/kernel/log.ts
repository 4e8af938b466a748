// Logs go to standard error: lines for people on a terminal, JSON otherwise. Never a key, never a body.
import { type Logger, pino } from 'pino'
import pretty from 'pino-pretty'

export type Log = Logger
export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

export function createLog(level: LogLevel): Log {
  const options = { level, base: null, redact: ['*.authorization', '*.key', '*.password'] }
  // In the main thread: pino's transports would cost a worker thread and its memory.
  if (process.stderr.isTTY) return pino(options, pretty({ destination: 2, ignore: 'pid,hostname' }))
  return pino(options, pino.destination({ dest: 2, sync: false }))
}

export const reason = (error: unknown): string => (error instanceof Error ? error.message : String(error))
