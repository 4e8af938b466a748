// Whether a text contains one of many others, in one pass over it (Aho and Corasick's automaton). Searching for each of
// 10,000 texts alone would take a second for one long value.

/** The edge from a node by a UTF-16 code unit, as a key of one map. */
const edge = (node: number, unit: number): number => node * 65_536 + unit

export function containsAny(wanted: readonly string[]): (text: string) => boolean {
  const next = new Map<number, number>()
  const parents = [0]
  const units = [0]
  const depths = [0]
  const isEnd = [false]
  for (const text of wanted) {
    let node = 0
    for (let i = 0; i < text.length; i++) {
      const key = edge(node, text.charCodeAt(i))
      let child = next.get(key)
      if (child === undefined) {
        child = parents.push(node) - 1
        units.push(text.charCodeAt(i))
        depths.push(i + 1)
        isEnd.push(false)
        next.set(key, child)
      }
      node = child
    }
    isEnd[node] = true
  }

  /** The node of the longest proper suffix that is a beginning too: where to go on when no edge fits. */
  const fallbacks = new Int32Array(parents.length)
  const follow = (from: number, unit: number): number => {
    let node = from
    for (;;) {
      const child = next.get(edge(node, unit))
      if (child !== undefined) return child
      if (node === 0) return 0
      node = fallbacks[node] ?? 0
    }
  }
  const byDepth = [...parents.keys()].sort((a, b) => (depths[a] ?? 0) - (depths[b] ?? 0))
  for (const node of byDepth) {
    if ((depths[node] ?? 0) <= 1) continue
    const fallback = follow(fallbacks[parents[node] ?? 0] ?? 0, units[node] ?? 0)
    fallbacks[node] = fallback
    if (isEnd[fallback]) isEnd[node] = true
  }

  return text => {
    let node = 0
    if (isEnd[node]) return true
    for (let i = 0; i < text.length; i++) {
      node = follow(node, text.charCodeAt(i))
      if (isEnd[node]) return true
    }
    return false
  }
}
