import { describe, expect, it } from 'vitest'
import { MessageMemory } from './message-memory.ts'

const mb = 1024 * 1024
const memory = (waitMilliseconds = 60_000) =>
  new MessageMemory({ bytes: 40 * mb, largest: 40 * mb, waitMilliseconds })

describe('memory for messages', () => {
  it('is reserved whole, first come first served, and all messages get through', async () => {
    const shared = memory()
    const done: number[] = []
    const send = async (n: number) => {
      const buffer = shared.open(n % 3 === 2 ? null : 20 * mb)
      const chunk = Buffer.alloc(64 * 1024, n)
      for (let at = 0; at < 32; at++) await buffer.append(chunk)
      expect(shared.reservedBytes).toBeLessThanOrEqual(40 * mb)
      await new Promise(setImmediate)
      expect(buffer.message.length).toBe(2 * mb)
      expect(buffer.message.every(byte => byte === n)).toBe(true)
      buffer.free()
      done.push(n)
    }
    await Promise.all([0, 1, 2, 3, 4, 5, 6, 7].map(send))
    expect(done).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
    expect(shared.reservedBytes).toBe(0)
  })

  it('takes no reservation for a small message', async () => {
    const shared = memory()
    const buffer = shared.open(1_000)
    await buffer.append(Buffer.alloc(1_000))
    expect(shared.reservedBytes).toBe(0)
  })

  it('defers a message that finds no room in time, and refuses one that is too large', async () => {
    const shared = memory(20)
    const [first, second] = [shared.open(30 * mb), shared.open(30 * mb)]
    await first.append(Buffer.alloc(mb))
    await expect(second.append(Buffer.alloc(mb))).rejects.toMatchObject({ responseCode: 452 })
    first.drop()
    await second.append(Buffer.alloc(mb))
    second.drop()
    const large = shared.open(null)
    await large.append(Buffer.alloc(40 * mb))
    await expect(large.append(Buffer.alloc(1))).rejects.toMatchObject({ responseCode: 552 })
    large.drop()
    const lying = shared.open(100)
    await expect(lying.append(Buffer.alloc(mb))).rejects.toMatchObject({ responseCode: 451 })
    lying.drop()
    expect(shared.reservedBytes).toBe(0)
  })
})
