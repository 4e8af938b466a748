import { describe, expect, it } from 'vitest'
import { BodyBudget } from './body.ts'

const budget = (more: object = {}) =>
  new BodyBudget({ total: 100, perCaller: 60, waitMilliseconds: 20, waiting: 2, ...more })

describe('room for bodies', () => {
  it('is given at once while there is some, and given back', async () => {
    const room = budget()
    const [one, two] = [await room.reserve('a', 40), await room.reserve('b', 60)]
    expect(room.used).toBe(100)
    one.shrinkTo(10)
    expect(room.used).toBe(70)
    one.release()
    one.release()
    two.release()
    expect(room.used).toBe(0)
  })

  it('is waited for, and refused with 503 and Retry-After when none comes', async () => {
    const room = budget()
    await room.reserve('a', 60)
    const held = await room.reserve('b', 40)
    await expect(room.reserve('c', 1)).rejects.toMatchObject({ status: 503, headers: { 'Retry-After': '2' } })
    const patient = budget({ waitMilliseconds: 60_000 })
    const first = await patient.reserve('a', 60)
    await patient.reserve('b', 40)
    const waiting = patient.reserve('c', 50)
    first.release()
    await waiting
    expect(patient.used).toBe(90)
    held.release()
  })

  it('of one caller is bounded, and leaves room for others', async () => {
    const room = budget()
    await room.reserve('a', 60)
    await expect(room.reserve('a', 1)).rejects.toMatchObject({ status: 503 })
    await room.reserve('b', 40)
    expect(room.used).toBe(100)
  })

  it('is given to the next one who fits', async () => {
    const room = budget({ waitMilliseconds: 60_000 })
    const first = await room.reserve('a', 60)
    await room.reserve('b', 40)
    const order: string[] = []
    const large = Promise.resolve(room.reserve('c', 90)).then(() => order.push('large'))
    const small = Promise.resolve(room.reserve('d', 50)).then(() => order.push('small'))
    first.release()
    await small
    expect(order).toEqual(['small'])
    void large
  })

  it('is refused at once when too many wait', async () => {
    const room = budget({ waitMilliseconds: 60_000 })
    await room.reserve('a', 60)
    await room.reserve('b', 40)
    void Promise.resolve(room.reserve('c', 50))
    void Promise.resolve(room.reserve('d', 50))
    await expect(room.reserve('e', 50)).rejects.toMatchObject({ status: 503 })
  })

  it('is given for one body that is larger than the bound, alone', async () => {
    const room = budget()
    const huge = await room.reserve('a', 500)
    await expect(room.reserve('b', 1)).rejects.toMatchObject({ status: 503 })
    huge.release()
    await room.reserve('b', 1)
  })
})
