import type { Content } from '@signoff/render'
import { describe, expect, it } from 'vitest'
import { newHistory, packHistory, recorded } from '../src/editor/model/history.ts'
import { beginningOf, type StoredHistory, withCopy } from '../src/editor/saving/kept-rows.ts'

const tree = (a: string, b = 'Beta'): Content => ({
  type: 'stack',
  id: 'root',
  children: [
    { type: 'text', id: 'a', tokens: [{ id: 'a-t', value: a }] },
    { type: 'text', id: 'b', tokens: [{ id: 'b-t', value: b }] },
  ],
})
const first = tree('Alpha')

/** A visit that began with the first tree and left another one. */
const row = (present: Content, storedAt: number, isUnsaved = true): StoredHistory => ({
  history: packHistory(recorded(newHistory(first), present, [], undefined)),
  storedAt,
  ...(isUnsaved && { unsaved: { saved: first, version: '1', name: 'Shared' } }),
})
const begin = (draft: Content, rows: Readonly<Record<string, StoredHistory>>) =>
  beginningOf(
    { data: draft, etag: '2' },
    Object.entries(rows).map(([key, each]) => ({ key, row: each })),
    'signature',
  )

describe('what an editor begins with', () => {
  it('is the draft of the service when the kept history leads to another one', () => {
    const { history, base, adopted } = begin(tree('Alpha of a colleague'), {
      saved: row(tree('Alpha typed'), 1, false),
    })
    expect([history.present, history.past, adopted]).toEqual([tree('Alpha of a colleague'), [], []])
    expect(base).toEqual({ saved: history.present, version: '2' })
  })

  it('has the kept undo, and nothing unsaved, when the service has the kept tree', () => {
    const { history, base, adopted } = begin(tree('Alpha typed'), { old: row(tree('Alpha typed'), 1) })
    expect([history.past.length, base.saved === history.present, base.version]).toEqual([1, true, '2'])
    // The row is replaced: a later visit must not take it for unsaved changes.
    expect(adopted).toEqual(['old'])
  })

  it('has the unsaved changes of all tabs that were closed', () => {
    const { history, base, adopted } = begin(first, {
      one: row(tree('Alpha of one tab'), 1),
      two: row(tree('Alpha', 'Beta of the other'), 2),
    })
    expect(history.present).toEqual(tree('Alpha of one tab', 'Beta of the other'))
    expect([base.version, adopted]).toEqual(['1', ['two', 'one']])
  })

  it('leaves for the next visit what only a person can decide', () => {
    const { history, adopted } = begin(first, {
      one: row(tree('Alpha of one tab'), 1),
      two: row(tree('Alpha of the other'), 2),
    })
    expect([history.present, adopted]).toEqual([tree('Alpha of the other'), ['two']])
  })

  it('is the draft when another version of the page has written the rows', () => {
    const broken = { ...row(first, 1), history: { blocks: [], past: [], present: 7, future: [] } }
    expect(begin(first, { broken }).adopted).toEqual([])
  })
})

describe('the copy that is written while a page is closed', () => {
  const unsaved = { saved: first, version: '1', name: 'Shared', sent: [tree('Alpha typed more')] }
  const copy = { present: tree('Alpha typed more'), storedAt: 5, unsaved }

  it('adds the last letters to the kept row', () => {
    const { history } = begin(first, { one: withCopy(row(tree('Alpha typed'), 4), copy) })
    expect([history.present, history.past.length]).toEqual([tree('Alpha typed more'), 2])
  })

  it('is enough without a row', () => {
    const { history, base } = begin(first, { one: withCopy(undefined, copy) })
    expect([history.present, history.past.length, base]).toEqual([tree('Alpha typed more'), 1, unsaved])
  })

  it('knows what was sent also where the row is newer', () => {
    const newer = withCopy(row(tree('Alpha typed most'), 6), copy)
    expect(begin(first, { one: newer }).history.present).toEqual(tree('Alpha typed most'))
    expect(newer.unsaved?.sent).toEqual([tree('Alpha typed more')])
  })
})
