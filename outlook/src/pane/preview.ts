// The signature as recipients see it, in a frame without scripts.
import { element } from './elements.ts'

/** Without the pixel: opening the pane is no view of a mail. The frame opens no links. */
function documentOf(html: string): string {
  const parsed = new DOMParser().parseFromString(html, 'text/html')
  for (const picture of parsed.querySelectorAll('img'))
    if (/\/o\/[^/]*$/.test(picture.getAttribute('src') ?? '')) picture.remove()
  for (const link of parsed.querySelectorAll('a')) link.removeAttribute('href')
  return `<!doctype html><meta charset="utf-8"><meta name="color-scheme" content="light"><body style="margin:0;display:inline-block;min-width:100%;background:#fff">${parsed.body.innerHTML}</body>`
}

/** Signatures are made for wider mails than the pane: they are laid out for this width and drawn smaller. */
const layoutWidth = 420

/** Signatures that need more are drawn smaller still, down to this; then the frame scrolls sideways. */
const leastScale = 0.5

function fit(holder: HTMLElement, frame: HTMLIFrameElement): void {
  const body = frame.contentDocument?.body
  if (!body) return
  const available = holder.clientWidth
  frame.style.width = `${Math.max(available, layoutWidth)}px`
  const width = Math.max(available, layoutWidth, body.scrollWidth)
  const scale = Math.max(leastScale, available / width)
  frame.style.width = `${width}px`
  frame.style.height = `${body.offsetHeight}px`
  frame.style.transform = `scale(${scale})`
  // A transform does not change the room that the frame takes.
  frame.style.marginBottom = `${(scale - 1) * body.offsetHeight}px`
  frame.style.marginRight = `${(scale - 1) * width}px`
}

/** A white sheet in dark mode too: logos are made for white. */
export function previewOf(html: string, title: string): HTMLElement {
  const frame = element('iframe', 'frame')
  frame.title = title
  frame.setAttribute('sandbox', 'allow-same-origin') // the height of its content is read
  frame.srcdoc = documentOf(html)
  const holder = element('div', 'sheet-inner', frame)
  frame.addEventListener('load', () => {
    fit(holder, frame)
    new ResizeObserver(() => fit(holder, frame)).observe(holder)
  })
  return element('div', 'sheet', holder)
}
