// The relay as a process: it acknowledges nothing that the next hop has not acknowledged, also when it is killed.
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { command } from './support/command.ts'
import { type StandInHop, standInHop } from './support/mail/next-hop.ts'
import { mailOf } from './support/mail/relay.ts'
import { SmtpSender } from './support/mail/smtp-sender.ts'
import { migratedFolder, type Run, run, serve, stop } from './support/processes/process.ts'

let dataDir: string
let hop: StandInHop

const relayOptions = () => ({
  env: { SIGNOFF_DATA_DIR: dataDir, SIGNOFF_RELAY_PORT: '0', SIGNOFF_RELAY_METRICS_PORT: '0' },
})

async function startRelay(env: Record<string, string> = {}): Promise<Run & { port: number }> {
  const started = run(['relay'], { env: { ...relayOptions().env, ...env } })
  const line = /on port (\d+)/
  while (!line.test(started.out())) {
    if (started.child.exitCode !== null) throw new Error(`did not start: ${started.err()}`)
    await sleep(20)
  }
  return { ...started, port: Number(line.exec(started.out())?.[1]) }
}

const message = mailOf('ada@example.com', 'bob@other.test')

async function greeted(port: number): Promise<SmtpSender> {
  const sender = await SmtpSender.connect(port)
  await sender.say('EHLO sender.test')
  return sender
}

beforeAll(async () => {
  dataDir = await migratedFolder()
  hop = await standInHop()
  const env = { SIGNOFF_DATA_DIR: dataDir }
  await command(['workspaces', 'create', 'Own', '--owner-email', 'owner@example.com'], env)
  // The command line can name a host of the own network.
  const args = ['--next-hop', hop.url, '--client', '127.0.0.1', '--domain', 'example.com']
  const added = await command(['integrations', 'add', 'relay', ...args], env)
  expect(added.err).toBe('')
  expect(added.out).toContain('Connected as')
})

describe('a relay process', () => {
  it('that is killed has acknowledged only what the hop has', async () => {
    const relay = await startRelay()
    const accepted = Promise.withResolvers<void>()
    let count = 0
    // The third message is held at the hop: the relay dies while it waits for the answer.
    hop.script = {
      message() {
        if (++count < 3) return '250 ok'
        accepted.resolve()
        return new Promise<string>(() => undefined)
      },
    }
    const senders = await Promise.all([0, 1, 2, 3].map(() => greeted(relay.port)))
    const results = senders.map(sender => sender.send('ada@example.com', ['b@other.test'], message))
    await accepted.promise
    relay.child.kill('SIGKILL')
    const answers = (await Promise.all(results)).map(replies => replies.at(-1) ?? '')
    expect(answers.filter(answer => answer.startsWith('250')).length).toBeLessThanOrEqual(hop.messages.length)
    expect(answers.filter(answer => answer === '').length).toBeGreaterThan(0)
    hop.script = {}
  })

  it('ends a message that is on its way before it stops, and takes no other', async () => {
    const relay = await startRelay()
    const gate = Promise.withResolvers<string>()
    const reached = Promise.withResolvers<void>()
    hop.script = {
      message() {
        reached.resolve()
        return gate.promise
      },
    }
    const [busy, idle] = [await greeted(relay.port), await greeted(relay.port)]
    const result = busy.send('ada@example.com', ['b@other.test'], message)
    await reached.promise
    relay.child.kill('SIGTERM')
    expect(await idle.reply()).toMatch(/^421/)
    gate.resolve('250 ok')
    expect((await result).at(-1)).toMatch(/^250/)
    expect(await relay.ended).toBe(0)
    hop.script = {}
  })

  it('runs inside serve too, and prints the set-up of mail systems', async () => {
    const service = await serve({
      env: { ...relayOptions().env, SIGNOFF_DASHBOARD: 'off', SIGNOFF_LOG_LEVEL: 'info' },
    })
    const ready = /"port":(\d+),"msg":"the relay is ready"/
    await expect.poll(() => ready.test(service.err())).toBe(true)
    const port = Number(ready.exec(service.err())?.[1])
    const sender = await greeted(port)
    expect((await sender.send('ada@example.com', ['b@other.test'], message)).at(-1)).toMatch(/^250/)
    sender.quit()
    const metrics = await (await fetch(`${service.url.replace('localhost', '127.0.0.1')}/metrics`)).text()
    expect(metrics).toContain('signoff_relay_messages_total{outcome="passed"} 1')
    const printed = await command(['integrations', 'add', 'relay', '--print-exchange'], {
      SIGNOFF_DATA_DIR: dataDir,
      SIGNOFF_RELAY_NAME: 'relay.example.com',
    })
    expect(printed.out).toContain('-SmartHosts "relay.example.com"')
    const incomplete = await command(['integrations', 'add', 'relay'], { SIGNOFF_DATA_DIR: dataDir })
    expect([incomplete.code, incomplete.err]).toEqual([1, expect.stringContaining('--next-hop and --client')])
    await stop(service)
  })
})
