import { describe, expect, it } from 'vitest'
import { rowsToRemove } from '../src/state/browser-store.ts'

const row = (key: string, storedAt: number, isNeeded = false) => ({ key, storedAt, isNeeded })

describe('rows that the browser keeps', () => {
  it('make room for new ones, the oldest first, but for those that are needed', () => {
    const rows = [row('new', 3), row('unsaved', 1, true), row('old', 0), row('middle', 2)]
    expect(rowsToRemove(rows, 4)).toEqual([])
    expect(rowsToRemove(rows, 2)).toEqual(['old', 'middle'])
    expect(rowsToRemove(rows, 0)).toEqual(['old', 'middle', 'new'])
  })
})
