import { expect, it } from 'vitest'
import { FairQueue } from './queues.ts'

it('a queue gives its slots to all keys in turn, and refuses only the key that has too many tasks', async () => {
  const queue = new FairQueue({ atOnce: 1, waitingPerKey: 3, waiting: 10, message: 'Too many.' })
  const done: string[] = []
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
  const run = (key: string, work: Promise<void> = Promise.resolve()) =>
    queue.run(key, () => work.then(() => void done.push(key)))
  const first = run('a', isReleased)
  const waiting = ['a', 'a', 'a', 'b', 'c', 'b'].map(key => run(key))
  await expect(run('a')).rejects.toMatchObject({ status: 503, headers: { 'Retry-After': '2' } })
  release()
  await Promise.all([first, ...waiting])
  expect(done).toEqual(['a', 'a', 'b', 'c', 'a', 'b', 'a'])
  await run('a')
  expect(done).toHaveLength(8)
})
