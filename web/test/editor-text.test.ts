import type { Token } from '@signoff/render'
import fc from 'fast-check'
import { EditorState, TextSelection } from 'prosemirror-state'
import { describe, expect, it } from 'vitest'
import { content } from '../../render/test/support/trees.ts'
import { withStyle } from '../src/editor/model/token-styles.ts'
import { blocksIn } from '../src/editor/model/tree.ts'
import { documentOf, tokensOfDocument } from '../src/editor/text/document.ts'
import { changeTokens, insertField, toggleStyle } from '../src/editor/text/token-commands.ts'
import { tokensOf as tokensOfBlock } from '../src/records/content/block.ts'
import { newId } from '../src/records/content/ids.ts'

const stateOf = (tokens: readonly Token[], from?: number, to?: number): EditorState => {
  const doc = documentOf(tokens)
  const state = EditorState.create({ doc })
  if (from === undefined) return state
  return state.apply(state.tr.setSelection(TextSelection.create(doc, from, to ?? from)))
}

const wordsOf = (tokens: readonly Token[]) =>
  tokens.map(({ value, textStyle }) => [value, textStyle?.fontStyle ?? 'normal'])

describe('the words of a block as a document', () => {
  it('come back as they were', () => {
    let count = 0
    fc.assert(
      fc.property(content, tree => {
        for (const block of blocksIn(tree)) {
          const tokens = tokensOfBlock(block)?.map(token => ({ id: newId(), ...token }))
          if (!tokens || new Set(tokens.map(({ id }) => id)).size < tokens.length) continue
          count += 1
          const back = tokensOfDocument(documentOf(tokens), tokens)
          expect(JSON.stringify(back) === JSON.stringify(tokens)).toBe(true)
          back.forEach((token, index) => {
            expect(token).toBe(tokens[index])
          })
        }
      }),
      { numRuns: 300 },
    )
    expect(count).toBeGreaterThan(300)
  })

  const hello: Token = { id: 'a', value: 'Hello world', textStyle: { fontSize: 14 } }

  it('keep the id on the first part of a token that a style splits', () => {
    const state = stateOf([hello], 6, 11)
    const { doc } = state.apply(toggleStyle(state, 'fontStyle', 'italic'))
    const tokens = tokensOfDocument(doc, [hello])
    expect(wordsOf(tokens)).toEqual([
      ['Hello ', 'normal'],
      ['world', 'italic'],
    ])
    expect(tokens[0]?.id).toBe('a')
    expect(tokens[1]?.id).not.toBe('a')
    expect(tokens[1]?.textStyle).toEqual({ fontSize: 14, fontStyle: 'italic' })
  })

  it('take typed letters into the token before them', () => {
    const state = stateOf([hello], 11)
    const { doc } = state.apply(state.tr.insertText('!'))
    expect(tokensOfDocument(doc, [hello])).toEqual([{ ...hello, value: 'Hello world!' }])
  })

  it('keep the style when all of them are deleted', () => {
    const state = stateOf([hello], 0, 11)
    const { doc } = state.apply(state.tr.deleteSelection())
    expect(tokensOfDocument(doc, [hello])).toEqual([{ ...hello, value: '' }])
  })

  it('take a smart field in the style of the words before it', () => {
    const state = stateOf([hello], 5)
    const { doc } = state.apply(
      insertField(state, { id: 'f', type: 'smartFieldToken', smartFieldUuid: 'phone' }),
    )
    expect(
      tokensOfDocument(doc, [hello]).map(({ value, smartFieldUuid }) => value ?? smartFieldUuid),
    ).toEqual(['Hello', 'phone', ' world'])
    expect(tokensOfDocument(doc, [hello])[1]?.textStyle).toEqual({ fontSize: 14 })
  })

  it('lose a style that is set to nothing', () => {
    const state = stateOf([hello])
    const { doc } = state.apply(changeTokens(state, withStyle({ fontSize: undefined })))
    expect(tokensOfDocument(doc, [hello])).toEqual([{ id: 'a', value: 'Hello world' }])
  })
})
