// Which lists have a text that another text contains, in one pass over it (Aho and Corasick's automaton). Searching for
// each of 5,000 texts alone would take a tenth of a second for one long value.

/** Characters by small numbers, so that an edge of the automaton is one integer that V8 need not put on its heap. */
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
  /** By `node * letters + letter`. */
  readonly next: Map<number, number>
  readonly letters: number
  readonly nodes: number
  readonly parents: Int32Array
  /** Which letter leads to a node. */
  readonly letterTo: Int32Array
  /** The lists that have the text which ends at a node. */
  readonly ends: ReadonlyMap<number, readonly number[]>
  /** Parents before their children's children: in the order of their depth. */
  readonly byDepth: Int32Array
}

function trieOf(lists: readonly (readonly string[])[], alphabet: ReadonlyMap<number, number>): Trie {
  const most = lists.flat().reduce((sum, text) => sum + text.length, 1)
  const letters = Math.max(1, alphabet.size)
  const next = new Map<number, number>()
  const parents = new Int32Array(most)
  const letterTo = new Int32Array(most)
  const depths = new Int32Array(most)
  const ends = new Map<number, number[]>()
  let nodes = 1
  const add = (text: string, list: number) => {
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
    const others = ends.get(node)
    if (others) others.push(list)
    else ends.set(node, [list])
  }
  lists.forEach((texts, list) => {
    for (const text of texts) add(text, list)
  })
  return { next, letters, nodes, parents, letterTo, ends, byDepth: sortedByDepth(depths.subarray(0, nodes)) }
}

function sortedByDepth(depths: Int32Array): Int32Array {
  const starts = new Int32Array(depths.reduce((most, depth) => Math.max(most, depth), 0) + 2)
  for (const depth of depths) starts[depth + 1] = (starts[depth + 1] ?? 0) + 1
  for (let depth = 1; depth < starts.length; depth++)
    starts[depth] = (starts[depth] ?? 0) + (starts[depth - 1] ?? 0)
  const sorted = new Int32Array(depths.length)
  depths.forEach((depth, node) => {
    const at = starts[depth] ?? 0
    sorted[at] = node
    starts[depth] = at + 1
  })
  return sorted
}

/** By list, 1 where one of its texts is contained. */
export type SubstringMatcher = (text: string) => Uint8Array

export function createSubstringMatcher(lists: readonly (readonly string[])[]): SubstringMatcher {
  const alphabet = alphabetOf(lists.flat())
  const { next, letters, nodes, parents, letterTo, ends, byDepth } = trieOf(lists, alphabet)
  /** The node of the longest proper suffix that is a beginning too: where to go on when no edge fits. */
  const fallbacks = new Int32Array(nodes)
  /** Whether a text ends at a node or at one of its fallbacks. */
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

  /** The number of the search that came by last: whatever ends at a node is noted once per search. */
  const seenBy = new Int32Array(nodes)
  let search = 0

  return text => {
    search += 1
    const found = new Uint8Array(lists.length)
    let missing = lists.length
    const note = (end: number) => {
      for (let node = end; isEnd[node] && seenBy[node] !== search; node = fallbacks[node] ?? 0) {
        seenBy[node] = search
        for (const list of ends.get(node) ?? []) {
          if (found[list] === 0) missing -= 1
          found[list] = 1
        }
      }
    }
    let node = 0
    note(node)
    for (let i = 0; i < text.length && missing > 0; i++) {
      const letter = alphabet.get(text.charCodeAt(i))
      node = letter === undefined ? 0 : follow(node, letter)
      note(node)
    }
    return found
  }
}
