// Which blocks differ between two contents, as a plain list. Blocks are compared by their ids.
import { iconLabel, type Content as RenderedContent } from '@signoff/render'
import type { Content } from '@signoff/sdk'
import { canonical } from '../content/block-index.ts'

interface Block {
  readonly type: string
  readonly id?: string
  readonly displayName?: string
  readonly children?: readonly Block[]
  readonly tokens?: readonly { readonly value?: string }[]
  readonly [property: string]: unknown
}

export interface BlockChange {
  readonly id: string
  readonly change: 'added' | 'removed' | 'changed' | 'moved'
  readonly type: string
  /** The name that the author gave it, or its text; empty when it has neither. */
  readonly name: string
  /** Only of a changed block: the properties that differ. */
  readonly properties: readonly string[]
}

interface BlockPosition {
  readonly block: Block
  readonly parent: string
}

function blockPositions(root: Block): Map<string, BlockPosition> {
  const positions = new Map<string, BlockPosition>()
  const visit = (block: Block, parent: string) => {
    const id = block.id ?? `${parent}/${positions.size}`
    positions.set(id, { block, parent })
    for (const child of block.children ?? []) visit(child, id)
  }
  visit(root, '')
  return positions
}

const nameOf = ({ displayName, tokens, alt, name }: Block): string => {
  const text = (tokens ?? []).map(token => token.value ?? '').join('')
  const label = typeof name === 'string' ? iconLabel(name) : ''
  return displayName ?? (text.trim() || (typeof alt === 'string' && alt) || label)
}

/** Everything of a block but its children and its id. */
const ownProperties = ({ children, id, ...own }: Block): Readonly<Record<string, unknown>> => own

/** The service stores keys in an order of its own, and each save can give the tokens of a text other ids. */
const comparable = (value: unknown): string =>
  canonical(
    JSON.parse(JSON.stringify(value ?? null, (key, each: unknown) => (key === 'id' ? undefined : each))),
  )

function changedProperties(before: Block, after: Block): string[] {
  const [old, now] = [ownProperties(before), ownProperties(after)]
  return [...new Set([...Object.keys(old), ...Object.keys(now)])].filter(
    property => comparable(old[property]) !== comparable(now[property]),
  )
}

export function changesBetween(
  before: Content | RenderedContent,
  after: Content | RenderedContent,
): BlockChange[] {
  const [old, now] = [blockPositions(before as unknown as Block), blockPositions(after as unknown as Block)]
  const changes: BlockChange[] = []
  const note = (
    id: string,
    block: Block,
    change: BlockChange['change'],
    properties: readonly string[] = [],
  ) => changes.push({ id, change, type: block.type, name: nameOf(block).slice(0, 80), properties })
  for (const [id, { block, parent }] of now) {
    const earlier = old.get(id)
    if (!earlier) note(id, block, 'added')
    else {
      const properties = changedProperties(earlier.block, block)
      if (properties.length > 0) note(id, block, 'changed', properties)
      else if (earlier.parent !== parent) note(id, block, 'moved')
    }
  }
  for (const [id, { block }] of old) if (!now.has(id)) note(id, block, 'removed')
  return changes
}
