import type { FastifyInstance } from 'fastify'
import { buildApp } from '#app.ts'
import { type Config, readConfig } from '#config.ts'
import { createSetupLink } from '#features/access/access/index.ts'
import type { Metrics } from '#kernel/api/metrics.ts'
import { createLog, flushLog, type Log } from '#kernel/base/log.ts'
import type { Pool } from '#kernel/db/db.ts'
import { buildParts, type Parts } from '#parts.ts'
import type { RelayProcess } from '#relay/index.ts'
import { CommandError, print } from '../context.ts'
import { createConfiguredWorkspace, keyLines, setupLines } from './first-workspace.ts'
import { openUnlessStopped, stopTimeouts, watchForStop } from './stopping.ts'
import { workJobs } from './work.ts'

export async function serve(): Promise<void> {
  const config = readConfig()
  const log = createLog(config.logLevel)
  const { stopped, interrupted, onLost } = watchForStop()
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
    const relay = config.relayPort === null ? null : await runRelay(parts, db, log, app.metrics)
    // Runs after every step that can fail, because the key is shown only once.
    const first = await createConfiguredWorkspace(db, config)
    app.open()
    const address = config.port === 0 ? config.publicUrl.replace(/:0$/, `:${port}`) : config.publicUrl
    // The first start shows the link in any case: a mail server that is configured need not work.
    const waysIn = { ...parts.secondFactors, sendsMail: parts.access.sendsMail && first === undefined }
    const setupLink = await createSetupLink(db, address, waysIn)
    print(banner(config, address, { key: first?.key, setupLink }))
    log.info({ port }, 'ready')
    const built = app.startDashboard()
    const count = app.metrics.counter(
      'signoff_webhook_attempts_total',
      'Requests to webhooks, by outcome.',
      'outcome',
    )
    const worker = config.jobConcurrency > 0 ? workJobs(parts, db, log, count) : null

    const { why, isLost } = await stopped
    log.info({ reason: why }, 'stopping')
    app.retire()
    await Promise.all([
      closeServer(app.http),
      worker?.stop(stopTimeouts.jobs),
      relay?.stop(stopTimeouts.messages),
      built,
    ])
    if (isLost) throw new CommandError(`Stopped: ${why}. Its log is ${config.dataDir}/postgres.log.`)
  } finally {
    await close(stopTimeouts.statements)
    await flushLog(log)
  }
}

/** Its code is loaded only where the relay runs. */
async function runRelay(parts: Parts, db: Pool, log: Log, metrics: Metrics): Promise<RelayProcess> {
  const { startRelay } = await import('#relay/index.ts')
  return startRelay({ ...parts, db, log, metrics })
}

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

/** Answers the requests in progress, and closes the connections that are still open after the timeout. */
async function closeServer(http: FastifyInstance): Promise<void> {
  const timer = setTimeout(() => http.server.closeAllConnections(), stopTimeouts.requests)
  await http.close()
  clearTimeout(timer)
}

interface FirstStart {
  readonly key: string | undefined
  readonly setupLink: string | undefined
}

function banner(config: Config, address: string, { key, setupLink }: FirstStart): string {
  const lines = ['', `  Signoff is running at ${address}`, `  API reference: ${address}/docs`]
  if (setupLink) lines.push('', ...setupLines(setupLink).map(line => `  ${line}`))
  if (key) {
    lines.push('', ...keyLines(config, key).map(line => `  ${line}`))
    lines.push(
      '',
      `  Try it:  curl -H "Authorization: Bearer ${config.apiKey ? '$SIGNOFF_API_KEY' : key}" ${address}/v1/workspace`,
    )
  }
  return [...lines, ''].join('\n')
}
