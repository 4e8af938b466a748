import { useMemo } from 'react'
import { SignatureFrame } from '#ui/picture/signature-frame.tsx'
import { parsedHtml } from '#ui/picture/trusted-html.ts'

/** They load something, show nothing without scripts, or would be blocked by the policy of the page. */
const removed =
  'link, meta, base, script, template, noscript, iframe, frame, object, embed, video, audio, source, input[type=image], image, use, animate, set'
/** `background` of tables, `poster` of videos, `ping` of links. */
const removedAttributes = ['srcset', 'background', 'poster', 'ping', 'longdesc', 'formaction']
const reachable = /^\s*(https?:\/\/|data:image\/)/i

/**
 * The pasted signature as it is shown beside the result. Of what it could load, only its pictures stay, and their
 * hosts are not told who asks.
 */
function cleanOriginal(html: string): string {
  const { body } = parsedHtml(html)
  for (const element of body.querySelectorAll(removed)) element.remove()
  for (const element of body.querySelectorAll('*')) {
    for (const name of removedAttributes) element.removeAttribute(name)
    const style = element.getAttribute('style')
    // Escapes can spell `url` in many ways.
    if (style !== null && /url|image-set|\\/i.test(style)) element.setAttribute('style', withoutLoads(style))
  }
  for (const picture of body.querySelectorAll('img')) {
    // Pictures inside a mail or on the disk of another computer cannot be loaded.
    if (!reachable.test(picture.getAttribute('src') ?? '')) picture.removeAttribute('src')
    picture.setAttribute('referrerpolicy', 'no-referrer')
  }
  return body.innerHTML
}

const withoutLoads = (style: string): string =>
  style
    .split(';')
    .filter(each => !/url|image-set|\\/i.test(each))
    .join(';')

interface OriginalFrameProps {
  readonly html: string
  readonly title: string
}

/** A signature as it was pasted. */
export function OriginalFrame({ html, title }: OriginalFrameProps) {
  const cleanHtml = useMemo(() => cleanOriginal(html), [html])
  return <SignatureFrame html={cleanHtml} title={title} width={520} />
}
