import { describe, expect, it } from 'vitest'
import { asRefusal } from './refusal.ts'
import {
  hasMessage,
  isInTransaction,
  type SessionEvent,
  type SessionState,
  sessionRefusal,
  stepOf,
  steps,
} from './states.ts'

/** state event → next state | what happens to the connection to the hop | what the sender is answered */
const rows = `
  idle mail → opening
  idle bounce → deferred
  idle refused → idle
  idle recipient → idle | keep | 503 5.5.1
  idle data → idle | keep | 503 5.5.1
  idle sender_left → closed | quit
  opening other_hop → opening | quit
  opening kept_hop_lost → opening | quit
  opening accepted → open
  opening refused → idle
  opening hop_lost → idle | keep | 451 4.4.1
  opening sender_left → leaving
  open mail → opening
  open bounce → deferred
  open refused → idle
  open recipient → open
  open data → receiving
  open hop_lost → open | keep | 451 4.4.1
  open sender_left → closed | quit
  deferred mail → opening
  deferred bounce → deferred
  deferred refused → idle
  deferred recipient → deferred
  deferred data → receiving
  deferred sender_left → closed | quit
  receiving received → passing
  receiving refused → idle
  receiving sender_left → leaving | destroy
  passing other_hop → passing | quit
  passing kept_hop_lost → passing | quit
  passing last_byte → ending
  passing refused → idle
  passing hop_lost → idle | keep | 451 4.4.1
  passing sender_left → leaving | destroy
  ending delivered → idle
  ending refused → idle
  ending hop_lost → idle | keep | 451 4.4.1
  ending sender_left → leaving
  leaving other_hop → leaving | quit
  leaving kept_hop_lost → leaving | quit
  leaving accepted → closed | quit | 451 4.4.2
  leaving refused → closed | quit
  leaving received → leaving
  leaving last_byte → leaving
  leaving delivered → closed | quit
  leaving hop_lost → closed | quit | 451 4.4.1
  closed refused → closed
  closed hop_lost → closed | keep | 451 4.4.1
`
  .trim()
  .split('\n')
  .map(line => line.trim())

describe('a session', () => {
  it.each(rows)('%s', row => {
    const [, state, event] = /^(\w+) (\w+)/.exec(row) ?? []
    const { next, hop, answer } = stepOf(state as SessionState, event as SessionEvent)
    const refusal = answer && sessionRefusal(answer)
    const parts = [next, hop, refusal && `${refusal.responseCode} ${refusal.message.slice(0, 5)}`]
    if (!refusal) parts.splice(hop === 'keep' ? 1 : 2)
    expect(`${state} ${event} → ${parts.join(' | ')}`).toBe(row)
  })

  it('meets no other event', () => {
    const events = Object.entries(steps).flatMap(([state, row]) =>
      Object.keys(row).map(event => `${state} ${event}`),
    )
    expect(events.toSorted()).toEqual(rows.map(row => row.split(' → ')[0]).toSorted())
    expect(() => stepOf('receiving', 'mail')).toThrow('a session that is receiving cannot meet mail')
  })

  it('is over only when its sender has left, and leads to no state without a way out', () => {
    for (const [state, row] of Object.entries(steps)) {
      const next = new Set(Object.values(row).map(step => step.next))
      expect(next.size, state).toBeGreaterThan(0)
      if (isInTransaction(state as SessionState)) expect([...next].some(other => other !== state)).toBe(true)
      if (state !== 'leaving' && state !== 'closed')
        expect(['leaving', 'closed']).toContain(row.sender_left?.next)
    }
  })

  it('gives a message to no hop after its sender has left, unless the hop can have it already', () => {
    const deeds = Object.entries(steps).flatMap(([state, { sender_left }]) =>
      hasMessage(state as SessionState) ? [[state, sender_left?.hop]] : [],
    )
    expect(deeds).toEqual([
      ['receiving', 'destroy'],
      ['passing', 'destroy'],
      ['ending', 'keep'],
    ])
  })

  it('keeps the fault of a hop for the log', () => {
    const fault = new Error('the connection was closed')
    expect(asRefusal(sessionRefusal('hop_away', fault)).cause).toBe(fault)
  })
})
