// A thousand messages through a relay process, between senders that try again and next hops in trouble, with the process
// killed in the middle: each arrives, and none is acknowledged that the hop has not acknowledged.
// @module-tag deep
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { command } from './support/command.ts'
import { type HopScript, type StandInHop, standInHop } from './support/mail/next-hop.ts'
import { certificates, mailOf } from './support/mail/relay.ts'
import { SmtpSender } from './support/mail/smtp-sender.ts'
import { emptyFolder, migratedFolder, type Run, run, stop } from './support/processes/process.ts'

const total = 1_000
/** Written where the text of a message begins; also in those that are longer than what a hop takes before it dies. */
const idOf = (data: Buffer): number => Number(/Number (\d+)\./.exec(data.toString('latin1'))?.[1])

async function startRelay(env: Record<string, string>): Promise<Run & { port: number }> {
  const started = run(['relay'], { env })
  const line = /on port (\d+)/
  while (!line.test(started.out())) {
    if (started.child.exitCode !== null) throw new Error(`did not start: ${started.err()}`)
    await sleep(20)
  }
  return { ...started, port: Number(line.exec(started.out())?.[1]) }
}

/** True for one call in `n`. */
function oneIn(n: number): () => boolean {
  let calls = 0
  return () => ++calls % n === 0
}

/** Refuses, defers, dies before and in and after a message, and writes replies byte by byte. */
function trouble(onAccepted: (id: number) => void): HopScript {
  const isRefused = oneIn(23)
  const isBusy = oneIn(31)
  const isDeferred = oneIn(17)
  const isRejected = oneIn(37)
  const isCut = oneIn(41)
  const diesInside = oneIn(43)
  const dribbles = oneIn(50)
  return {
    recipient: () => (isRefused() ? '550 5.1.1 not here' : '250 2.1.5 ok'),
    data: () => (isBusy() ? '451 4.3.0 busy' : '354 go'),
    message({ data }) {
      if (isDeferred()) return '451 4.3.0 later'
      if (isRejected()) return '554 5.6.0 no'
      if (isCut()) return null
      onAccepted(idOf(data))
      return '250 2.0.0 ok'
    },
    get diesAfterBytes() {
      return diesInside() ? 100 : Number.POSITIVE_INFINITY
    },
    get dribbles() {
      return dribbles()
    },
  }
}

it('a thousand messages arrive, each once, through hops in trouble and a relay that is killed', async () => {
  const [dataDir, folder] = [await migratedFolder(), await emptyFolder()]
  const issued = await certificates('localhost', 'mail.example.com')
  const own = issued.of('localhost')
  const accepted: number[] = []
  const script = trouble(id => accepted.push(id))
  const plain = await standInHop({ script })
  const secure = await standInHop({ script, certificate: { ...own, ca: issued.ca } })
  const files = { 'cert.pem': own.cert, 'key.pem': own.key, 'ca.pem': issued.ca }
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  const dataEnv = { SIGNOFF_DATA_DIR: dataDir }
  await command(['workspaces', 'create', 'Own', '--owner-email', 'owner@example.com'], dataEnv)
  const add = async (nextHop: string, domain: string) => {
    const args = ['--next-hop', nextHop, '--client', '127.0.0.1', '--domain', domain]
    const added = await command(['integrations', 'add', 'relay', ...args], dataEnv)
    expect(added.out).toContain('Connected as')
  }
  await add(plain.url, 'plain.test')
  await add(`smtp://localhost:${secure.port}?starttls=required`, 'secure.test')

  const env = {
    ...dataEnv,
    SIGNOFF_RELAY_PORT: '0',
    SIGNOFF_RELAY_TLS_CERT: join(folder, 'cert.pem'),
    SIGNOFF_RELAY_TLS_KEY: join(folder, 'key.pem'),
    SIGNOFF_RELAY_CLIENT_CA: join(folder, 'ca.pem'),
  }
  let relay = startRelay(env)
  let next = 0
  const inFlight = new Set<number>()
  const acknowledged = new Set<number>()
  const early: number[] = []

  const connect = async (worker: number): Promise<SmtpSender | null> => {
    const sender = await SmtpSender.connect((await relay).port)
    if (!sender.greeting.startsWith('220')) return null
    await sender.say('EHLO sender.test')
    // Of eight senders four encrypt, and two of those show a certificate.
    if (worker % 2 === 1) {
      await sender.startTls(worker % 4 === 1 ? issued.of('mail.example.com') : {})
      await sender.say('EHLO sender.test')
    }
    return sender
  }
  const isAcknowledged = async (sender: SmtpSender, id: number, worker: number): Promise<boolean> => {
    const from = `ada@${worker < 4 ? 'plain' : 'secure'}.test`
    const body = `Number ${id}.\r\n${id % 50 === 0 ? 'A line of a long message.\r\n'.repeat(4_000) : ''}`
    const replies = await sender.send(from, ['bob@other.test'], mailOf(from, 'bob@other.test', body))
    return replies.at(-1)?.startsWith('250') === true
  }
  const work = async (worker: number): Promise<void> => {
    let sender: SmtpSender | null = null
    for (let id = next++; id < total; id = next++)
      for (;;) {
        sender ??= await connect(worker).catch(() => null)
        if (!sender) continue
        inFlight.add(id)
        const isDone = await isAcknowledged(sender, id, worker)
        if (isDone && !accepted.includes(id)) early.push(id)
        inFlight.delete(id)
        if (isDone) {
          acknowledged.add(id)
          break
        }
        if (sender.isClosed || !(await sender.say('RSET')).startsWith('250')) sender = null
      }
    sender?.quit()
  }
  const workers = Promise.all([0, 1, 2, 3, 4, 5, 6, 7].map(work))
  await expect.poll(() => acknowledged.size, { interval: 5 }).toBeGreaterThan(total / 2)
  const killed = await relay
  const unanswered = new Set(inFlight)
  killed.child.kill('SIGKILL')
  relay = killed.ended.then(() => startRelay(env))
  await workers

  expect(early).toEqual([])
  expect(acknowledged.size).toBe(total)
  const counts = Map.groupBy(accepted, id => id)
  expect([...counts.keys()].toSorted((a, b) => a - b)).toEqual(Array.from({ length: total }, (_, id) => id))
  // The answer to a message can be lost with the process that was about to pass it on: its sender sends it again.
  const doubled = [...counts.values()].filter(ids => ids.length > 1).map(([id]) => id)
  expect(doubled.filter(id => id === undefined || !unanswered.has(id))).toEqual([])
  const received = (hop: StandInHop) => hop.messages.map(({ data }) => data.toString('latin1'))
  for (const hop of [plain, secure]) expect(hop.faults).toEqual([])
  expect(received(plain).length + received(secure).length).toBe(accepted.length)
  expect(secure.messages.every(({ isSecure, clientName }) => isSecure && clientName === 'localhost')).toBe(
    true,
  )
  await stop(await relay)
})
