// A signature as it is sent: HTML of the renderer in a frame without scripts. Styles of the page and of the signature
// cannot touch each other.
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { classes } from '../base/classes.ts'
import { frameScale, leastScale } from './frame-scale.ts'
import { trustedHtml } from './trusted-html.ts'

interface SignatureFrameProps {
  readonly html: string
  /** For screen readers: whose signature it is. */
  readonly title: string
  /** The width that the signature is drawn for where there is room. */
  readonly width?: number
  readonly isDark?: boolean
  /** For a thumbnail: a signature that is higher is drawn smaller. */
  readonly maxHeight?: number
}

/** The narrowest screen of phones that mail programs lay out for. */
const phoneWidth = 320

/** On a phone a signature is laid out for the phone, as mail programs do. Thumbnails, which have a height, only shrink. */
const layoutWidth = (width: number, available: number, isThumbnail: boolean): number =>
  isThumbnail ? width : Math.min(width, Math.max(available / leastScale, phoneWidth))

const documentOf = (html: string, isDark: boolean): string =>
  `<!doctype html><meta charset="utf-8"><meta name="color-scheme" content="${isDark ? 'dark' : 'light'}"><base target="_blank"><body style="margin:0;background:${isDark ? '#1b1b1b' : '#ffffff'};display:inline-block;min-width:100%">${html}</body>`

export function SignatureFrame({ html, title, width = 620, isDark = false, maxHeight }: SignatureFrameProps) {
  const holder = useRef<HTMLDivElement>(null)
  const frame = useRef<HTMLIFrameElement>(null)
  const [height, setHeight] = useState(120)
  const [available, setAvailable] = useState(width)
  const [overflow, setOverflow] = useState(0)
  const isThumbnail = maxHeight !== undefined
  const drawn = layoutWidth(width, available, isThumbnail)
  useLayoutEffect(() => {
    const document = frame.current?.contentDocument
    if (!document) return
    // Unlike `srcdoc`, this is no navigation: the height is known at once, and nothing flickers.
    document.open()
    document.write(trustedHtml(documentOf(html, isDark)))
    document.close()
  }, [html, isDark])
  // Parts of a fixed width can be wider than the layout: then the frame is scrolled sideways.
  useLayoutEffect(() => {
    const element = frame.current
    const document = element?.contentDocument
    if (!element || !document?.body) return
    element.style.width = `${drawn}px`
    const measure = () => {
      const wide = isThumbnail ? 0 : document.documentElement.scrollWidth
      // By hand: React leaves the style alone where the number is the same as before.
      element.style.width = `${Math.max(drawn, wide)}px`
      setOverflow(wide)
      setHeight(document.body.offsetHeight || 120)
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [html, isDark, drawn, isThumbnail])
  useEffect(() => {
    const element = holder.current
    if (!element) return
    const observer = new ResizeObserver(([entry]) => setAvailable(entry?.contentRect.width ?? width))
    observer.observe(element)
    return () => observer.disconnect()
  }, [width])
  const scale = frameScale({ available, width: drawn, height, maxHeight })
  const frameWidth = Math.max(drawn, overflow)
  const isScrolled = !isThumbnail && frameWidth * scale > available + 1
  const visibleHeight = Math.min(height * scale, maxHeight ?? Number.POSITIVE_INFINITY)
  return (
    <div
      ref={holder}
      className={classes('w-full overflow-y-hidden', isScrolled ? 'overflow-x-auto' : 'overflow-x-hidden')}
      // The keyboard scrolls what has the focus.
      {...(isScrolled && { role: 'region', tabIndex: 0, 'aria-label': title })}
    >
      <div className="overflow-hidden" style={{ width: frameWidth * scale, height: visibleHeight }}>
        <iframe
          ref={frame}
          title={title}
          // Without scripts; the same origin only lets this page measure the height.
          sandbox="allow-same-origin"
          tabIndex={-1}
          className="block max-w-none border-0"
          style={{ width: frameWidth, height, transform: `scale(${scale})`, transformOrigin: '0 0' }}
        />
      </div>
    </div>
  )
}
