// What an import leaves out or changes. Nothing is dropped without an entry here.
import type { DefaultTreeAdapterTypes } from 'parse5'

export const noteCodes = [
  'hidden',
  'tracking_pixel',
  'picture',
  'picture_not_fetched',
  'background_picture',
  'link',
  'script',
  'form',
  'media',
  'vml',
  'word_only',
  'font',
  'style',
  'layout',
  'limit',
] as const
export type NoteCode = (typeof noteCodes)[number]

export interface ImportNote {
  readonly code: NoteCode
  /** The part that was left out, in a few words. */
  readonly what: string
  /** Its position: the path of elements; null for the whole. */
  readonly where: string | null
}

const maxNotes = 100
const maxWords = 120
const maxSteps = 6

type Node = DefaultTreeAdapterTypes.Node
type Element = DefaultTreeAdapterTypes.Element

const isElement = (node: Node | null): node is Element => node !== null && 'tagName' in node

/** `td` is the second cell of its row: `td[2]`. */
function stepOf(element: Element): string {
  const siblings = element.parentNode?.childNodes ?? []
  const alike = siblings.filter(node => 'tagName' in node && node.tagName === element.tagName)
  const name = element.tagName.slice(0, 30)
  return alike.length > 1 ? `${name}[${alike.indexOf(element) + 1}]` : name
}

/** The path of an element, without the document around it. */
function whereIs(node: Node | null): string | null {
  const steps: string[] = []
  let at = node !== null && 'parentNode' in node && !isElement(node) ? (node.parentNode as Node | null) : node
  while (isElement(at) && !['html', 'body', 'head'].includes(at.tagName) && steps.length < maxSteps) {
    steps.unshift(stepOf(at))
    at = at.parentNode
  }
  return steps.length === 0 ? null : steps.join(' > ')
}

export class ImportNotes {
  readonly #notes: ImportNote[] = []
  readonly #seen = new Set<string>()
  #omitted = 0

  /** Adds an entry; equal entries are listed once. */
  add(code: NoteCode, what: string, node: Node | null = null): void {
    if (this.#notes.length >= maxNotes) {
      this.#omitted += 1
      return
    }
    const words = what.replace(/\s+/g, ' ').trim().toWellFormed()
    const short = words.length > maxWords ? `${words.slice(0, maxWords - 1).toWellFormed()}…` : words
    const note = { code, what: short, where: whereIs(node) }
    const key = `${note.code} ${note.what} ${note.where}`
    if (this.#seen.has(key)) return
    this.#seen.add(key)
    this.#notes.push(note)
  }

  /** Adds only the first entry with these words, wherever they apply. */
  addOnce(code: NoteCode, what: string, node: Node): void {
    const key = `${code} ${what}`
    if (this.#seen.has(key)) return
    this.#seen.add(key)
    this.add(code, what, node)
  }

  list(): readonly ImportNote[] {
    if (this.#omitted === 0) return this.#notes
    return [...this.#notes, { code: 'limit', what: `${this.#omitted} more of these`, where: null }]
  }
}
