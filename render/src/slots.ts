// Marketing blocks are slots for banners. While no campaign runs, content is drawn as if it had none: a block that is
// only left empty would still count in the gaps, paddings and columns around it.
import type { Content } from './content.ts'

interface Node {
  readonly type: string
  readonly visible?: boolean
  readonly campaignUuid?: string
  readonly children?: readonly Node[]
}

/** The campaigns that the visible slots name; undefined for a slot of any campaign. */
export function slotsIn(content: Content): readonly (string | undefined)[] {
  const slots: (string | undefined)[] = []
  const visit = ({ type, visible, campaignUuid, children = [] }: Node): void => {
    if (visible === false) return
    if (type === 'marketing') slots.push(campaignUuid)
    children.forEach(visit)
  }
  visit(content as unknown as Node)
  return slots
}

const isLine = ({ type, children = [] }: Node): boolean =>
  type === 'divider' || (type === 'stack' && children.length > 0 && children.every(isLine))

/** Lines that stand alone with a slot vanish with its banner. */
export function withoutSlots(content: Content): Content {
  const strip = (node: Node): Node => {
    if (!node.children) return node
    const rest = node.children.filter(({ type }) => type !== 'marketing').map(strip)
    const areLinesLeft = rest.length < node.children.length && rest.every(isLine)
    return { ...node, children: areLinesLeft ? [] : rest }
  }
  return strip(content as unknown as Node) as unknown as Content
}
