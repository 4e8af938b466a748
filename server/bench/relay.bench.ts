// The relay against plain relaying through the same SMTP server and client, and its memory with the largest messages.
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from '#config.ts'
import { createIntegration } from '#features/integrations/index.ts'
import { operator } from '#kernel/scopes.ts'
import { buildParts } from '#parts.ts'
import { stack, text } from '#test/support/signatures.ts'
import {
  type Bench,
  createFixture,
  type Figure,
  type Fixture,
  median,
  startSignoff,
} from './support/bench.ts'
import { mailMix, sendMail, withAttachment } from './support/mail-load.ts'
import { memoryOf } from './support/memory.ts'

interface Listening {
  readonly child: ChildProcess
  readonly port: number
  stop(): Promise<void>
}

const here = import.meta.dirname
const bin = join(here, '../bin/signoff.js')

async function start(args: readonly string[], env: Record<string, string> = {}): Promise<Listening> {
  const { PATH = '' } = process.env
  const child = spawn(process.execPath, args, { env: { PATH, ...env }, stdio: ['ignore', 'pipe', 'inherit'] })
  let out = ''
  child.stdout.on('data', chunk => {
    out += chunk
  })
  while (!/on port \d+/.test(out)) {
    if (child.exitCode !== null) throw new Error(`did not start: ${out}`)
    await sleep(5)
  }
  const ended = new Promise(resolve => child.once('exit', resolve))
  return {
    child,
    port: Number(/on port (\d+)/.exec(out)?.[1]),
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** As `npm run relay` starts it. */
const startRelayProcess = ({ dataDir }: Fixture): Promise<Listening> =>
  start([bin, 'relay'], {
    SIGNOFF_DATA_DIR: dataDir,
    SIGNOFF_RELAY_PORT: '0',
    MALLOC_ARENA_MAX: '1',
    MALLOC_MMAP_THRESHOLD_: '262144',
  })

/** Seconds of CPU time that a process has used. */
function cpuOf({ child }: Listening): number {
  const [, ticks = ''] = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')
  const fields = ticks.split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}

/** A workspace with one person, who has a signature, and a relay to this port. */
async function prepare(b: Fixture, hopPort: number): Promise<void> {
  const server = await startSignoff(b.dataDir, { SIGNOFF_DASHBOARD: 'off' })
  const send = async (method: string, path: string, body?: object) => {
    const answer = await fetch(`${server.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${b.key}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(await answer.text())
    return (await answer.json()).data
  }
  await send('PATCH', '/v1/workspace', { domains: ['example.com'] })
  const { emails } = await send('POST', '/v1/teammates', { teammate: { email: 'ada@example.com' } })
  const draft_content = stack(text('Ada Lovelace'), text('Analyst'), text('https://example.com'))
  const { id } = await send('POST', '/v1/signatures', { signature: { name: 'Main', draft_content } })
  await send('POST', `/v1/signatures/${id}/emails`, { email_ids: [emails[0].id] })
  await send('POST', `/v1/signatures/${id}/publish`)
  await server.stop()
  const parts = buildParts(readConfig({ SIGNOFF_DATA_DIR: b.dataDir }))
  const settings = { next_hop: `smtp://127.0.0.1:${hopPort}`, clients: ['127.0.0.1'] }
  const input = { kind: 'smtp_relay', name: 'Relay', settings }
  await createIntegration(b.db, operator(b.workspaceId), input, parts.integrations)
}

/** CPU milliseconds per message. */
async function costOf(relay: Listening, messages: readonly Buffer[]): Promise<number> {
  const before = cpuOf(relay)
  await sendMail(relay.port, messages, 4)
  return ((cpuOf(relay) - before) * 1_000) / messages.length
}

async function measureCosts(b: Fixture, sink: Listening): Promise<readonly Figure[]> {
  const relay = await startRelayProcess(b)
  const plain = await start([join(here, 'support/plain-relay.ts'), String(sink.port)])
  try {
    const mix = mailMix()
    const bytes = mix.reduce((sum, { length }) => sum + length, 0) / mix.length
    const rounds: { stamped: number; plain: number }[] = []
    for (const target of [relay, plain]) for (let n = 0; n < 3; n++) await sendMail(target.port, mix, 4)
    for (let round = 0; round < 7; round++)
      rounds.push({
        stamped: await costOf(relay, [...mix, ...mix, ...mix]),
        plain: await costOf(plain, [...mix, ...mix, ...mix]),
      })
    const note = `${median(rounds.map(round => round.stamped)).toFixed(2)} ms against ${median(
      rounds.map(round => round.plain),
    ).toFixed(2)} ms, ${Math.round(bytes / 1000)} kB on average`
    return [
      {
        what: 'CPU time per message, as a multiple of plain relaying',
        value: median(rounds.map(({ stamped, plain }) => stamped / plain)),
        limit: { most: 2 },
        note,
      },
    ]
  } finally {
    await Promise.all([relay.stop(), plain.stop()])
  }
}

async function measureMemory(b: Fixture): Promise<readonly Figure[]> {
  const relay = await startRelayProcess(b)
  try {
    const idle = memoryOf(relay.child.pid, 'VmRSS')
    const large = Buffer.from(withAttachment(25_000_000))
    for (let round = 0; round < 3; round++) await sendMail(relay.port, Array(8).fill(large), 8)
    const most = memoryOf(relay.child.pid, 'VmHWM')
    return [
      {
        what: 'the most memory with 8 messages of 25 MB at once, three times, in MB',
        value: most,
        limit: { most: 200 },
        note: `${Math.round(idle)} MB before`,
      },
    ]
  } finally {
    await relay.stop()
  }
}

async function run(): Promise<readonly Figure[]> {
  const b = await createFixture()
  const sink = await start([join(here, 'support/mail-sink.ts')])
  try {
    await prepare(b, sink.port)
    return [...(await measureCosts(b, sink)), ...(await measureMemory(b))]
  } finally {
    await sink.stop()
    await b.end()
  }
}

export const benches: readonly Bench[] = [{ name: 'relay', run }]
