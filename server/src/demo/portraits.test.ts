import { describe, expect, it } from 'vitest'
import { traitsByName } from './portrait-traits.ts'
import { drawPortrait } from './portraits.ts'

describe('the drawn portraits of the demo', () => {
  const drawings = [...traitsByName].map(([name, traits]) => drawPortrait(name, traits).toString())

  it('are the same for the same name, and differ from person to person', () => {
    const [[name, traits] = ['', undefined]] = traitsByName
    expect(drawPortrait(name, traits!).toString()).toBe(drawings[0])
    expect(new Set(drawings).size).toBe(50)
  })

  it('are small, and complete: every trait is one that can be drawn', () => {
    for (const drawing of drawings) {
      expect(drawing.length).toBeLessThan(6_000)
      expect(drawing).not.toMatch(/undefined|NaN/)
    }
  })
})
