import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { MessagePieces } from '../next-hop/next-hop.ts'
import { type IncomingMessage, MessageStore } from './incoming-message.ts'

const mb = 1024 * 1024
const stays = new AbortController().signal
let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signoff-relay-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function storeOf(options: { readonly waitMilliseconds?: number } = {}): Promise<MessageStore> {
  const store = new MessageStore({ folder: join(folder, 'relay'), largest: 40 * mb, ...options })
  await store.prepare()
  return store
}

async function fill(message: IncomingMessage, bytes: number, byte = 0): Promise<void> {
  for (let at = 0; at < bytes; at += mb / 2) await message.append(Buffer.alloc(Math.min(mb / 2, bytes), byte))
}

async function bytesOf(pieces: MessagePieces): Promise<Buffer> {
  const all: Buffer[] = []
  for await (const piece of pieces) all.push(piece)
  return Buffer.concat(all)
}

const asItCame = async (message: Buffer) => [message]

describe('a message in the relay', () => {
  it.each([[10], [64 * 1024], [64 * 1024 + 1], [3 * mb + 7]])(
    'of %i bytes leaves as it was rewritten',
    async length => {
      const source = Buffer.from(Array.from({ length }, (_, at) => at % 251))
      const incoming = (await storeOf()).begin('a', null)
      for (let at = 0; at < length; at += 50_000) await incoming.append(source.subarray(at, at + 50_000))
      expect(incoming.length).toBe(length)
      expect((await incoming.beginning()).equals(source.subarray(0, 512 * 1024))).toBe(true)
      const cut = Math.floor(length * 0.9)
      const pieces = await incoming.rewrite(async message => {
        // A header that changes in memory, as where a secret is taken out.
        message[0] = 255
        return [
          message.subarray(0, 5),
          Buffer.from('signature'),
          message.subarray(5, cut),
          message.subarray(cut),
        ]
      }, stays)
      const expected = Buffer.concat([
        Buffer.from([255]),
        source.subarray(1, 5),
        Buffer.from('signature'),
        source.subarray(5),
      ])
      expect((await bytesOf(pieces)).equals(expected)).toBe(true)
      await incoming.discard()
    },
  )

  it('has a file without a name, in a folder that only this account can enter', async () => {
    const store = await storeOf()
    const incoming = store.begin('a', null)
    await fill(incoming, mb)
    expect(await readdir(join(folder, 'relay'))).toEqual([])
    expect((await stat(join(folder, 'relay'))).mode & 0o777).toBe(0o700)
    const file = await store.createFile()
    const { nlink, mode } = await file.stat()
    expect([nlink, mode & 0o777]).toEqual([0, 0o600])
    await file.close()
    await incoming.discard()
  })

  it('holds memory only while it is rewritten: slow senders and slow hops hold none', async () => {
    const store = await storeOf()
    const incoming = store.begin('a', 30 * mb)
    await fill(incoming, 30 * mb)
    expect(store.budget.takenBytes).toBe(0)
    const pieces = await incoming.rewrite(async message => {
      expect(store.budget.takenBytes).toBe(30 * mb)
      return [message]
    }, stays)
    expect(store.budget.takenBytes).toBe(0)
    expect((await bytesOf(pieces)).length).toBe(30 * mb)
    await expect(incoming.rewrite(() => Promise.reject(new Error('a fault')), stays)).rejects.toThrow(
      'a fault',
    )
    expect(store.budget.takenBytes).toBe(0)
    await incoming.discard()
  })

  it('is deferred when it finds no memory in time, and leaves the queue with its sender', async () => {
    const store = await storeOf({ waitMilliseconds: 20 })
    const [first, second] = [store.begin('a', null), store.begin('b', null)]
    for (const incoming of [first, second]) await fill(incoming, 30 * mb)
    const gate = Promise.withResolvers<void>()
    const rewritten = first.rewrite(async message => {
      await gate.promise
      return [message]
    }, stays)
    await expect(second.rewrite(asItCame, stays)).rejects.toMatchObject({
      responseCode: 452,
      reason: 'memory',
    })
    const left = AbortSignal.abort(new Error('left'))
    await expect(second.rewrite(asItCame, left)).rejects.toThrow('left')
    gate.resolve()
    await rewritten
    await second.rewrite(asItCame, stays)
    for (const incoming of [first, second]) await incoming.discard()
    expect(store.budget.takenBytes).toBe(0)
  })

  it('is refused when it is larger than the largest, or than it has declared', async () => {
    const store = await storeOf()
    const large = store.begin('a', null)
    await fill(large, 40 * mb)
    await expect(large.append(Buffer.alloc(1))).rejects.toMatchObject({
      responseCode: 552,
      reason: 'too_large',
    })
    const lying = store.begin('a', 100)
    await expect(lying.append(Buffer.alloc(mb))).rejects.toMatchObject({ responseCode: 451 })
    for (const incoming of [large, lying]) await incoming.discard()
  })

  it('finds room on the disk although one workspace has taken all that it may', async () => {
    const store = await storeOf()
    store.count('a', 512 * mb)
    const [own, other] = [store.begin('a', null), store.begin('b', null)]
    await expect(fill(own, mb)).rejects.toMatchObject({ responseCode: 452, reason: 'memory' })
    await fill(other, mb)
    for (const incoming of [own, other]) await incoming.discard()
    store.count('a', -512 * mb)
    const next = store.begin('a', null)
    await fill(next, mb)
    await next.discard()
  })
})
