// Divides the changes of a text into steps of undo: a word that is typed, a word that is deleted, or one other change.
import type { Node, Slice } from 'prosemirror-model'
import type { Transaction } from 'prosemirror-state'
import { fieldNode } from './document.ts'

/** Changes in a row with the same value are one step: the digits of a size, the letters of a fallback. */
export const stepMeta = 'signoff-step'

interface TextChange {
  readonly kind: 'letters' | 'deletion'
  readonly text: string
  readonly from: number
  readonly to: number
}

const endsWithSpace = (text: string): boolean => /\s$/.test(text)
const beginsWithSpace = (text: string): boolean => /^\s/.test(text)

/** Letters that are typed, or letters that are deleted; undefined for every other change. */
function textChangeOf({ steps, docs }: Transaction): TextChange | undefined {
  const [step, ...others] = steps
  const replacement = replacementOf(step)
  if (!replacement || others.length > 0) return undefined
  const { from, to, slice } = replacement
  const inserted = wordsOfSlice(slice)
  if (inserted.includes(leafCharacter)) return undefined
  if (slice.size === 0) {
    const text = docs[0]?.textBetween(from, to, '', leafText) ?? ''
    return { kind: 'deletion', text, from, to }
  }
  return from === to ? { kind: 'letters', text: inserted, from, to: from + slice.size } : undefined
}

/** The next change continues the step only beside the last one, and inside the same word. */
function continues(last: TextChange | undefined, next: TextChange): boolean {
  if (last?.kind !== next.kind) return false
  if (next.kind === 'letters')
    return last.to === next.from && !(endsWithSpace(last.text) && !beginsWithSpace(next.text))
  const isBeside = next.to === last.from || next.from === last.from
  return isBeside && !(beginsWithSpace(next.text) && !beginsWithSpace(last.text))
}

export class UndoSteps {
  #count = 0
  #last: TextChange | undefined
  #name: unknown

  /** Changes with the same key belong to one step. */
  keyOf(transaction: Transaction): string {
    const composition = transaction.getMeta('composition') as unknown
    const name = (transaction.getMeta(stepMeta) as unknown) ?? composition
    const change = name === undefined ? textChangeOf(transaction) : undefined
    const isSame = name === undefined ? change && continues(this.#last, change) : name === this.#name
    if (!isSame) this.#count += 1
    this.#name = name
    this.#last = change
    return String(this.#count)
  }
}

interface Replacement {
  readonly from: number
  readonly to: number
  readonly slice: Slice
}

/** A step that puts letters or fields in the place of others; undefined for steps that change styles only. */
export function replacementOf(step: Transaction['steps'][number] | undefined): Replacement | undefined {
  if (step?.toJSON().stepType !== 'replace') return undefined
  return step as unknown as Replacement
}

/** Stands for a smart field in the text of a document. */
const leafCharacter = '\ufffc'

/** Tokens without words are no text. */
export const leafText = ({ type }: Node): string => (type === fieldNode ? leafCharacter : '')

export const wordsOfSlice = ({ content }: Slice): string => content.textBetween(0, content.size, '', leafText)
