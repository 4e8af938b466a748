// Divides the changes of a text into steps of undo: a word that is typed, a word that is deleted, or one other change.
import type { Transaction } from 'prosemirror-state'
import { leafCharacter, leafText, replacementOf, wordsOfSlice } from './replacement.ts'

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
