import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { GroupCommit } from './group-commit.ts'

const size = { events: 100, bytes: 1_000 }
const refusal = expect.objectContaining({ status: 503 })

it('withdrawn items are not kept in memory while a group hangs', async () => {
  const decide = Promise.withResolvers<void>()
  const groups = new GroupCommit<object>({
    limits: { events: 10, bytes: 1_000, perGroup: 5 },
    commit: () => decide.promise,
  })
  const small = { events: 1, bytes: 10 }
  const first = groups.add({}, small)
  await sleep(20)
  const items: WeakRef<object>[] = []
  const second = groups.add({}, small)
  for (let n = 0; n < 10_000; n++) {
    const item = {}
    items.push(new WeakRef(item))
    expect(groups.withdraw(groups.add(item, small))).toBe(true)
    if (n % 1_000 === 0) await sleep(0)
  }
  expect(groups.waiting).toBe(2)
  await sleep(0)
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  expect(items.filter(item => item.deref()).length).toBeLessThan(3_000)
  decide.resolve()
  await Promise.all([first.done, second.done])
})

it('a group has a limit of events, however many items hold them', async () => {
  const lengths: number[] = []
  const groups = new GroupCommit<string>({
    limits: { events: 10_000, bytes: 1_000_000, perGroup: 250 },
    commit: async items => void lengths.push(items.length),
  })
  const large = groups.add('large', { events: 300, bytes: 1 })
  const entries = Array.from({ length: 5 }, () => groups.add('x', size))
  expect(groups.waiting).toBe(800)
  await Promise.all([large, ...entries].map(entry => entry.done))
  expect(lengths).toEqual([1, 2, 2, 1])
  expect(groups.waiting).toBe(0)
})

it.each(['events', 'bytes'] as const)(
  'entries count until they are committed or refused (%s)',
  async limit => {
    const decide = Promise.withResolvers<void>()
    let isBroken = false
    const groups = new GroupCommit<string>({
      limits: { events: 10_000, bytes: 100_000, perGroup: 100, [limit]: 2 * size[limit] },
      async commit() {
        await decide.promise
        if (isBroken) throw new Error('no')
      },
    })
    const first = groups.add('first', size)
    await sleep(20)
    const second = groups.add('second', size)
    expect(() => groups.add('third', size)).toThrow(refusal)
    expect([groups.withdraw(first), groups.withdraw(second)]).toEqual([false, true])
    const third = groups.add('third', size)
    expect(() => groups.add('fourth', size)).toThrow(refusal)
    const ends = Promise.allSettled([first.done, third.done])
    decide.resolve()
    expect((await ends).map(end => end.status)).toEqual(['fulfilled', 'fulfilled'])

    isBroken = true
    const fourth = groups.add('fourth', { events: 2 * size.events, bytes: 2 * size.bytes })
    await expect(fourth.done).rejects.toThrow('no')
    isBroken = false
    expect(() => groups.add('fifth', size)).not.toThrow()
  },
)
