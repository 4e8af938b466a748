// The contract of all push channels, independent of the provider behind them.
import { beforeEach, describe, expect, it } from 'vitest'
import type {
  Connection,
  Delivery,
  DeliveryOutcome,
  PushChannel,
} from '#features/delivery/installations/index.ts'
import { freePort } from '../processes/free-port.ts'

/** A fake provider behind a channel. The test sets how it behaves. */
export interface FakeProvider {
  readonly channel: PushChannel
  /** The same channel with this timeout. */
  readonly withTimeout: (milliseconds: number) => PushChannel
  readonly connection: Connection
  /** The same connection, to a port without a server. */
  readonly withPort: (port: number) => Connection
  /** An address that the provider accepts. */
  readonly address: string
  /** The HTML that arrived last for the address, and the number of arrivals. */
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

export function describeChannelContract(name: string, provider: () => FakeProvider): void {
  const deliver = (
    html: string,
    channel = provider().channel,
    connection = provider().connection,
  ): Promise<DeliveryOutcome> => channel.deliver(deliveryFor(provider().address, html), connection)

  describe(`the channel ${name}`, () => {
    beforeEach(() => provider().behave('well'))

    it.each([
      ['plain', '<p>Ada</p>'],
      ['unicode', unicode],
      ['long', long],
    ])('delivers %s HTML unchanged, byte for byte', async (_, html) => {
      expect(await deliver(html)).toMatchObject({ ok: true })
      expect(provider().last()).toBe(html)
    })

    it('can deliver the same HTML twice', async () => {
      const before = provider().count()
      expect([await deliver('<p>same</p>'), await deliver('<p>same</p>')]).toMatchObject([
        { ok: true },
        { ok: true },
      ])
      expect([provider().last(), provider().count()]).toEqual(['<p>same</p>', before + 2])
    })

    it.each([
      ['an address that is refused', 'refuse the address', 'reject'],
      ['too much at once', 'overloaded', 'retry'],
      ['being locked out', 'locked out', 'halt'],
      ['a far end that is broken', 'broken', 'retry'],
    ] as const)('reports %s', async (_, how, next) => {
      const before = provider().count()
      provider().behave(how)
      expect(await deliver('<p>lost</p>')).toMatchObject({
        ok: false,
        next,
        code: expect.stringMatching(/^[a-z_]+$/),
        message: expect.stringMatching(/\S/),
      })
      expect(provider().count()).toBe(before)
      provider().behave('well')
      expect(await deliver('<p>found</p>')).toMatchObject({ ok: true })
    })

    it('asks for a retry when the connection is refused', async () => {
      const outcome = await deliver('<p>Ada</p>', provider().channel, provider().withPort(await freePort()))
      expect(outcome).toMatchObject({ ok: false, code: 'unreachable', next: 'retry' })
    })

    it('delivers as many at once as `atOnce` says', async () => {
      const { channel } = provider()
      const before = provider().count()
      const outcomes = await Promise.all(
        Array.from({ length: channel.atOnce }, (_, n) => deliver(`<p>${n}</p>`)),
      )
      expect(outcomes.every(outcome => outcome.ok)).toBe(true)
      expect(provider().count()).toBe(before + channel.atOnce)
    })

    // The last test: the delivery that timed out can still arrive.
    it('times out', async () => {
      provider().behave('slow')
      const begin = performance.now()
      const outcome = await deliver('<p>Ada</p>', provider().withTimeout(200))
      expect(outcome).toMatchObject({ ok: false, code: 'unreachable', next: 'retry' })
      expect(performance.now() - begin).toBeLessThan(2_000)
    })
  })
}
