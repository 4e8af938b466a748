import type { Content } from '@signoff/render'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Autosave, saveDelay } from '../src/pages/editor/page/autosave.ts'

const tree = (name: string): Content => ({ type: 'stack', id: 'root', displayName: name })

/** A service that stores one tree with a version, and can be broken. */
function service() {
  const stored = { tree: tree('first'), version: 1, isDown: false, saves: 0 }
  let current = stored.tree
  const autosave = new Autosave(
    {
      async save(next, version) {
        if (stored.isDown) throw new Error('down')
        if (version !== String(stored.version)) throw new Error('stale')
        stored.tree = next
        stored.saves += 1
        stored.version += 1
        return String(stored.version)
      },
      kindOfFailure: error => ((error as Error).message === 'stale' ? 'conflict' : 'offline'),
    },
    () => current,
    { saved: stored.tree, version: '1' },
  )
  const change = (name: string) => {
    current = tree(name)
    autosave.changed()
  }
  return { stored, autosave, change }
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
