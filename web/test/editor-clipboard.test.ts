import type { Content } from '@signoff/render'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { EditorStore } from '../src/pages/editor/model/store.ts'
import { copiedText, copySelected, pasteCopied } from '../src/pages/editor/page/use-clipboard.ts'

const text = (id: string) => ({ type: 'text' as const, id, tokens: [{ id: `${id} words`, value: id }] })
const tree: Content = { type: 'stack', id: 'root', children: [text('a'), text('b')] }

const refuse = () => Promise.reject(new DOMException('Read permission denied.', 'NotAllowedError'))
/** The clipboard of a browser that lets the page read it, or does not. */
function givenClipboard(readText: (() => Promise<string>) | undefined): void {
  const clipboard = { readText, writeText: () => Promise.resolve() }
  vi.stubGlobal('navigator', readText ? { clipboard } : {})
}
afterEach(() => void vi.unstubAllGlobals())

function selected(): EditorStore {
  const store = new EditorStore('signature', tree)
  store.select(['a'])
  return store
}
const count = (store: EditorStore): number => store.getState().tree.children?.length ?? 0

describe('the menu of a block', () => {
  it('pastes what the clipboard holds, and nothing that was copied before', async () => {
    const store = selected()
    givenClipboard(async () => 'words of another program')
    expect(copySelected(store, false)).toBe('copy')
    expect(await pasteCopied(store)).toBe('nothing')
    givenClipboard(async () => copiedText([text('c'), text('d')]))
    expect(await pasteCopied(store)).toBe('paste')
    givenClipboard(async () => copiedText([{ type: 'listItem', id: 'e', children: [] }]))
    expect(await pasteCopied(store)).toBe('refused')
    expect(count(store)).toBe(4)
  })

  it.each([refuse, undefined])('pastes what this tab has copied where pages may not read', async readText => {
    const store = selected()
    givenClipboard(readText)
    expect(copySelected(store, true)).toBe('cut')
    expect(count(store)).toBe(1)
    expect(await pasteCopied(store)).toBe('paste')
    expect(count(store)).toBe(2)
  })
})
