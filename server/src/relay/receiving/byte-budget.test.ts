import fc from 'fast-check'
import { expect, it } from 'vitest'
import { runs } from '#test/support/runs.ts'
import { ByteBudget } from './byte-budget.ts'

const total = 10

/** Requests in the order in which they came, and what the rule makes of them: the first one waits, and all behind it. */
class Model {
  readonly held = new Map<number, number>()
  readonly waiting: { readonly id: number; readonly bytes: number }[] = []

  get taken(): number {
    return [...this.held.values()].reduce((sum, bytes) => sum + bytes, 0)
  }

  serve(): void {
    for (let [first] = this.waiting; first && this.taken + first.bytes <= total; [first] = this.waiting) {
      this.waiting.shift()
      this.held.set(first.id, first.bytes)
    }
  }
}

it('is never exceeded, serves in the order of the requests, and gets everything back, also from clients that leave', async () => {
  const action = fc.oneof(
    fc.record({ take: fc.integer({ min: 0, max: total }) }),
    fc.record({ end: fc.nat({ max: 20 }) }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 60 }), async actions => {
      const budget = new ByteBudget(total)
      const model = new Model()
      const clients: { readonly leave: AbortController; giveBack?: () => void; isRefused?: true }[] = []
      const compare = async () => {
        await new Promise(setImmediate)
        model.serve()
        expect(budget.takenBytes).toBe(model.taken)
        expect(budget.takenBytes).toBeLessThanOrEqual(total)
        expect(clients.flatMap(({ giveBack }, id) => (giveBack ? [id] : []))).toEqual(
          [...model.held.keys()].sort((a, b) => a - b),
        )
      }
      /** Gives back what it holds, or leaves the queue. */
      const end = (id: number) => {
        const client = clients[id]
        client?.giveBack?.()
        client?.leave.abort(new Error('left'))
        if (client) delete client.giveBack
        model.held.delete(id)
        const at = model.waiting.findIndex(waiter => waiter.id === id)
        if (at >= 0) model.waiting.splice(at, 1)
      }
      for (const next of actions) {
        if ('end' in next) end(next.end)
        else {
          const client: (typeof clients)[number] = { leave: new AbortController() }
          model.waiting.push({ id: clients.push(client) - 1, bytes: next.take })
          budget.take(next.take, client.leave.signal).then(
            giveBack => {
              client.giveBack = giveBack
            },
            () => {
              client.isRefused = true
            },
          )
        }
        await compare()
      }
      for (const id of clients.keys()) {
        end(id)
        await compare()
      }
      expect(budget.takenBytes).toBe(0)
      expect(clients.every(({ giveBack }) => !giveBack)).toBe(true)
    }),
    { numRuns: runs(200) },
  )
})

it('refuses more than there is, and a client that has left before', async () => {
  const budget = new ByteBudget(total)
  await expect(budget.take(total + 1, new AbortController().signal)).rejects.toThrow('has no 11')
  await expect(budget.take(1, AbortSignal.abort(new Error('left')))).rejects.toThrow('left')
  expect(budget.takenBytes).toBe(0)
})
