// Checks the text of an XML document before it is parsed: in one pass, without building anything. What it lets through
// is small, flat and free of declarations, so that parsing it takes milliseconds.

export interface XmlLimits {
  readonly characters: number
  readonly elements: number
  readonly depth: number
  readonly attributes: number
  /** Limit for one element: parsers compare each attribute with all others. */
  readonly attributesOfElement: number
  /** Declarations of namespaces: canonicalization looks at all that are in scope, for each element. */
  readonly namespaces: number
  /** Comments and CDATA sections can hide a part of a text from one parser and show it to another. */
  readonly allowsComments: boolean
}

export const responseLimits: XmlLimits = {
  characters: 256 * 1024,
  elements: 2_000,
  depth: 40,
  attributes: 4_000,
  attributesOfElement: 50,
  namespaces: 64,
  allowsComments: false,
}

/**
 * Metadata of one provider. A federation's list of all its members is longer. Its signature is not verified, so that it
 * is not canonicalized; some providers declare a namespace at each claim. A comment counts as an element.
 */
export const metadataLimits: XmlLimits = {
  ...responseLimits,
  characters: 512 * 1024,
  namespaces: 500,
  allowsComments: true,
}

interface Tag {
  /** The position after the tag. */
  readonly end: number
  readonly attributes: number
  readonly namespaces: number
  readonly isEmpty: boolean
}

/** The end of a start tag: `>` inside a quoted value does not count. */
function readTag(text: string, start: number): Tag | undefined {
  let [attributes, namespaces] = [0, 0]
  const next = /["'>]/g
  for (let at = start; ; ) {
    next.lastIndex = at
    const match = next.exec(text)
    if (!match) return undefined
    if (match[0] === '>')
      return { end: match.index + 1, attributes, namespaces, isEmpty: text[match.index - 1] === '/' }
    const close = text.indexOf(match[0], match.index + 1)
    if (close === -1) return undefined
    attributes++
    if (text.slice(at, match.index).includes('xmlns')) namespaces++
    at = close + 1
  }
}

const declaration = /^<\?xml [^<>?]{0,200}\?>/

class Counts {
  readonly #limits: XmlLimits
  #elements = 0
  #depth = 0
  #attributes = 0
  #namespaces = 0

  constructor(limits: XmlLimits) {
    this.#limits = limits
  }

  get isEmpty(): boolean {
    return this.#elements === 0
  }

  /** Also of a comment. */
  addElement(): void {
    this.#elements++
  }

  addTag({ attributes, namespaces, isEmpty }: Tag, isClosing: boolean): void {
    this.#attributes += attributes
    this.#namespaces += namespaces
    if (isClosing) this.#depth--
    else {
      this.addElement()
      if (!isEmpty) this.#depth++
    }
  }

  problem(attributesOfElement: number): string | undefined {
    const limits = this.#limits
    if (this.#depth > limits.depth) return `is nested more than ${limits.depth} levels deep`
    if (this.#elements > limits.elements) return `has more than ${limits.elements} elements`
    if (this.#attributes > limits.attributes) return `has more than ${limits.attributes} attributes`
    if (attributesOfElement > limits.attributesOfElement)
      return `has an element with more than ${limits.attributesOfElement} attributes`
    if (this.#namespaces > limits.namespaces)
      return `has more than ${limits.namespaces} declarations of namespaces`
    return undefined
  }
}

/** A phrase that follows "the document …"; undefined when it is within the limits. */
export function xmlProblem(text: string, limits: XmlLimits): string | undefined {
  if (text.length > limits.characters) return `has more than ${limits.characters} characters`
  const counts = new Counts(limits)
  let at = declaration.exec(text)?.[0].length ?? 0
  for (at = text.indexOf('<', at); at !== -1; at = text.indexOf('<', at)) {
    let attributes = 0
    if (text.startsWith('<!--', at)) {
      if (!limits.allowsComments) return 'has a comment'
      const end = text.indexOf('-->', at + 4)
      if (end === -1) return 'is not complete'
      counts.addElement()
      at = end + 3
    } else if (text[at + 1] === '!') return 'has a declaration or a CDATA section'
    else if (text[at + 1] === '?') return 'has a processing instruction'
    else {
      const tag = readTag(text, at + 1)
      if (!tag) return 'is not complete'
      counts.addTag(tag, text[at + 1] === '/')
      attributes = tag.attributes
      at = tag.end
    }
    const problem = counts.problem(attributes)
    if (problem !== undefined) return problem
  }
  return counts.isEmpty ? 'is not XML' : undefined
}
