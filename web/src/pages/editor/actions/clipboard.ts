// Copy and paste from menus. Where a page may not read the clipboard, blocks that were copied in this tab can be pasted.
import { idOf } from '../model/block.ts'
import { removeBlocks } from '../model/operations.ts'
import type { EditorStore } from '../model/store.ts'
import { copiedBlocks, copiedText, pasteBlocks, selectedBlocks } from '../page/use-clipboard.ts'

let copiedHere = ''

/** Undefined on pages without https. */
const clipboard = (): Clipboard | undefined => (navigator as { readonly clipboard?: Clipboard }).clipboard

export function copySelected(store: EditorStore, isCut: boolean): void {
  const blocks = selectedBlocks(store)
  if (blocks.length === 0) return
  copiedHere = copiedText(blocks)
  clipboard()
    ?.writeText(copiedHere)
    .catch(() => undefined)
  if (isCut) store.change(root => removeBlocks(root, blocks.map(idOf)), { select: [] })
}

/** Whether blocks were pasted: the clipboard can hold something else, or blocks that do not fit. */
export async function pasteCopied(store: EditorStore): Promise<boolean> {
  const text = await clipboard()
    ?.readText()
    .catch(() => undefined)
  const blocks = copiedBlocks(text ?? '') ?? copiedBlocks(copiedHere)
  return blocks !== undefined && pasteBlocks(store, blocks, store.kind)
}
