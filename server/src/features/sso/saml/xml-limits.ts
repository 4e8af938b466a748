// Checks the text of an XML document before it is parsed: in one pass, without building anything. What it lets through
// is small, flat and free of declarations, so that parsing it takes milliseconds.

export interface XmlLimits {
  readonly characters: number
  readonly elements: number
  readonly depth: number
  readonly attributes: number
  /** Comments and CDATA sections can hide a part of a text from one parser and show it to another. */
  readonly allowsComments: boolean
}

export const responseLimits: XmlLimits = {
  characters: 256 * 1024,
  elements: 2_000,
  depth: 40,
  attributes: 4_000,
  allowsComments: false,
}

/** Metadata of one provider. A federation's list of all its members is longer. */
export const metadataLimits: XmlLimits = { ...responseLimits, characters: 512 * 1024, allowsComments: true }

interface Tag {
  /** The position after the tag. */
  readonly end: number
  readonly attributes: number
  readonly isEmpty: boolean
}

/** The end of a start tag: `>` inside a quoted value does not count. */
function readTag(text: string, start: number): Tag | undefined {
  let attributes = 0
  const next = /["'>]/g
  for (let at = start; ; ) {
    next.lastIndex = at
    const found = next.exec(text)
    if (!found) return undefined
    if (found[0] === '>') return { end: found.index + 1, attributes, isEmpty: text[found.index - 1] === '/' }
    const close = text.indexOf(found[0], found.index + 1)
    if (close === -1) return undefined
    attributes++
    at = close + 1
  }
}

const declaration = /^<\?xml [^<>?]{0,200}\?>/

/** A phrase that follows "the document …"; undefined when it is within the limits. */
export function xmlProblem(text: string, limits: XmlLimits): string | undefined {
  if (text.length > limits.characters) return `has more than ${limits.characters} characters`
  let [elements, depth, attributes] = [0, 0, 0]
  let at = declaration.exec(text)?.[0].length ?? 0
  for (at = text.indexOf('<', at); at !== -1; at = text.indexOf('<', at)) {
    if (text.startsWith('<!--', at) && limits.allowsComments) {
      const end = text.indexOf('-->', at + 4)
      if (end === -1) return 'is not complete'
      at = end + 3
    } else if (text.startsWith('<!--', at)) return 'has a comment'
    else if (text[at + 1] === '!') return 'has a declaration or a CDATA section'
    else if (text[at + 1] === '?') return 'has a processing instruction'
    else {
      const isClosing = text[at + 1] === '/'
      const tag = readTag(text, at + 1)
      if (!tag) return 'is not complete'
      attributes += tag.attributes
      if (isClosing) depth--
      else {
        elements++
        if (!tag.isEmpty) depth++
      }
      if (depth > limits.depth) return `is nested more than ${limits.depth} levels deep`
      if (elements > limits.elements) return `has more than ${limits.elements} elements`
      if (attributes > limits.attributes) return `has more than ${limits.attributes} attributes`
      at = tag.end
    }
  }
  return elements === 0 ? 'is not XML' : undefined
}
