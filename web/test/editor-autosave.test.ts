import type { Content } from '@signoff/render'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Autosave, saveDelay } from '../src/editor/saving/autosave.ts'

const tree = (name: string): Content => ({ type: 'stack', id: 'root', displayName: name })

const events: Readonly<Record<string, 'stale' | 'rejected'>> = { stale: 'stale', wrong: 'rejected' }

/** A service that stores one tree with a version, and can be broken. */
function service(isManual = false) {
  const stored = { tree: tree('first'), version: 1, isDown: false, losesAnswers: false, saves: 0 }
  const times: number[] = []
  let current = stored.tree
  const autosave = new Autosave(
    {
      async save(next, version) {
        times.push(Date.now())
        if (stored.isDown) throw new Error('down')
        if (next.displayName === 'wrong') throw new Error('wrong')
        if (version !== String(stored.version)) throw new Error('stale')
        stored.tree = next
        stored.saves += 1
        stored.version += 1
        if (stored.losesAnswers) throw new Error('lost')
        return String(stored.version)
      },
      isManual,
      eventOfFailure: error => events[(error as Error).message] ?? 'lost',
    },
    () => current,
    { saved: stored.tree, version: '1' },
  )
  const change = (next: string | Content) => {
    current = typeof next === 'string' ? tree(next) : next
    autosave.changed()
  }
  return { stored, autosave, change, times }
}

describe('saving by itself', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('saves once, a second after the last of several changes', async () => {
    const { stored, autosave, change } = service()
    change('a')
    await vi.advanceTimersByTimeAsync(saveDelay / 2)
    change('b')
    expect(autosave.getState().status).toBe('waiting')
    await vi.advanceTimersByTimeAsync(saveDelay)
    expect([stored.saves, stored.tree.displayName, autosave.getState().status]).toEqual([1, 'b', 'saved'])
  })

  it('waits for the person where each save reaches mailboxes at once', async () => {
    const { stored, autosave, change } = service(true)
    change('a')
    await vi.advanceTimersByTimeAsync(60_000)
    expect([stored.saves, autosave.getState().status]).toEqual([0, 'waiting'])
    expect(await autosave.flush()).toBe(true)
    expect([stored.tree.displayName, autosave.getState().status]).toEqual(['a', 'saved'])
    change('b')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(stored.saves).toBe(1)
  })

  it('keeps trying while the service is away, and loses nothing', async () => {
    const { stored, autosave, change } = service()
    stored.isDown = true
    change('a')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(autosave.getState().status).toBe('offline')
    change('b')
    stored.isDown = false
    await vi.advanceTimersByTimeAsync(60_000)
    expect([stored.tree.displayName, autosave.isDirty]).toEqual(['b', false])
  })

  it('waits twice as long after each failure, also while more is typed', async () => {
    const { stored, change, times } = service()
    stored.isDown = true
    const begin = Date.now()
    for (let second = 0; second < 100; second++) {
      change(`after ${second} seconds`)
      // The first save waits for a pause.
      await vi.advanceTimersByTimeAsync(second === 0 ? saveDelay : 1_000)
    }
    expect(times.map(time => (time - begin) / 1_000)).toEqual([1, 3, 7, 15, 31, 61, 91])
  })

  it('knows what it sends before the answer: a reload meanwhile does not take it for the work of another', async () => {
    const { stored, autosave, change } = service()
    const sent = () => autosave.base.sent?.map(({ displayName }) => displayName)
    const seen: unknown[] = []
    autosave.subscribe(() => seen.push([autosave.getState().status, sent()]))
    change('a')
    await vi.advanceTimersByTimeAsync(saveDelay)
    expect(seen).toEqual([
      ['waiting', []],
      ['saving', ['a']],
      ['saved', []],
    ])
    change('wrong')
    await vi.advanceTimersByTimeAsync(saveDelay)
    stored.version = 9
    change('late')
    await vi.advanceTimersByTimeAsync(saveDelay)
    expect([autosave.getState().status, sent()]).toEqual(['conflict', []])
  })

  it('saves again what was undone after a save without an answer', async () => {
    const { stored, autosave, change } = service()
    const { saved } = autosave.base
    stored.losesAnswers = true
    change('a')
    await vi.advanceTimersByTimeAsync(saveDelay)
    change(saved)
    expect(autosave.isDirty).toBe(true)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(autosave.getState().status).toBe('conflict')
  })

  it('stops when another person has saved, until it is told which tree stays', async () => {
    const { stored, autosave, change } = service()
    stored.version = 5
    change('mine')
    await vi.advanceTimersByTimeAsync(saveDelay)
    expect(autosave.getState().status).toBe('conflict')
    change('mine, longer')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(stored.saves).toBe(0)
    autosave.rebase(stored.tree, '5')
    await vi.advanceTimersByTimeAsync(saveDelay)
    expect([stored.tree.displayName, autosave.getState().status]).toEqual(['mine, longer', 'saved'])
  })

  it('stays refused until the tree is another one, without requests in between', async () => {
    const { stored, autosave, change, times } = service()
    change('wrong')
    await vi.advanceTimersByTimeAsync(60_000)
    expect([times.length, autosave.getState().status]).toEqual([1, 'refused'])
    change('right')
    await vi.advanceTimersByTimeAsync(saveDelay)
    expect([stored.tree.displayName, autosave.getState().status]).toEqual(['right', 'saved'])
  })

  it('remembers what it has sent without an answer: the first and the last of many', async () => {
    const { stored, autosave, change } = service()
    stored.isDown = true
    for (let number = 0; number < 20; number++) {
      change(String(number))
      await autosave.flush()
    }
    expect(autosave.base.sent?.map(({ displayName }) => displayName)).toEqual(
      [0, 1, 2, 3, 4, 15, 16, 17, 18, 19].map(String),
    )
  })

  it('saves at once when asked, and says whether it could', async () => {
    const { stored, autosave, change } = service()
    change('a')
    expect(await autosave.flush()).toBe(true)
    expect(stored.tree.displayName).toBe('a')
    stored.isDown = true
    change('b')
    expect(await autosave.flush()).toBe(false)
  })
})
