// What every channel that is pushed through must do, whoever is behind it.
import { createServer } from 'node:net'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Connection, Delivery, DeliveryOutcome, PushChannel } from '#features/installations/index.ts'

/** The far end of a channel, as moody as it is told to be. */
export interface FarEnd {
  readonly channel: PushChannel
  /** The same, but gives up after so many milliseconds. */
  readonly impatient: (milliseconds: number) => PushChannel
  readonly connection: Connection
  /** The same connection, to a port where nobody listens. */
  readonly nobody: (port: number) => Connection
  /** An address that it knows. */
  readonly address: string
  /** What arrived last for the address, and how often something did. */
  last(): string | undefined
  count(): number
  behave(how: 'well' | 'refuse the address' | 'overloaded' | 'locked out' | 'broken' | 'slow'): void
}

export function deliveryFor(address: string, html: string, primaryAddress = address): Delivery {
  return {
    deliveryId: '0123456789abcdef0123456789abcdef',
    address,
    primaryAddress,
    signatureId: '01890000-0000-7000-8000-000000000002',
    signatureName: 'Everybody',
    html,
    text: 'Ada',
  }
}

const unicode = '<p>Ada Łovelace 🦊 &amp; “Ω” 日本語 عربى \u2028 \\ "q" \u00a0e\u0301</p>'
const long = `<p>${'é🦊'.repeat(3_000)}</p>`

async function closedPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as { port: number }
  await new Promise(done => server.close(done))
  return port
}

export function itKeepsTheContract(name: string, farEnd: () => FarEnd): void {
  const deliver = (
    html: string,
    channel = farEnd().channel,
    connection = farEnd().connection,
  ): Promise<DeliveryOutcome> => channel.deliver(deliveryFor(farEnd().address, html), connection)

  describe(`the channel ${name}`, () => {
    beforeEach(() => farEnd().behave('well'))

    it.each([
      ['plain', '<p>Ada</p>'],
      ['unicode', unicode],
      ['long', long],
    ])('brings %s HTML as it is, byte for byte', async (_, html) => {
      expect(await deliver(html)).toEqual({ ok: true })
      expect(farEnd().last()).toBe(html)
    })

    it('may repeat itself', async () => {
      const before = farEnd().count()
      expect([await deliver('<p>same</p>'), await deliver('<p>same</p>')]).toEqual([
        { ok: true },
        { ok: true },
      ])
      expect([farEnd().last(), farEnd().count()]).toEqual(['<p>same</p>', before + 2])
    })

    it.each([
      ['an address that is refused', 'refuse the address', 'reject'],
      ['too much at once', 'overloaded', 'retry'],
      ['being locked out', 'locked out', 'halt'],
      ['a far end that is broken', 'broken', 'retry'],
    ] as const)('tells %s', async (_, how, next) => {
      const before = farEnd().count()
      farEnd().behave(how)
      expect(await deliver('<p>lost</p>')).toMatchObject({
        ok: false,
        next,
        code: expect.stringMatching(/^[a-z_]+$/),
        message: expect.stringMatching(/\S/),
      })
      expect(farEnd().count()).toBe(before)
      farEnd().behave('well')
      expect(await deliver('<p>found</p>')).toEqual({ ok: true })
    })

    it('tries again later where nobody listens', async () => {
      const outcome = await deliver('<p>Ada</p>', farEnd().channel, farEnd().nobody(await closedPort()))
      expect(outcome).toMatchObject({ ok: false, code: 'unreachable', next: 'retry' })
    })

    it('carries as many at once as it says', async () => {
      const { channel } = farEnd()
      const before = farEnd().count()
      const outcomes = await Promise.all(
        Array.from({ length: channel.atOnce }, (_, n) => deliver(`<p>${n}</p>`)),
      )
      expect(outcomes.every(one => one.ok)).toBe(true)
      expect(farEnd().count()).toBe(before + channel.atOnce)
    })

    // Last: what it gave up may still arrive.
    it('does not wait for ever', async () => {
      farEnd().behave('slow')
      const begin = performance.now()
      const outcome = await deliver('<p>Ada</p>', farEnd().impatient(200))
      expect(outcome).toMatchObject({ ok: false, code: 'unreachable', next: 'retry' })
      expect(performance.now() - begin).toBeLessThan(2_000)
    })
  })
}
