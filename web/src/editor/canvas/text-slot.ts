// The place of the text that is edited: a slot in the drawn block instead of its words.
import type { MarkedBlock } from './marks.ts'

/** The label of a button is inside its link, which has the padding and the colour. */
function buttonLink({ start, end }: MarkedBlock): HTMLAnchorElement | undefined {
  for (let node = start.nextSibling; node && node !== end; node = node.nextSibling) {
    const link = node instanceof HTMLTableElement ? node.querySelector('a') : null
    if (link) return link
  }
  return undefined
}

export function putTextSlot(block: MarkedBlock): void {
  const slot = document.createElement('slot')
  slot.name = 'text'
  const link = buttonLink(block)
  if (link) {
    // A browser drags a link where a person wants to select words.
    link.removeAttribute('href')
    link.replaceChildren(slot)
    return
  }
  const range = document.createRange()
  range.setStartAfter(block.start)
  range.setEndBefore(block.end)
  range.deleteContents()
  block.start.after(slot)
}

/**
 * The HTML of the canvas without the words of the block that is edited. While it stays the same, typing needs no
 * drawing. Tags inside the block stay: a button has its frame there.
 */
export function htmlWithoutWords(html: string, [open, close]: readonly [string, string]): string {
  const start = html.indexOf(open)
  const end = html.indexOf(close, start)
  if (start < 0 || end < 0) return html
  const inner = html.slice(start + open.length, end)
  const frame = inner.startsWith('<table')
    ? inner.replace(/(<a )href="[^"]*"([^>]*>).*(<\/a>)/s, '$1$2$3')
    : ''
  return html.slice(0, start + open.length) + frame + html.slice(end)
}
