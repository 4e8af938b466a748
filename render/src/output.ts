// Writes HTML: constants that are known at compile time, and values between them. Between two values the same sequences
// of constants occur for every person, so each sequence is joined once and cached. Little is left to join per person.

/** A node in the cache: constants that are joined, and the nodes for the constants that followed. */
interface Glue {
  readonly text: string
  readonly next: Map<string, Glue>
}

export interface Output {
  html: string
  /** Joined constants that are not in `html` yet. */
  glue: Glue
  readonly memory: ConstantCache
}

/** The cache of one template. */
export interface ConstantCache {
  readonly start: Glue
  size: number
}

const newGlue = (text: string): Glue => ({ text, next: new Map() })
export const newMemory = (): ConstantCache => ({ start: newGlue(''), size: 0 })
export const newOutput = (memory: ConstantCache): Output => ({ html: '', glue: memory.start, memory })

/**
 * The limit of the cache, in characters. Different missing values make new sequences; at the limit the cache is
 * cleared.
 */
const maxCached = 500_000
/** Constants above this length are not joined with others. */
const maxJoined = 2_000

export function addConstant(out: Output, text: string): void {
  if (text.length > maxJoined || out.glue.text.length > maxJoined) addValue(out, '')
  if (text.length > maxJoined) out.html += text
  else out.glue = out.glue.next.get(text) ?? cacheJoined(out, text)
}

/**
 * V8 stores a joined string as a tree of its parts until a character is read. Reading one makes it flat, which is
 * faster.
 */
function flatten(text: string): string {
  text.charCodeAt(0)
  return text
}

function cacheJoined({ glue, memory }: Output, text: string): Glue {
  if (memory.size >= maxCached) {
    memory.start.next.clear()
    memory.size = 0
  }
  memory.size += glue.text.length + text.length
  const joined = newGlue(flatten(glue.text + text))
  glue.next.set(text, joined)
  return joined
}

export function addValue(out: Output, text: string): void {
  out.html += out.glue.text + text
  out.glue = out.memory.start
}

export const htmlOf = ({ html, glue }: Output): string => html + glue.text
