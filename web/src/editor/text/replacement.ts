import type { Node, Slice } from 'prosemirror-model'
import type { Transaction } from 'prosemirror-state'
import { fieldNode } from './document.ts'

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
export const leafCharacter = '\ufffc'

/** Tokens without words are no text. */
export const leafText = ({ type }: Node): string => (type === fieldNode ? leafCharacter : '')

export const wordsOfSlice = ({ content }: Slice): string => content.textBetween(0, content.size, '', leafText)
