// Draws the HTML into a shadow root, and measures the blocks in it. The text that is edited stays: a drawing in the
// middle of a composition of an input method would end the composition.
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { trustedHtml } from '#ui/picture/trusted-html.ts'
import { blockMarks, findMarkedBlocks, type MarkedBlock, type MarkedBlocks } from '../rendering/marks.ts'
import { type Boxes, boxesOf, noBoxes } from './boxes.ts'

/** The styles of the page must not reach the signature. */
const shadowCss =
  ':host{all:initial;display:block;color-scheme:light;color:#000}a{cursor:default}*{user-select:none;-webkit-user-select:none}'

const nothingMarked: MarkedBlocks = { blocks: new Map(), blockAt: () => undefined }

function shadowRootOf(element: HTMLElement): ShadowRoot {
  if (element.shadowRoot) return element.shadowRoot
  const root = element.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(shadowCss)
  root.adoptedStyleSheets = [sheet]
  return root
}

interface DrawingOptions {
  readonly html: string
  readonly editingId: string | undefined
  /** The block that is edited is not drawn, because it is hidden. */
  readonly onTextMissing: () => void
}

export function useDrawing({ html, editingId, onTextMissing }: DrawingOptions) {
  const host = useRef<HTMLDivElement>(null)
  const marked = useRef(nothingMarked)
  const drawn = useRef<string>(undefined)
  const [boxes, setBoxes] = useState<Boxes>(noBoxes)
  const [compositions, setCompositions] = useState(0)
  const isComposing = useRef(false)
  const measure = useCallback(() => {
    if (host.current) setBoxes(boxesOf(marked.current, host.current))
  }, [])
  useLayoutEffect(() => {
    const element = host.current
    if (!element) return
    const isEditing = editingId !== undefined
    const shape = isEditing ? `${editingId} ${htmlWithoutWords(html, blockMarks(editingId))}` : html
    if (shape !== drawn.current && !(isEditing && isComposing.current)) {
      const root = shadowRootOf(element)
      root.innerHTML = trustedHtml(html)
      marked.current = findMarkedBlocks(root)
      const edited = isEditing ? marked.current.blocks.get(editingId) : undefined
      if (edited) putTextSlot(edited)
      else if (isEditing) onTextMissing()
      drawn.current = shape
    } else if (isEditing) {
      // Typing: the browser lays the page out once for the frame, instead of also in the middle of the change.
      const frame = requestAnimationFrame(() => flushSync(measure))
      return () => cancelAnimationFrame(frame)
    }
    measure()
  }, [html, editingId, compositions, measure])
  useEffect(() => {
    const element = host.current
    if (!element) return
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    const compose = ({ type }: Event) => {
      isComposing.current = type === 'compositionstart'
      if (!isComposing.current) setCompositions(count => count + 1)
    }
    element.addEventListener('compositionstart', compose)
    element.addEventListener('compositionend', compose)
    // Pictures have no height until they are loaded.
    element.shadowRoot?.addEventListener('load', measure, true)
    return () => {
      observer.disconnect()
      element.removeEventListener('compositionstart', compose)
      element.removeEventListener('compositionend', compose)
      element.shadowRoot?.removeEventListener('load', measure, true)
    }
  }, [measure])
  // A text that goes away in the middle of a composition sends no end of it.
  useEffect(() => {
    isComposing.current = false
  }, [editingId])
  return { host, marked, boxes }
}

// The place of the text that is edited: a slot in the drawn block instead of its words.

/** The label of a button is inside its link, which has the padding and the colour. */
function buttonLink({ start, end }: MarkedBlock): HTMLAnchorElement | undefined {
  for (let node = start.nextSibling; node && node !== end; node = node.nextSibling) {
    const link = node instanceof HTMLTableElement ? node.querySelector('a') : null
    if (link) return link
  }
  return undefined
}

function putTextSlot(block: MarkedBlock): void {
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
function htmlWithoutWords(html: string, [open, close]: readonly [string, string]): string {
  const start = html.indexOf(open)
  const end = html.indexOf(close, start)
  if (start < 0 || end < 0) return html
  const inner = html.slice(start + open.length, end)
  const frame = inner.startsWith('<table')
    ? inner.replace(/(<a )href="[^"]*"([^>]*>).*(<\/a>)/s, '$1$2$3')
    : ''
  return html.slice(0, start + open.length) + frame + html.slice(end)
}
