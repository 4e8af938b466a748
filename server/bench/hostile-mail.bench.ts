// How long a hostile message holds the event loop of the relay, and how much CPU time it costs in all.
import { type ChildProcess, fork } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { readConfig } from '#config.ts'
import { createMetrics } from '#kernel/api/metrics.ts'
import { createLog } from '#kernel/base/log.ts'
import { buildParts } from '#parts.ts'
import { startRelay } from '#relay/index.ts'
import { hostileMessages } from '#test/messages/hostile.ts'
import { type Bench, createFixture, type Figure } from './support/bench.ts'
import { prepareRelay, startListening } from './support/relay-fixture.ts'

const here = import.meta.dirname

interface Cost {
  readonly name: string
  readonly held: number
  readonly cpu: number
}

const threadMilliseconds = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

async function send(sender: ChildProcess, index: number): Promise<void> {
  const sent = once(sender, 'message')
  sender.send(index)
  await sent
}

/** CPU milliseconds of the main thread in the longest turn of the event loop. */
async function measureHeld(sender: ChildProcess, index: number): Promise<number> {
  let held = 0
  let last = threadMilliseconds()
  const watch = () => {
    const now = threadMilliseconds()
    held = Math.max(held, now - last)
    last = threadMilliseconds()
    timer = setImmediate(watch)
  }
  let timer = setImmediate(watch)
  await send(sender, index)
  clearImmediate(timer)
  return held
}

/** The same in all, without the watch, which never rests. */
async function measureCpu(sender: ChildProcess, index: number): Promise<number> {
  const began = threadMilliseconds()
  await send(sender, index)
  return threadMilliseconds() - began
}

/** Sends each message through a relay in this process. */
async function measureAll(secret?: Record<string, unknown>): Promise<Cost[]> {
  const b = await createFixture()
  const sink = await startListening([join(here, 'support/mail-sink.ts')])
  await prepareRelay(b, sink.port, secret)
  const config = readConfig({
    SIGNOFF_DATA_DIR: b.dataDir,
    SIGNOFF_RELAY_PORT: '0',
    SIGNOFF_RELAY_MAX_MB: '40',
  })
  const log = createLog('silent')
  const relay = await startRelay({ ...buildParts(config), db: b.db, log, metrics: createMetrics(b.db) })
  const sender = fork(join(here, 'support/hostile-sender.ts'), [String(relay.port)], { execArgv: [] })
  await once(sender, 'message')
  try {
    const costs: Cost[] = []
    for (const [index, { name }] of hostileMessages.entries()) {
      // The lower of two: what else runs on the machine slows this process down too, and so does the compiler at first.
      const held = Math.min(await measureHeld(sender, index), await measureHeld(sender, index))
      const cpu = Math.min(await measureCpu(sender, index), await measureCpu(sender, index))
      costs.push({ name, held, cpu })
    }
    return costs
  } finally {
    sender.kill()
    await relay.stop(0)
    await sink.stop()
    await b.end()
  }
}

function figuresOf(costs: readonly Cost[], how: string): Figure[] {
  const [longest] = costs.toSorted((a, b) => b.held - a.held)
  const [dearest] = costs.toSorted((a, b) => b.cpu - a.cpu)
  const count = `of ${costs.length} messages`
  return [
    {
      what: `the longest that a hostile message holds the event loop${how}, in ms of CPU`,
      value: longest?.held ?? 0,
      limit: { most: 100 },
      note: `${count}: ${longest?.name}`,
    },
    {
      what: `the most that a hostile message costs${how}, in seconds of CPU`,
      value: (dearest?.cpu ?? 0) / 1_000,
      limit: { most: 1.5 },
      note: `${count}: ${dearest?.name}`,
    },
  ]
}

async function run(): Promise<readonly Figure[]> {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  const dkim = { selector: 's1', domain: 'example.com', private_key: privateKey }
  const plain = await measureAll()
  const signed = await measureAll({ dkim })
  if (process.argv.includes('each'))
    for (const [at, { name, held, cpu }] of plain.entries())
      console.log(
        `    ${name}: ${held.toFixed(0)} / ${cpu.toFixed(0)}, with DKIM ${signed[at]?.held.toFixed(0)} / ${signed[at]?.cpu.toFixed(0)}`,
      )
  return [...figuresOf(plain, ''), ...figuresOf(signed, ', with DKIM')]
}

export const benches: readonly Bench[] = [{ name: 'bounds: hostile mail', run }]
