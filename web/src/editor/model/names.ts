// The names that people gave to blocks: a copy gets one of its own, so that both can be told apart.
import type { Content } from '@signoff/render'
import type { AnyBlock } from '#records/content/block.ts'
import { blocksIn } from './tree.ts'

const longest = 200

/** Blocks whose name is taken get the next number: `Contacts`, `Contacts 2`. */
export function withFreeNames(root: Content, blocks: readonly AnyBlock[]): readonly AnyBlock[] {
  const taken = new Set([...blocksIn(root)].map(({ displayName }) => displayName))
  return blocks.map(block => {
    if (!block.displayName) return block
    const displayName = freeName(block.displayName, taken)
    taken.add(displayName)
    return { ...block, displayName }
  })
}

function freeName(name: string, taken: ReadonlySet<string | undefined>): string {
  if (!taken.has(name)) return name
  const base = name.replace(/ \d{1,4}$/, '').slice(0, longest - 5)
  let number = 2
  while (taken.has(`${base} ${number}`)) number++
  return `${base} ${number}`
}
