// How the processes that run until they are stopped begin and end: `serve`, `work` and `relay`.
import { type Database, type OpenOptions, openDatabase } from '#platform/database.ts'
import { CommandError } from '../context.ts'

interface StopReason {
  readonly why: string
  readonly isLost: boolean
}

/**
 * `stopped` resolves with the first reason to stop; `interrupted` aborts on a signal. A second signal does not stop the
 * process faster: npm forwards the signal that the terminal has also sent to this process, and stopping takes up to 5 s.
 */
export function watchForStop() {
  const { promise: stopped, resolve } = Promise.withResolvers<StopReason>()
  const interruption = new AbortController()
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => {
      resolve({ why: signal, isLost: false })
      interruption.abort(new CommandError('Stopped while PostgreSQL was starting.'))
    })
  }
  const onLost = (why: string) => resolve({ why, isLost: true })
  return { stopped, interrupted: interruption.signal, onLost }
}

/** Undefined when a signal arrived while PostgreSQL was starting: nothing runs then, and the process ends normally. */
export async function openUnlessStopped(options: OpenOptions): Promise<Database | undefined> {
  try {
    return await openDatabase(options)
  } catch (error) {
    if (!options.interrupted?.aborted || error !== options.interrupted.reason) throw error
    options.log.info('stopped while PostgreSQL was starting')
    return undefined
  }
}

// Milliseconds. Stopping takes less than 5 s in all, so a service manager does not have to wait longer.
export const stopTimeouts = { requests: 2_500, jobs: 2_500, messages: 2_500, statements: 700 }
