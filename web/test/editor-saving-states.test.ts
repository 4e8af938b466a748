import { describe, expect, it } from 'vitest'
import { type SaveEvent, type SaveStatus, saveStatuses, transitionOf } from '../src/editor/saving/states.ts'

const all = saveStatuses

/** Every transition: from which states, on which event, to which state, with which actions. */
const rows: readonly (readonly [
  from: readonly SaveStatus[],
  event: SaveEvent,
  to: SaveStatus,
  actions: string,
])[] = [
  [['saved', 'waiting', 'refused'], 'edited', 'waiting', 'saveSoon'],
  [['saved', 'waiting'], 'repeated', 'waiting', 'saveSoon'],
  [['waiting'], 'reverted', 'saved', ''],
  [all, 'started', 'saving', ''],
  [all, 'accepted', 'saved', 'settle'],
  [all, 'lost', 'offline', 'tryLater'],
  [all, 'stale', 'conflict', 'takeBack'],
  [all, 'rejected', 'refused', 'takeBack holdBack'],
  [all, 'rebased', 'saved', ''],
  [all, 'rebasedOver', 'waiting', 'saveSoon'],
]

describe('the states of the editor’s saving', () => {
  it.each(rows)('lead from %j by %s to %s with the actions “%s”', (from, event, to, actions) => {
    for (const status of from)
      expect(transitionOf(status, event)).toEqual({ to, actions: actions.split(' ').filter(Boolean) })
  })

  it('stay as they are on every other event', () => {
    const changing = new Set(rows.flatMap(([from, event]) => from.map(status => `${status} ${event}`)))
    const others = all.flatMap(status =>
      rows.flatMap(([, event]) =>
        changing.has(`${status} ${event}`) ? [] : [[status, event, transitionOf(status, event)]],
      ),
    )
    expect(others).toEqual([
      ['saved', 'reverted', undefined],
      ['saving', 'edited', undefined],
      ['saving', 'repeated', undefined],
      ['saving', 'reverted', undefined],
      ['offline', 'edited', undefined],
      ['offline', 'repeated', undefined],
      ['offline', 'reverted', undefined],
      ['conflict', 'edited', undefined],
      ['conflict', 'repeated', undefined],
      ['conflict', 'reverted', undefined],
      ['refused', 'repeated', undefined],
      ['refused', 'reverted', undefined],
    ])
  })
})
