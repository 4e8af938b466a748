import type { FastifyInstance } from 'fastify'
import { buildApp } from '#app.ts'
import { type Config, readConfig } from '#config.ts'
import { firstStart } from '#features/workspaces/index.ts'
import type { Pool } from '#kernel/db.ts'
import { startWorker, type Worker } from '#kernel/jobs.ts'
import { createLog, flushLog, type Log } from '#kernel/log.ts'
import { buildParts, type Parts } from '#parts.ts'
import { type Database, type OpenOptions, openDatabase } from '#platform/database.ts'
import { buildJobs } from '#worker.ts'
import { CommandError, print } from './context.ts'

interface Reason {
  readonly why: string
  readonly isLost: boolean
}

/**
 * `stopped` resolves with the first reason to stop, and `interrupted` is for signals. Further signals are no hurry: npm hands
 * on what the terminal has sent us too, and the end is never more than 5 s away.
 */
function reasonToStop() {
  const { promise: stopped, resolve } = Promise.withResolvers<Reason>()
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

/** Undefined when a signal came while PostgreSQL was starting: nothing runs any more then, and that is a clean end. */
async function openUnlessStopped(options: OpenOptions): Promise<Database | undefined> {
  try {
    return await openDatabase(options)
  } catch (error) {
    if (!options.interrupted?.aborted || error !== options.interrupted.reason) throw error
    options.log.info('stopped while PostgreSQL was starting')
    return undefined
  }
}

// Together less than the 5 s that a service manager should need to wait.
const patience = { requests: 2_500, jobs: 2_500, statements: 700 }

export async function serve(): Promise<void> {
  const config = readConfig()
  const log = createLog(config.logLevel)
  const { stopped, interrupted, onLost } = reasonToStop()
  const user = `signoff serve (process ${process.pid}, port ${config.port})`
  const onStep = (step: string) => print(`  ${step}`)
  const database = await openUnlessStopped({
    config,
    log,
    user,
    exclusive: true,
    interrupted,
    onLost,
    onStep,
  })
  if (!database) return
  const { db, close } = database
  try {
    const parts = buildParts(config)
    const app = buildApp({ parts, db, log })
    const port = await listen(app.http, config)
    // After all that can fail, so that the key, which is shown once, is shown.
    const first = await firstStart(db, {
      name: config.workspaceName,
      ownerName: 'Owner',
      ownerEmail: config.ownerEmail,
      key: config.apiKey ?? undefined,
    })
    app.open()
    print(banner(config, port, first?.key))
    log.info({ port }, 'ready')
    const worker = config.jobConcurrency > 0 ? workJobs(parts, db, log) : null

    const { why, isLost } = await stopped
    log.info({ reason: why }, 'stopping')
    app.retire()
    await Promise.all([finish(app.http), worker?.stop(patience.jobs)])
    if (isLost) throw new CommandError(`Stopped: ${why}. Its log is ${config.dataDir}/postgres.log.`)
  } finally {
    await close(patience.statements)
    await flushLog(log)
  }
}

const workJobs = (parts: Parts, db: Pool, log: Log): Worker =>
  startWorker({
    pool: db.pg,
    jobs: buildJobs(parts, db),
    concurrency: Math.max(1, parts.config.jobConcurrency),
    log,
  })

async function listen(http: FastifyInstance, { host, port }: Config): Promise<number> {
  try {
    await http.listen({ host, port })
  } catch (error) {
    const { code, message } = error as Error & { code?: string }
    if (code === 'EADDRINUSE')
      throw new CommandError(`PORT ${port} is in use on ${host}; choose another one.`)
    if (code === 'EACCES' || code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new CommandError(`HOST and PORT: ${message}.`)
    throw error
  }
  const [address] = http.addresses()
  return typeof address === 'object' ? address.port : port
}

/** Requests on their way are answered; whoever is not done in time is cut off. */
async function finish(http: FastifyInstance): Promise<void> {
  const timer = setTimeout(() => http.server.closeAllConnections(), patience.requests)
  await http.close()
  clearTimeout(timer)
}

function banner(config: Config, port: number, key: string | undefined): string {
  const address = config.port === 0 ? config.publicUrl.replace(/:0$/, `:${port}`) : config.publicUrl
  const lines = ['', `  Signoff is running at ${address}`, `  API reference: ${address}/docs`]
  if (key) {
    const shown = config.apiKey ? 'the one in SIGNOFF_API_KEY' : key
    lines.push('', `  Your API key:  ${shown}`)
    if (!config.apiKey)
      lines.push('  It is shown this once. Keep it safe; `npx signoff keys create` makes another.')
    lines.push(
      '',
      `  Try it:  curl -H "Authorization: Bearer ${config.apiKey ? '$SIGNOFF_API_KEY' : key}" ${address}/v1/workspace`,
    )
  }
  return [...lines, ''].join('\n')
}

export async function work(): Promise<void> {
  const config = readConfig()
  const log = createLog(config.logLevel)
  const { stopped, interrupted, onLost } = reasonToStop()
  const user = `signoff work (process ${process.pid})`
  const database = await openUnlessStopped({ config, log, user, interrupted, onLost })
  if (!database) return
  const { db, close } = database
  try {
    const worker = workJobs(buildParts(config), db, log)
    log.info('working')
    const { why, isLost } = await stopped
    log.info({ reason: why }, 'stopping')
    await worker.stop(patience.jobs)
    if (isLost) throw new CommandError(`Stopped: ${why}.`)
  } finally {
    await close(patience.statements)
    await flushLog(log)
  }
}
