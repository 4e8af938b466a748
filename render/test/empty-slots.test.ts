// A place for banners takes no room in a mail while no campaign runs.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Content, compile } from '../src/index.ts'
import { cardHooks, personPicture, surroundings, withIds } from './support/surroundings.ts'
import { content, person } from './support/trees.ts'

interface Node {
  readonly type: string
  children?: Node[]
}

const isLine = ({ type, children = [] }: Node): boolean =>
  type === 'divider' || (type === 'stack' && children.length > 0 && children.every(isLine))

const stacksIn = (node: Node): Node[] =>
  node.type === 'stack' ? [node, ...(node.children ?? []).flatMap(stacksIn)] : []

/** A copy with a slot somewhere. Undefined where only lines stand beside it: these vanish with the banner. */
function withSlot(tree: Content, choice: number, slot: Node): Content | undefined {
  const copy = structuredClone(tree) as unknown as Node
  const stacks = stacksIn(copy)
  const parent = stacks[choice % stacks.length] as Node
  const children = parent.children ?? []
  if (children.length > 0 && children.every(isLine)) return undefined
  parent.children = children.toSpliced(choice % (children.length + 1), 0, slot)
  return copy as unknown as Content
}

const pixels = fc.integer({ min: 0, max: 40 })
const slot = fc.record({
  type: fc.constant('marketing'),
  id: fc.constant('slot'),
  blockStyle: fc.record({ marginTop: pixels, paddingLeft: pixels, backgroundColor: fc.constant('#ff0000') }),
})
const workspace = { ...surroundings(), personPicture }
const hooks = { ...cardHooks, pixel: () => 'https://sign.example/p/1' }

describe('a marketing block without a campaign', () => {
  it('leaves the same bytes as no block, anywhere in any content', () => {
    fc.assert(
      fc.property(content, person, slot, fc.nat(1_000), (tree, somePerson, block, choice) => {
        const filled = withIds(tree)
        const slotted = withSlot(filled, choice, block)
        if (!slotted) return
        const { html, text } = compile(slotted, workspace).render(somePerson, hooks)
        const plain = compile(filled, workspace).render(somePerson, hooks)
        expect({ html, text }).toEqual({ html: plain.html, text: plain.text })
      }),
      { numRuns: 500 },
    )
  })

  it('takes the line above it along', () => {
    const banner: Content = { type: 'stack', children: [{ type: 'divider' }, { type: 'marketing' }] }
    expect(compile(banner, workspace).render({}).html).toBe('')
  })

  it('keeps its warning', () => {
    const children = [{ type: 'marketing', id: 'slot', campaignUuid: 'gone' } as const]
    const { warnings } = compile({ type: 'stack', children }, workspace).render({})
    expect(warnings).toMatchObject([{ code: 'unknown_reference', id: 'slot' }])
  })
})
