// How many copies of elements the `<use>` of an SVG ask for. Twenty-five groups that use each other six times are a
// short text, and more elements than any machine draws.

interface ReferencedGroup {
  /** Groups inside this one, and ids that it uses. */
  readonly parts: (ReferencedGroup | string)[]
  elements: number
  /** Unset until it is counted; null while its parts are counted. */
  total?: number | null
}

const tagPattern = /<(\/?)([a-z][\w:.-]{0,50})((?:[\s/][^<>]*)?)>/gi
const idPattern = /\sid\s*=\s*["']([^"']*)["']/
const targetPattern = /href\s*=\s*["']\s*#([^"']*)["']/

/** Groups that use each other in a longer chain than this count as endless. */
const longestChain = 500

/** True if there are more elements, with all that uses repeat. Approximate, because the text can be invalid XML; time is linear in its length. */
export function hasMoreElements(text: string, most: number): boolean {
  const root: ReferencedGroup = { parts: [], elements: 0 }
  const byId = new Map<string, ReferencedGroup>()
  const open: ReferencedGroup[] = [root]
  let elements = 0
  for (const [, slash, name = '', attributes = ''] of text.matchAll(tagPattern)) {
    const parent = open.at(-1) ?? root
    if (slash) {
      if (open.length > 1) open.pop()
      continue
    }
    if (++elements > most) return true
    const id = idPattern.exec(attributes)?.[1]
    let group = parent
    if (id !== undefined) {
      group = { parts: [], elements: 0 }
      byId.set(id, group)
      parent.parts.push(group)
    }
    group.elements++
    const target = /^(.*:)?use$/i.test(name) ? targetPattern.exec(attributes)?.[1] : undefined
    if (target !== undefined) group.parts.push(target)
    if (!attributes.endsWith('/')) open.push(group)
  }
  return totalOf(root, byId, 0) > most
}

function totalOf(group: ReferencedGroup, byId: ReadonlyMap<string, ReferencedGroup>, depth: number): number {
  if (group.total !== undefined) return group.total ?? 0 // librsvg refuses a group that uses itself
  if (depth > longestChain) return Number.POSITIVE_INFINITY
  group.total = null
  let total = group.elements
  for (const part of group.parts) {
    const used = typeof part === 'string' ? byId.get(part) : part
    if (used) total += totalOf(used, byId, depth + 1)
  }
  group.total = total
  return total
}
