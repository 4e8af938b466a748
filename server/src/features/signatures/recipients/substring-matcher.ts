// Finds which lists have an entry that occurs in a text, in one pass over the text (Aho-Corasick automaton). Searching
// for each of 5,000 entries separately would take a tenth of a second for one long value.

/** Numbers the characters, so an edge of the automaton is a small integer that V8 does not allocate on its heap. */
function alphabetOf(texts: readonly string[]): Map<number, number> {
  const alphabet = new Map<number, number>()
  for (const text of texts)
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i)
      if (!alphabet.has(unit)) alphabet.set(unit, alphabet.size)
    }
  return alphabet
}

interface Trie {
  /** Child nodes, keyed by `node * letters + letter`. */
  readonly next: Map<number, number>
  readonly letters: number
  readonly nodes: number
  readonly parents: Int32Array
  /** The letter on the edge to a node. */
  readonly letterTo: Int32Array
  /** Lists that have the text which ends at a node, by node. */
  readonly ends: ReadonlyMap<number, readonly number[]>
  /** Nodes sorted by depth, parents before children. */
  readonly byDepth: Int32Array
}

function trieOf(lists: readonly (readonly string[])[], alphabet: ReadonlyMap<number, number>): Trie {
  const maxNodes = lists.flat().reduce((sum, text) => sum + text.length, 1)
  const letters = Math.max(1, alphabet.size)
  const next = new Map<number, number>()
  const parents = new Int32Array(maxNodes)
  const letterTo = new Int32Array(maxNodes)
  const depths = new Int32Array(maxNodes)
  const ends = new Map<number, number[]>()
  let nodes = 1
  const addText = (text: string, list: number) => {
    let node = 0
    for (let i = 0; i < text.length; i++) {
      const letter = alphabet.get(text.charCodeAt(i)) ?? 0
      const edge = node * letters + letter
      let child = next.get(edge)
      if (child === undefined) {
        child = nodes++
        next.set(edge, child)
        parents[child] = node
        letterTo[child] = letter
        depths[child] = i + 1
      }
      node = child
    }
    const listsAtNode = ends.get(node)
    if (listsAtNode) listsAtNode.push(list)
    else ends.set(node, [list])
  }
  lists.forEach((texts, list) => {
    for (const text of texts) addText(text, list)
  })
  return { next, letters, nodes, parents, letterTo, ends, byDepth: sortedByDepth(depths.subarray(0, nodes)) }
}

function sortedByDepth(depths: Int32Array): Int32Array {
  const starts = new Int32Array(depths.reduce((max, depth) => Math.max(max, depth), 0) + 2)
  for (const depth of depths) starts[depth + 1] = (starts[depth + 1] ?? 0) + 1
  for (let depth = 1; depth < starts.length; depth++)
    starts[depth] = (starts[depth] ?? 0) + (starts[depth - 1] ?? 0)
  const sorted = new Int32Array(depths.length)
  depths.forEach((depth, node) => {
    const position = starts[depth] ?? 0
    sorted[position] = node
    starts[depth] = position + 1
  })
  return sorted
}

/** Returns, by list, 1 where the text contains one of the list's entries. */
export type SubstringMatcher = (text: string) => Uint8Array

export function createSubstringMatcher(lists: readonly (readonly string[])[]): SubstringMatcher {
  const alphabet = alphabetOf(lists.flat())
  const { next, letters, nodes, parents, letterTo, ends, byDepth } = trieOf(lists, alphabet)
  /** Node of the longest proper suffix that is also a prefix, by node. The search goes there when no edge matches. */
  const fallbacks = new Int32Array(nodes)
  /** 1 when a text ends at a node or at one of its fallbacks, by node. */
  const isEnd = new Uint8Array(nodes)
  for (const node of ends.keys()) isEnd[node] = 1

  const follow = (from: number, letter: number): number => {
    let node = from
    for (;;) {
      const child = next.get(node * letters + letter)
      if (child !== undefined) return child
      if (node === 0) return 0
      node = fallbacks[node] ?? 0
    }
  }

  for (const node of byDepth) {
    const parent = parents[node] ?? 0
    if (node === 0 || parent === 0) continue
    const fallback = follow(fallbacks[parent] ?? 0, letterTo[node] ?? 0)
    fallbacks[node] = fallback
    if (isEnd[fallback]) isEnd[node] = 1
  }

  /** Number of the last search that visited a node, by node. A search records the ends of a node once. */
  const seenBy = new Int32Array(nodes)
  let search = 0

  return text => {
    search += 1
    const matches = new Uint8Array(lists.length)
    let unmatched = lists.length
    const recordEnds = (end: number) => {
      for (let node = end; isEnd[node] && seenBy[node] !== search; node = fallbacks[node] ?? 0) {
        seenBy[node] = search
        for (const list of ends.get(node) ?? []) {
          if (matches[list] === 0) unmatched -= 1
          matches[list] = 1
        }
      }
    }
    let node = 0
    recordEnds(node)
    for (let i = 0; i < text.length && unmatched > 0; i++) {
      const letter = alphabet.get(text.charCodeAt(i))
      node = letter === undefined ? 0 : follow(node, letter)
      recordEnds(node)
    }
    return matches
  }
}
