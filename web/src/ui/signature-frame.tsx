// A signature as it is sent: HTML of the renderer in a frame without scripts. Styles of the page and of the signature
// cannot touch each other.
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { trustedHtml } from './trusted-html.ts'

interface SignatureFrameProps {
  readonly html: string
  /** For screen readers: whose signature it is. */
  readonly title: string
  /** The width that the signature is drawn for; it is made smaller to fit, never larger. */
  readonly width?: number
  readonly isDark?: boolean
  readonly maxHeight?: number
}

const documentOf = (html: string, isDark: boolean): string =>
  `<!doctype html><meta charset="utf-8"><meta name="color-scheme" content="${isDark ? 'dark' : 'light'}"><base target="_blank"><body style="margin:0;background:${isDark ? '#1b1b1b' : '#ffffff'};display:inline-block;min-width:100%">${html}</body>`

export function SignatureFrame({ html, title, width = 620, isDark = false, maxHeight }: SignatureFrameProps) {
  const holder = useRef<HTMLDivElement>(null)
  const frame = useRef<HTMLIFrameElement>(null)
  const [height, setHeight] = useState(120)
  const [scale, setScale] = useState(1)
  useLayoutEffect(() => {
    const document = frame.current?.contentDocument
    if (!document) return
    // Unlike `srcdoc`, this is no navigation: the height is known at once, and nothing flickers.
    document.open()
    document.write(trustedHtml(documentOf(html, isDark)))
    document.close()
    const measure = () => setHeight(document.body?.offsetHeight || 120)
    measure()
    const observer = new ResizeObserver(measure)
    if (document.body) observer.observe(document.body)
    return () => observer.disconnect()
  }, [html, isDark])
  useEffect(() => {
    const element = holder.current
    if (!element) return
    const observer = new ResizeObserver(([entry]) =>
      setScale(Math.min(1, (entry?.contentRect.width ?? width) / width)),
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [width])
  const visibleHeight = Math.min(height * scale, maxHeight ?? Number.POSITIVE_INFINITY)
  return (
    <div ref={holder} className="w-full overflow-hidden" style={{ height: visibleHeight }}>
      <iframe
        ref={frame}
        title={title}
        // Without scripts; the same origin only lets this page measure the height.
        sandbox="allow-same-origin"
        tabIndex={-1}
        className="block border-0"
        style={{ width, height, transform: `scale(${scale})`, transformOrigin: '0 0' }}
      />
    </div>
  )
}
