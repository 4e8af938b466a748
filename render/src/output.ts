// Writes HTML: constants that are known at compile time, and values between them. Between two values the same sequences
// of constants occur for every person, so each sequence is joined once and cached. Little is left to join per person.

/** A node in the cache: constants that are joined, and the nodes for the constants that followed. */
interface JoinedConstants {
  readonly text: string
  readonly next: Map<string, JoinedConstants>
}

export interface Output {
  html: string
  /** Joined constants that are not in `html` yet. */
  pendingConstants: JoinedConstants
  readonly cache: ConstantCache
}

/** The cache of one template. */
export interface ConstantCache {
  readonly start: JoinedConstants
  size: number
}

const newJoinedConstants = (text: string): JoinedConstants => ({ text, next: new Map() })
export const newConstantCache = (): ConstantCache => ({ start: newJoinedConstants(''), size: 0 })
export const newOutput = (cache: ConstantCache): Output => ({
  html: '',
  pendingConstants: cache.start,
  cache,
})

/**
 * The limit of the cache, in characters. Different missing values make new sequences; at the limit the cache is
 * cleared.
 */
const maxCached = 500_000
/** Constants above this length are not joined with others. */
const maxJoined = 2_000

export function addConstant(out: Output, text: string): void {
  if (text.length > maxJoined || out.pendingConstants.text.length > maxJoined) addValue(out, '')
  if (text.length > maxJoined) out.html += text
  else out.pendingConstants = out.pendingConstants.next.get(text) ?? cacheJoined(out, text)
}

/**
 * V8 stores a joined string as a tree of its parts until a character is read. Reading one makes it flat, which is
 * faster.
 */
function flatten(text: string): string {
  text.charCodeAt(0)
  return text
}

function cacheJoined({ pendingConstants, cache }: Output, text: string): JoinedConstants {
  if (cache.size >= maxCached) {
    cache.start.next.clear()
    cache.size = 0
  }
  cache.size += pendingConstants.text.length + text.length
  const joined = newJoinedConstants(flatten(pendingConstants.text + text))
  pendingConstants.next.set(text, joined)
  return joined
}

export function addValue(out: Output, text: string): void {
  out.html += out.pendingConstants.text + text
  out.pendingConstants = out.cache.start
}

export const htmlOf = ({ html, pendingConstants }: Output): string => html + pendingConstants.text
