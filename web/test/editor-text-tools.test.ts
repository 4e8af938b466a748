import type { Token } from '@signoff/render'
import { EditorState, TextSelection, type Transaction } from 'prosemirror-state'
import { describe, expect, it } from 'vitest'
import { floatingPosition } from '../src/editor/kit/floating.ts'
import { copiedWords, readTokens } from '../src/editor/text/clipboard.ts'
import { documentOf, tokensOfDocument } from '../src/editor/text/document.ts'
import { fieldTextFrom } from '../src/editor/text/field-text.ts'
import { matchingEntries, menuEntries } from '../src/editor/text/menu-entries.ts'
import { menuKey, menuPlugin, menuQuery, withoutQuery } from '../src/editor/text/menu-state.ts'
import { pastedHref, runsOfText } from '../src/editor/text/pasted-runs.ts'
import { insertField, tokenIds } from '../src/editor/text/token-commands.ts'
import { UndoSteps } from '../src/editor/text/undo-steps.ts'

const phone: Token = { id: 'p', type: 'smartFieldToken', smartFieldUuid: 'phone' }
const words = (value: string): Token => ({ id: 'w', value, textStyle: { fontSize: 20 } })

/** The cursor is at the end. */
const stateOf = (...tokens: readonly Token[]): EditorState => {
  const doc = documentOf(tokens)
  const plugins = [menuPlugin(() => false), tokenIds(() => false)]
  return EditorState.create({ doc, plugins, selection: TextSelection.atEnd(doc) })
}
const typed = (state: EditorState, text: string): EditorState =>
  [...text].reduce((before, letter) => before.apply(before.tr.insertText(letter)), state)

describe('the menu at the cursor', () => {
  const queryOf = (state: EditorState) => {
    const menu = menuKey.getState(state)
    return menu && menuQuery(state, menu)
  }

  it('opens with `{` anywhere, and follows what is typed', () => {
    const state = typed(stateOf(words('Call')), '{job t')
    expect(queryOf(state)).toBe('job t')
    expect(tokensOfDocument(state.apply(withoutQuery(state)).doc, [])).toEqual([words('Call')])
  })

  it('opens with `/` at the begin of a word only', () => {
    expect(queryOf(typed(stateOf(words('')), '/'))).toBe('')
    expect(queryOf(typed(stateOf(words('Call ')), '/li'))).toBe('li')
    expect(queryOf(typed(stateOf(words('and')), '/or'))).toBeUndefined()
    expect(queryOf(typed(stateOf(phone), '/'))).toBeUndefined()
  })

  it('closes when the cursor leaves, and is not opened by pasted text', () => {
    const state = typed(stateOf(words('Call')), '{x')
    const moved = state.apply(state.tr.setSelection(TextSelection.create(state.doc, 1)))
    expect(queryOf(moved)).toBeUndefined()
    const pasted = stateOf(words('a'))
    expect(queryOf(pasted.apply(pasted.tr.insertText('{').setMeta('uiEvent', 'paste')))).toBeUndefined()
  })

  it('finds labels without their accents, those that begin with the letters first', () => {
    const fields = [
      { id: '1', label: 'Work telephone', kind: 'phone' },
      { id: '2', label: 'Téléphone', kind: 'phone' },
      { id: '3', label: 'Telex picture', kind: 'image' },
    ] as const
    const messages = { field: '', lineBreak: 'Line break', link: 'Link' }
    const entries = menuEntries({ kind: 'anything', fields, hasLinks: false, messages })
    expect(entries.map(({ label }) => label)).toEqual(['Line break', 'Work telephone', 'Téléphone'])
    expect(matchingEntries(entries, 'tele').map(({ id }) => id)).toEqual(['2', '1'])
  })
})

describe('steps of undo in a text', () => {
  const stepsOf = (...changes: readonly ((state: EditorState) => Transaction)[]): readonly string[] => {
    const steps = new UndoSteps()
    let state = stateOf(words('Hello'))
    return changes.map(change => {
      const transaction = change(state)
      state = state.apply(transaction)
      return steps.keyOf(transaction)
    })
  }
  const type = (letter: string) => (state: EditorState) => state.tr.insertText(letter)
  const remove = (state: EditorState) => state.tr.delete(state.selection.from - 1, state.selection.from)

  it('are words', () => {
    expect(stepsOf(...[...' ab c'].map(type))).toEqual(['1', '2', '2', '2', '3'])
    expect(stepsOf(type('a'), remove, remove, type('b'))).toEqual(['1', '2', '2', '3'])
  })

  it('are single changes otherwise', () => {
    const insert = (state: EditorState) => insertField(state, phone)
    expect(stepsOf(type('a'), insert, insert, type('b'))).toEqual(['1', '2', '3', '4'])
  })
})

describe('tokens of typed letters', () => {
  it('have ids of their own, and the style of the words before', () => {
    const tokens = tokensOfDocument(typed(stateOf(words('a'), phone), 'b').doc, [])
    expect(tokens.map(({ value, textStyle }) => [value, textStyle?.fontSize])).toEqual([
      ['a', 20],
      [undefined, undefined],
      ['b', 20],
    ])
    expect(new Set(tokens.map(({ id }) => id)).size).toBe(3)
  })

  it('keep the style after all words were deleted', () => {
    const state = stateOf(words('abc'))
    const empty = state.apply(state.tr.delete(0, 3))
    expect(tokensOfDocument(typed(empty, 'x').doc, [])).toMatchObject([
      { value: 'x', textStyle: { fontSize: 20 } },
    ])
  })
})

describe('words on the clipboard', () => {
  const field = { id: 'phone', label: 'Phone', fallback: null, kind: 'phone' } as const
  const value = { smart_field_id: 'phone', value: '+49 30' } as never

  it('show the value of the person, else the label', () => {
    const token = { ...phone, prefix: 'T ' }
    expect(copiedWords([token], fieldTextFrom([field], [value])).text).toBe('T +49 30')
    expect(copiedWords([token], fieldTextFrom([field], [])).text).toBe('{Phone}')
    expect(fieldTextFrom([field], [])({ ...phone, fallback: 'none' }).text).toBe('none')
  })

  it('come back with fields and styles, without ids', () => {
    const { tokens } = copiedWords([words('a <b>'), phone], fieldTextFrom([field], []))
    expect(readTokens(tokens)).toEqual([
      { value: 'a <b>', textStyle: { fontSize: 20 } },
      { type: 'smartFieldToken', smartFieldUuid: 'phone' },
    ])
  })

  it.each(['', '{}', '[{"value":7}]', '[{"value":"a","textStyle":{"color":"url(x)"}}]', '[{"onclick":"x"}]'])(
    'are refused when they are not tokens: %s',
    json => expect(readTokens(json)).toBeUndefined(),
  )

  it('keep allowed links only, without what another program has added', () => {
    const safe = 'https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fa.example%2F&data=1'
    expect(pastedHref(safe)).toBe('https://a.example/')
    expect(pastedHref('https://a.example/?utm_source=x&gclid=1')).toBe('https://a.example/?utm_source=x')
    expect(pastedHref('tel:+4930123456')).toBe('tel:+4930123456')
    for (const address of ['javascript:alert(1)', 'data:text/html,x', 'ftp://a.example', '/path', 'sms:+491'])
      expect(pastedHref(address)).toBeUndefined()
  })

  it('keep blanks at the edges of a part of a line', () => {
    expect(runsOfText(' two\tthree ').map(({ text }) => text)).toEqual([' two three '])
    expect(runsOfText('a \n b\n').map(({ text }) => text)).toEqual(['a\nb'])
  })
})

describe('a floating toolbar', () => {
  const area = { left: 0, top: 0, right: 500, bottom: 400 }
  const size = { width: 300, height: 40 }
  const at = (left: number, top: number) =>
    floatingPosition({
      anchor: { left, top, right: left + 50, bottom: top + 20 },
      size,
      area,
      preferred: 'above',
      gap: 8,
    })

  it('stands above the text, below it where there is no room, and never outside', () => {
    expect(at(100, 200)).toEqual({ left: 100, top: 152, side: 'above' })
    expect(at(100, 20)).toEqual({ left: 100, top: 48, side: 'below' })
    expect(at(480, 200).left).toBe(200)
  })
})
