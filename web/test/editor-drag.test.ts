import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { DragStore } from '../src/editor/kit/drag-store.ts'

const page = new EventTarget()
const frames = new Set<number>()
beforeEach(() => {
  vi.stubGlobal('window', page)
  vi.stubGlobal('getSelection', () => null)
  vi.stubGlobal('requestAnimationFrame', () => frames.add(1) && 1)
  vi.stubGlobal('cancelAnimationFrame', (frame: number) => frames.delete(frame))
})
afterEach(() => void vi.unstubAllGlobals())

const pointer = (type: string, x: number, buttons: number) =>
  Object.assign(new Event(type), {
    pointerId: 1,
    pointerType: 'mouse',
    button: 0,
    buttons,
    clientX: x,
    clientY: 0,
  }) as unknown as PointerEvent

describe('a drag in the editor', () => {
  const dropped = vi.fn()
  const store = () => new DragStore(dropped)
  const press = (drag: DragStore) => {
    const onTap = vi.fn()
    drag.addZone(() => ({ zone: 'canvas' }) as never)
    drag.watch(pointer('pointerdown', 0, 1), {
      start: () => ({ dragged: { blocks: [], movedIds: [] }, label: 'Text' }),
      onTap,
    })
    return onTap
  }

  it('scrolls nothing before it begins, and ends when the button was released unseen', () => {
    const drag = store()
    const onTap = press(drag)
    expect(frames.size).toBe(0)
    page.dispatchEvent(pointer('pointermove', 20, 1))
    expect(drag.getState()?.label).toBe('Text')
    expect(frames.size).toBe(1)
    page.dispatchEvent(pointer('pointermove', 30, 0))
    page.dispatchEvent(pointer('pointerup', 30, 0))
    expect(drag.getState()).toBeUndefined()
    expect(frames.size).toBe(0)
    expect(dropped).not.toHaveBeenCalled()
    expect(onTap).not.toHaveBeenCalled()
  })

  it('ends with its editor', () => {
    const drag = store()
    press(drag)
    page.dispatchEvent(pointer('pointermove', 20, 1))
    drag.dispose()
    page.dispatchEvent(pointer('pointermove', 40, 1))
    expect(drag.getState()).toBeUndefined()
    expect(frames.size).toBe(0)
    press(drag)
    page.dispatchEvent(pointer('pointermove', 20, 1))
    page.dispatchEvent(pointer('pointerup', 20, 0))
    expect(dropped).toHaveBeenCalledOnce()
  })
})
