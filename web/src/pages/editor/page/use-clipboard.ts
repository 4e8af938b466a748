// Copy, cut and paste of blocks, also between signatures: as JSON on the clipboard.
import type { Content } from '@signoff/render'
import { useEffect, useRef } from 'react'
import type { AnyBlock, ContentKind } from '../model/block.ts'
import { idOf } from '../model/block.ts'
import { copyWithNewIds } from '../model/ids.ts'
import { withFreeNames } from '../model/names.ts'
import { insertBlocks, removeBlocks } from '../model/operations.ts'
import { placeFor } from '../model/place.ts'
import { type EditorStore, movableSelection } from '../model/store.ts'
import { blockOf, outermost } from '../model/tree.ts'
import { isTyping } from './typing.ts'

interface CopiedBlocks {
  readonly signoff: 'blocks'
  readonly blocks: readonly AnyBlock[]
}

export const copiedText = (blocks: readonly AnyBlock[]): string =>
  JSON.stringify({ signoff: 'blocks', blocks } satisfies CopiedBlocks)

/** The blocks of a text that `copiedText` has made; undefined for any other text. */
export function copiedBlocks(text: string): readonly AnyBlock[] | undefined {
  if (!text.startsWith('{"signoff":"blocks"')) return undefined
  try {
    const { blocks } = JSON.parse(text) as CopiedBlocks
    return Array.isArray(blocks) ? blocks.map(copyWithNewIds) : undefined
  } catch {
    return undefined
  }
}

export function selectedBlocks(store: EditorStore): readonly AnyBlock[] {
  const state = store.getState()
  return outermost(state.tree, movableSelection(state)).flatMap(id => blockOf(state.tree, id) ?? [])
}

/** Blocks that the service would refuse, such as a banner in a banner, are not pasted. */
export function pasteBlocks(store: EditorStore, blocks: readonly AnyBlock[], kind: ContentKind): boolean {
  const { tree, selection } = store.getState()
  const place = placeFor(tree, selection.at(-1), blocks, kind)
  if (!place || blocks.length === 0) return false
  const insert = (root: Content) => insertBlocks(root, place, withFreeNames(root, blocks))
  return store.change(insert, { select: blocks.map(idOf) }).length === 0
}

interface ClipboardEvents {
  readonly onRefused: () => void
  readonly onDone: (action: 'copy' | 'cut' | 'paste') => void
}

export function useClipboard(store: EditorStore, events: ClipboardEvents): void {
  const latest = useRef(events)
  latest.current = events
  useEffect(() => {
    const copy = (event: ClipboardEvent) => {
      const blocks = selectedBlocks(store)
      if (isTyping(event.target) || blocks.length === 0) return
      event.clipboardData?.setData('text/plain', copiedText(blocks))
      event.preventDefault()
      if (event.type === 'cut') store.change(root => removeBlocks(root, blocks.map(idOf)), { select: [] })
      latest.current.onDone(event.type === 'cut' ? 'cut' : 'copy')
    }
    const paste = (event: ClipboardEvent) => {
      if (isTyping(event.target)) return
      const blocks = copiedBlocks(event.clipboardData?.getData('text/plain') ?? '')
      if (!blocks) return
      event.preventDefault()
      if (pasteBlocks(store, blocks, store.kind)) latest.current.onDone('paste')
      else latest.current.onRefused()
    }
    document.addEventListener('copy', copy)
    document.addEventListener('cut', copy)
    document.addEventListener('paste', paste)
    return () => {
      document.removeEventListener('copy', copy)
      document.removeEventListener('cut', copy)
      document.removeEventListener('paste', paste)
    }
  }, [store])
}
