// The relay against plain relaying through the same SMTP server and client, and its memory with the largest messages.
import { join } from 'node:path'
import { type Bench, createFixture, type Figure, type Fixture, median } from './support/bench.ts'
import { mailMix, sendMail, withAttachment } from './support/mail-load.ts'
import { cpuTimeOf, memoryOf } from './support/memory.ts'
import { type Listening, prepareRelay, startListening } from './support/relay-fixture.ts'

const here = import.meta.dirname
const bin = join(here, '../bin/signoff.js')

/** As `npm run relay` starts it. */
const startRelayProcess = ({ dataDir }: Fixture, nodeOptions = ''): Promise<Listening> =>
  startListening([bin, 'relay'], {
    SIGNOFF_DATA_DIR: dataDir,
    SIGNOFF_RELAY_PORT: '0',
    NODE_OPTIONS: nodeOptions,
  })

/** CPU milliseconds per message. */
async function costOf(relay: Listening, messages: readonly Buffer[]): Promise<number> {
  const pids = [relay.child.pid ?? 0]
  const before = cpuTimeOf(pids)
  await sendMail(relay.port, messages, 4)
  return (cpuTimeOf(pids) - before) / messages.length
}

async function measureCosts(b: Fixture, sink: Listening): Promise<readonly Figure[]> {
  const relay = await startRelayProcess(b)
  const plain = await startListening([join(here, 'support/plain-relay.ts'), String(sink.port)])
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

/** The process as it is started, or with a young generation so small that no garbage waits in it: what the relay holds. */
const memoryLimits = [
  { how: 'with the defaults of Node', nodeOptions: '', most: 300 },
  { how: 'of the relay alone', nodeOptions: '--max-semi-space-size=1', most: 200 },
] as const

async function measureMemory(
  b: Fixture,
  { how, nodeOptions, most }: (typeof memoryLimits)[number],
): Promise<Figure> {
  const relay = await startRelayProcess(b, nodeOptions)
  try {
    const idle = memoryOf(relay.child.pid, 'VmRSS')
    const large = Buffer.from(withAttachment(25_000_000))
    for (let round = 0; round < 3; round++) await sendMail(relay.port, Array(8).fill(large), 8)
    return {
      what: `the most memory with 8 messages of 25 MB at once, three times, ${how}, in MB`,
      value: memoryOf(relay.child.pid, 'VmHWM'),
      limit: { most },
      note: `${Math.round(idle)} MB before`,
    }
  } finally {
    await relay.stop()
  }
}

async function run(): Promise<readonly Figure[]> {
  const b = await createFixture()
  const sink = await startListening([join(here, 'support/mail-sink.ts')])
  try {
    await prepareRelay(b, sink.port)
    const figures = [...(await measureCosts(b, sink))]
    for (const limit of memoryLimits) figures.push(await measureMemory(b, limit))
    return figures
  } finally {
    await sink.stop()
    await b.end()
  }
}

export const benches: readonly Bench[] = [{ name: 'relay', run }]
