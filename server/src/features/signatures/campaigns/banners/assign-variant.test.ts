import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assignVariant } from './assign-variant.ts'

const campaign = '01a1e0a4-15b9-71f7-98af-f25f4b8294b4'
const people = Array.from({ length: 20_000 }, () => randomUUID())
const variants = (...weights: number[]) => weights.map((weight, n) => ({ id: `variant-${n}`, weight }))

describe('the variant of an address', () => {
  it('has a weight above 0 and is always the same', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(5), { maxLength: 6 }), fc.uuid(), fc.uuid(), (weights, id, email) => {
        const list = variants(...weights)
        const variant = assignVariant(id, email, list)
        expect(variant).toEqual(assignVariant(id, email, [...list].reverse()))
        if (weights.every(weight => weight === 0)) expect(variant).toBeUndefined()
        else expect(variant?.weight).toBeGreaterThan(0)
      }),
    )
  })

  it('is distributed in proportion to the weights', () => {
    const counts = Map.groupBy(people, email => assignVariant(campaign, email, variants(1, 3))?.id)
    expect((counts.get('variant-1')?.length ?? 0) / people.length).toBeCloseTo(0.75, 1.6)
  })

  it('differs between campaigns', () => {
    const same = people.filter(
      email =>
        assignVariant(campaign, email, variants(1, 1))?.id ===
        assignVariant('another', email, variants(1, 1))?.id,
    )
    expect(same.length / people.length).toBeCloseTo(0.5, 1.6)
  })

  it('changes for as few addresses as possible when variants change', () => {
    const moved = people.filter(
      email =>
        assignVariant(campaign, email, variants(1, 1))?.id !==
        assignVariant(campaign, email, variants(1, 1, 1))?.id,
    )
    // A third of the addresses moves to the new variant, and none moves between the old variants.
    expect(moved.length / people.length).toBeCloseTo(1 / 3, 1.6)
    expect(moved.every(email => assignVariant(campaign, email, variants(1, 1, 1))?.id === 'variant-2')).toBe(
      true,
    )
  })
})
