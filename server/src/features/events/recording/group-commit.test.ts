import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { createGroupCommit } from './group-commit.ts'

const size = { events: 100, bytes: 1_000 }
const refusal = expect.objectContaining({ status: 503 })

it('what was withdrawn is not held while a group hangs', async () => {
  const decide = Promise.withResolvers<void>()
  const { add, withdraw, waiting } = createGroupCommit<object>({
    atMost: { events: 10, bytes: 1_000, perGroup: 5 },
    commit: () => decide.promise,
  })
  const one = { events: 1, bytes: 10 }
  const first = add({}, one)
  await sleep(20)
  const items: WeakRef<object>[] = []
  const stays = add({}, one)
  for (let n = 0; n < 10_000; n++) {
    const item = {}
    items.push(new WeakRef(item))
    expect(withdraw(add(item, one))).toBe(true)
    if (n % 1_000 === 0) await sleep(0)
  }
  expect(waiting()).toBe(2)
  await sleep(0)
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  expect(items.filter(item => item.deref()).length).toBeLessThan(3_000)
  decide.resolve()
  await Promise.all([first.done, stays.done])
})

it('a group holds so many events, however they come', async () => {
  const groups: number[] = []
  const { add, waiting } = createGroupCommit<string>({
    atMost: { events: 10_000, bytes: 1_000_000, perGroup: 250 },
    commit: async items => void groups.push(items.length),
  })
  const large = add('large', { events: 300, bytes: 1 })
  const entries = Array.from({ length: 5 }, () => add('x', size))
  expect(waiting()).toBe(800)
  await Promise.all([large, ...entries].map(entry => entry.done))
  expect(groups).toEqual([1, 2, 2, 1])
  expect(waiting()).toBe(0)
})

it.each(['events', 'bytes'] as const)('what is under way counts until it is decided (%s)', async limit => {
  const decide = Promise.withResolvers<void>()
  let isBroken = false
  const { add, withdraw } = createGroupCommit<string>({
    atMost: { events: 10_000, bytes: 100_000, perGroup: 100, [limit]: 2 * size[limit] },
    async commit() {
      await decide.promise
      if (isBroken) throw new Error('no')
    },
  })
  const first = add('first', size)
  await sleep(20)
  const second = add('second', size)
  expect(() => add('third', size)).toThrow(refusal)
  expect([withdraw(first), withdraw(second)]).toEqual([false, true])
  const third = add('third', size)
  expect(() => add('fourth', size)).toThrow(refusal)
  const ends = Promise.allSettled([first.done, third.done])
  decide.resolve()
  expect((await ends).map(end => end.status)).toEqual(['fulfilled', 'fulfilled'])

  isBroken = true
  const fourth = add('fourth', { events: 2 * size.events, bytes: 2 * size.bytes })
  await expect(fourth.done).rejects.toThrow('no')
  isBroken = false
  expect(() => add('fifth', size)).not.toThrow()
})
