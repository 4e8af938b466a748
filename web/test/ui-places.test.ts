import { describe, expect, it } from 'vitest'
import { menuPlacement } from '../src/ui/overlay/menu-placement.ts'
import { frameScale } from '../src/ui/picture/frame-scale.ts'

describe('a signature in a frame', () => {
  it('is drawn smaller as a thumbnail, so that its last line is not cut off', () => {
    const thumbnail = { available: 300, width: 600, maxHeight: 100 }
    expect(frameScale({ ...thumbnail, height: 150 })).toBe(0.5)
    expect(frameScale({ ...thumbnail, height: 250 })).toBe(0.4)
    // Words would be unreadable: the rest is cut off.
    expect(frameScale({ ...thumbnail, height: 900 })).toBe(0.25)
  })

  it('stays readable where it is no thumbnail', () => {
    expect(frameScale({ available: 300, width: 600, height: 900, maxHeight: undefined })).toBe(0.8)
    expect(frameScale({ available: 900, width: 600, height: 900, maxHeight: undefined })).toBe(1)
  })
})

describe('a menu', () => {
  it('stays inside the edge of the page that is near its button', () => {
    expect(menuPlacement({ left: 1_100, right: 1_250 }, 1_280, false)).toBe('bottom end')
    expect(menuPlacement({ left: 20, right: 60 }, 1_280, false)).toBe('bottom start')
    expect(menuPlacement({ left: 20, right: 60 }, 1_280, true)).toBe('bottom end')
  })
})
