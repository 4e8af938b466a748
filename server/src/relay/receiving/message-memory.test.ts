import { describe, expect, it } from 'vitest'
import { type MessageBuffer, MessageMemory } from './message-memory.ts'

const mb = 1024 * 1024
const memory = (waitMilliseconds = 60_000) =>
  new MessageMemory({ bytes: 66 * mb, ownerBytes: 44 * mb, largest: 40 * mb, waitMilliseconds })

async function fill(buffer: MessageBuffer, bytes: number, byte = 0): Promise<void> {
  for (let at = 0; at < bytes; at += mb / 2) await buffer.append(Buffer.alloc(mb / 2, byte))
}

describe('memory for messages', () => {
  it('is reserved as bytes arrive, and all messages get through, whatever they have declared', {
    tags: ['deep'],
  }, async () => {
    const shared = memory()
    const done: number[] = []
    const send = async (n: number) => {
      const buffer = shared.open(`owner ${n % 3}`, n % 4 === 3 ? null : 20 * mb)
      const chunk = Buffer.alloc(mb / 2, n)
      for (let at = 0; at < 36; at++) {
        await buffer.append(chunk)
        expect(shared.reservedBytes).toBeLessThanOrEqual(66 * mb)
        await new Promise(setImmediate)
      }
      buffer.seal()
      expect(buffer.length).toBe(18 * mb)
      expect([buffer.message[0], buffer.message.at(-1)]).toEqual([n, n])
      buffer.free()
      done.push(n)
    }
    await Promise.all([0, 1, 2, 3, 4, 5, 6, 7].map(send))
    expect(done.toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
    expect(shared.reservedBytes).toBe(0)
  })

  it('takes no reservation for a small message', async () => {
    const shared = memory()
    const buffer = shared.open('a', 1_000)
    await buffer.append(Buffer.alloc(1_000))
    expect(shared.reservedBytes).toBe(0)
  })

  it('that a slow sender has declared, and that one workspace holds, is none that others wait for', async () => {
    const shared = memory(20)
    const slow = [shared.open('slow', 40 * mb), shared.open('slow', null)]
    for (const buffer of slow) await fill(buffer, mb)
    const other = shared.open('other', 30 * mb)
    await fill(other, 30 * mb)
    other.seal()
    other.free()
    await fill(slow[0] as MessageBuffer, 31 * mb)
    const late = shared.open('other', 18 * mb)
    await fill(late, 18 * mb)
    for (const buffer of [...slow, late]) buffer.drop()
    expect(shared.reservedBytes).toBe(0)
  })

  it('defers a message that finds no room in time, and refuses one that is too large', async () => {
    const shared = memory(20)
    const [first, second] = [shared.open('a', 30 * mb), shared.open('a', 30 * mb)]
    await fill(first, 30 * mb)
    await expect(fill(second, 30 * mb)).rejects.toMatchObject({ responseCode: 452 })
    first.drop()
    await fill(second, 15 * mb)
    second.drop()
    const large = shared.open('a', null)
    await large.append(Buffer.alloc(40 * mb))
    await expect(large.append(Buffer.alloc(1))).rejects.toMatchObject({ responseCode: 552 })
    large.drop()
    const lying = shared.open('a', 100)
    await expect(lying.append(Buffer.alloc(mb))).rejects.toMatchObject({ responseCode: 451 })
    lying.drop()
    expect(shared.reservedBytes).toBe(0)
  })
})
