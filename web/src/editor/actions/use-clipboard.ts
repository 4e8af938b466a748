// Copy, cut and paste of blocks by keys and menus, also between signatures: as JSON on the clipboard.
import type { Content, ContentReference } from '@signoff/render'
import { useEffect, useRef } from 'react'
import { type AnyBlock, type ContentKind, idOf } from '#records/content/block.ts'
import { isTyping } from '../kit/focus.ts'
import {
  copiedBlocks,
  copiedText,
  type IsKnown,
  isCopied,
  type LeftOut,
  referencesIn,
  withoutForeignParts,
} from '../model/copied-blocks.ts'
import { insertBlocks, removeBlocks, withFreeNames } from '../model/operations.ts'
import { positionFor } from '../model/position.ts'
import { type EditorStore, movableSelection } from '../model/store.ts'
import { blockOf, outermost } from '../model/tree.ts'
import { isElsewhere, isInScope } from './key-map.ts'

export function selectedBlocks(store: EditorStore): readonly AnyBlock[] {
  const state = store.getState()
  return outermost(state.tree, movableSelection(state)).flatMap(id => blockOf(state.tree, id) ?? [])
}

/** Blocks that the service would refuse, such as a banner in a banner, are not pasted. */
export function pasteBlocks(store: EditorStore, blocks: readonly AnyBlock[], kind: ContentKind): boolean {
  const { tree, selection } = store.getState()
  const position = positionFor(tree, selection.at(-1), blocks, kind)
  if (!position || blocks.length === 0) return false
  const insert = (root: Content) => insertBlocks(root, position, withFreeNames(root, blocks))
  return store.change(insert, { select: blocks.map(idOf) }).length === 0
}

export interface ClipboardResult {
  readonly what:
    | 'copy'
    | 'cut'
    | 'paste'
    /** The blocks do not fit. */
    | 'refused'
    /** The clipboard holds no blocks. */
    | 'nothing'
    /** The clipboard holds blocks that are cut off, or that another program has changed. */
    | 'broken'
    /** Nothing of the blocks exists in this workspace. */
    | 'foreign'
    /** The browser does not let the page read the clipboard. */
    | 'unreadable'
  /** The parts that were not pasted because they belong to another workspace. */
  readonly leftOut?: LeftOut | undefined
}

/** Answers which references exist in the workspace. */
export type LookUp = (references: readonly ContentReference[]) => Promise<IsKnown>

/** The last copy of this tab, for menus on pages that may not read the clipboard; undefined for other text. */
let copiedHere: string | undefined

/** Undefined on pages without https. */
const clipboard = (): Clipboard | undefined => (navigator as { readonly clipboard?: Clipboard }).clipboard

/** The text for the clipboard; undefined without a selected block. */
function takeSelected(store: EditorStore, isCut: boolean): string | undefined {
  const blocks = selectedBlocks(store)
  if (blocks.length === 0) return undefined
  copiedHere = copiedText(blocks)
  if (isCut) store.change(root => removeBlocks(root, blocks.map(idOf)), { select: [] })
  return copiedHere
}

async function pasteText(store: EditorStore, text: string, lookUp: LookUp): Promise<ClipboardResult> {
  if (!isCopied(text)) return { what: 'nothing' }
  const copied = copiedBlocks(text)
  const references = copied && referencesIn(copied)
  if (!copied || !references) return { what: 'broken' }
  const { blocks, leftOut } = withoutForeignParts(copied, references, await lookUp(references))
  if (blocks.length === 0) return { what: leftOut ? 'foreign' : 'nothing' }
  return pasteBlocks(store, blocks, store.kind) ? { what: 'paste', leftOut } : { what: 'refused' }
}

/** By a menu. */
export function copySelected(store: EditorStore, isCut: boolean): ClipboardResult {
  const text = takeSelected(store, isCut)
  if (text === undefined) return { what: 'nothing' }
  clipboard()
    ?.writeText(text)
    .catch(() => undefined)
  return { what: isCut ? 'cut' : 'copy' }
}

/** By a menu. */
export async function pasteCopied(store: EditorStore, lookUp: LookUp): Promise<ClipboardResult> {
  const read = await clipboard()
    ?.readText()
    .catch(() => undefined)
  const text = read ?? copiedHere
  return text === undefined ? { what: 'unreadable' } : pasteText(store, text, lookUp)
}

/** Words that are selected beside the blocks, such as those of a message, are what the person wants to copy. */
function hasSelectedWords(): boolean {
  const selected = getSelection()
  const node = selected?.anchorNode
  const element = node instanceof Element ? node : node?.parentElement
  return selected?.isCollapsed === false && !element?.closest('[data-canvas], [role=tree]')
}

/** The target of these events is where the text cursor was last: the focus can be elsewhere. */
function isOfBlocks({ target, type }: ClipboardEvent): boolean {
  const focused = document.activeElement ?? document.body
  if (isTyping(target) || isTyping(focused) || isElsewhere(focused)) return false
  if (type === 'paste') return true
  return !hasSelectedWords() && isInScope(type === 'cut' ? 'blocks' : 'editor', focused)
}

/** By keys. */
export function useClipboard(
  store: EditorStore,
  lookUp: LookUp,
  onResult: (result: ClipboardResult) => void,
): void {
  const latest = useRef(onResult)
  latest.current = onResult
  useEffect(() => {
    const copy = (event: ClipboardEvent) => {
      const isCut = event.type === 'cut'
      const text = isOfBlocks(event) ? takeSelected(store, isCut) : undefined
      if (text === undefined) {
        copiedHere = undefined
        return
      }
      event.clipboardData?.setData('text/plain', text)
      event.preventDefault()
      latest.current({ what: isCut ? 'cut' : 'copy' })
    }
    const paste = (event: ClipboardEvent) => {
      if (!isOfBlocks(event)) return
      const text = event.clipboardData?.getData('text/plain') ?? ''
      // Other text, or a picture, is not of this part.
      if (!isCopied(text)) return
      event.preventDefault()
      void pasteText(store, text, lookUp).then(result => latest.current(result))
    }
    document.addEventListener('copy', copy)
    document.addEventListener('cut', copy)
    document.addEventListener('paste', paste)
    return () => {
      document.removeEventListener('copy', copy)
      document.removeEventListener('cut', copy)
      document.removeEventListener('paste', paste)
    }
  }, [store, lookUp])
}
