// Runs in the browser: where the words, links and pictures of the shown signature are.

export interface Measured {
  readonly words: readonly { readonly text: string; readonly x: number; readonly y: number }[]
  readonly links: readonly string[]
  readonly pictures: readonly { readonly width: number; readonly height: number }[]
  readonly width: number
  readonly height: number
}

// biome-ignore lint/suspicious/noExplicitAny: the types of the DOM are not known to the server
declare const document: any
// biome-ignore lint/suspicious/noExplicitAny: the types of the DOM are not known to the server
declare const NodeFilter: any
// biome-ignore lint/suspicious/noExplicitAny: the types of the DOM are not known to the server
declare const getComputedStyle: any

/** Self-contained, because its source is sent to the browser. */
export function measureSignature(): Measured {
  const words: { text: string; x: number; y: number }[] = []
  const edges = { left: 1e9, top: 1e9, right: 0, bottom: 0 }
  const extend = (box: { left: number; top: number; right: number; bottom: number }) => {
    edges.left = Math.min(edges.left, box.left)
    edges.top = Math.min(edges.top, box.top)
    edges.right = Math.max(edges.right, box.right)
    edges.bottom = Math.max(edges.bottom, box.bottom)
  }
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement
    if (/^(SCRIPT|STYLE)$/.test(parent.tagName)) continue
    const style = getComputedStyle(parent)
    if (
      style.visibility === 'hidden' ||
      Number.parseFloat(style.fontSize) < 2 ||
      parent.closest('[style*="opacity:0"]')
    )
      continue
    for (const match of node.data.matchAll(/[^\s\u00a0\u200b\u2022]+/g)) {
      const range = document.createRange()
      range.setStart(node, match.index)
      range.setEnd(node, match.index + match[0].length)
      const box = range.getBoundingClientRect()
      if (box.width === 0 || box.height === 0) continue
      extend(box)
      words.push({ text: match[0], x: box.left, y: box.top + box.height / 2 })
    }
  }
  const isShown = (box: { width: number; height: number }) => box.width > 2 && box.height > 2
  const pictures = [...document.images]
    .filter(image => image.naturalWidth > 0)
    .map(image => image.getBoundingClientRect())
    .filter(isShown)
  for (const box of pictures) extend(box)
  const links = [...document.querySelectorAll('a[href]')]
    .filter(link => isShown(link.getBoundingClientRect()) || link.querySelector('img'))
    .map(link => String(link.href))
    .filter(href => /^(https?|mailto|tel):/.test(href))
  return {
    words: words.map(({ text, x, y }) => ({ text, x: x - edges.left, y: y - edges.top })),
    links: [...new Set(links)],
    pictures: pictures.map(({ width, height }) => ({ width, height })),
    width: edges.right - edges.left,
    height: edges.bottom - edges.top,
  }
}
