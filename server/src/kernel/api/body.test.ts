import type { IncomingMessage } from 'node:http'
import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { BodyBudget, readBody } from './body.ts'

const budget = (more: object = {}) =>
  new BodyBudget({ total: 100, perCaller: 60, waitMilliseconds: 20, waiting: 2, ...more })

describe('a budget for bodies', () => {
  it('admits at once while there is room, and counts what is released', async () => {
    const room = budget()
    const [first, second] = [await room.reserve('a', 40), await room.reserve('b', 60)]
    expect(room.used).toBe(100)
    first.shrinkTo(10)
    expect(room.used).toBe(70)
    first.release()
    first.release()
    second.release()
    expect(room.used).toBe(0)
  })

  it('lets a request wait for room, and refuses it with 503 and Retry-After when none becomes free', async () => {
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

  it('limits one caller, and leaves room for others', async () => {
    const room = budget()
    await room.reserve('a', 60)
    await expect(room.reserve('a', 1)).rejects.toMatchObject({ status: 503 })
    await room.reserve('b', 40)
    expect(room.used).toBe(100)
  })

  it('admits the first waiting request that fits', async () => {
    const room = budget({ waitMilliseconds: 60_000 })
    const first = await room.reserve('a', 60)
    await room.reserve('b', 40)
    const order: string[] = []
    const client = new AbortController()
    const large = Promise.resolve(room.reserve('c', 90, client.signal)).then(() => order.push('large'))
    const small = Promise.resolve(room.reserve('d', 50)).then(() => order.push('small'))
    first.release()
    await small
    expect(order).toEqual(['small'])
    client.abort()
    await Promise.allSettled([large])
  })

  it('refuses at once when too many wait', async () => {
    const room = budget({ waitMilliseconds: 60_000 })
    await room.reserve('a', 60)
    await room.reserve('b', 40)
    const client = new AbortController()
    const waiting = ['c', 'd'].map(caller => room.reserve(caller, 50, client.signal))
    await expect(room.reserve('e', 50)).rejects.toMatchObject({ status: 503 })
    client.abort()
    await Promise.allSettled(waiting)
  })

  it('admits a body that is larger than the limit, while there is no other', async () => {
    const room = budget()
    const huge = await room.reserve('a', 500)
    await expect(room.reserve('b', 1)).rejects.toMatchObject({ status: 503 })
    huge.release()
    await room.reserve('b', 1)
  })
})

describe('a body', () => {
  const stream = () => Object.assign(new PassThrough(), { headers: {} })
  const read = (body: PassThrough, bytes: number) =>
    readBody(body as unknown as IncomingMessage, 1_000, { bytes, milliseconds: 20 })

  it('that arrives too slowly is refused with 408', async () => {
    const body = stream()
    body.write('x')
    await expect(read(body, 2)).rejects.toMatchObject({ status: 408, code: 'request_timeout' })
  })

  it('that keeps the pace is read to its end', async () => {
    const body = stream()
    const timer = setInterval(() => body.write('xx'), 1)
    setTimeout(() => {
      clearInterval(timer)
      body.end('!')
    }, 60)
    expect(String(await read(body, 0))).toMatch(/^x+!$/)
  })
})
