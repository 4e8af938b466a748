// Pictures of the HTML: which are shown, and where their bytes come from.
import { safeUrl } from '@signoff/render'
import type { ComputedBox } from '../html/computed-style.ts'
import { attributeOf, type HtmlElement } from '../html/parse.ts'
import type { ImportNotes } from '../notes.ts'
import { addMargin, type Draft, sumOfSides } from './draft.ts'
import { socialDraft } from './social.ts'

/** The distinct sources of pictures. A block refers to its picture by the number of the source. */
export class PictureSources {
  readonly #numbers = new Map<string, number>()

  numberOf(source: string): number {
    const number = this.#numbers.get(source) ?? this.#numbers.size
    this.#numbers.set(source, number)
    return number
  }

  list(): readonly string[] {
    return [...this.#numbers.keys()]
  }
}

/** Pixels that count views have at most this size. */
const maxTrackerSize = 2

/** Returns the address to load the picture from; null when there is none that can be loaded. */
function sourceOf(src: string): string | null {
  if (/^data:image\//i.test(src)) return src
  const url = src.startsWith('//') ? safeUrl(`https:${src}`) : /^https?:/i.test(src) ? safeUrl(src) : null
  return url !== null && /^https?:/.test(url) ? url : null
}

const shownSource = (src: string): string => (src === '' ? 'a picture without a source' : src.slice(0, 100))

interface PictureDraftOptions {
  readonly box: ComputedBox
  readonly href: string | undefined
  readonly linkBox: ComputedBox | undefined
  readonly notes: ImportNotes
  readonly sources: PictureSources
}

/**
 * The block of a picture; `words` when only its link and alternative text can be kept; `lost` when it should be seen and
 * cannot be loaded; null when it was never seen.
 */
export function pictureDraft(
  element: HtmlElement,
  { box, href, linkBox, notes, sources }: PictureDraftOptions,
): { readonly draft: Draft } | { readonly words: string } | 'lost' | null {
  const src = (attributeOf(element, 'src') ?? '').trim()
  const alt = (attributeOf(element, 'alt') ?? '').replace(/\s+/g, ' ').trim().toWellFormed().slice(0, 500)
  const { width, height } = box
  if (width !== undefined && height !== undefined && Math.max(width, height) <= maxTrackerSize) {
    notes.add('tracking_pixel', shownSource(src), element)
    return null
  }
  if (width === 0 || height === 0) {
    notes.add('hidden', shownSource(src), element)
    return null
  }
  const background = linkBox?.background ?? box.background
  const radius = Math.max(linkBox?.radius ?? 0, box.radius)
  const social =
    href === undefined ? undefined : socialDraft({ href, alt, src, width, height, background, radius })
  if (social) return { draft: withSpace(social, box) }
  const source = sourceOf(src)
  if (source === null) {
    notes.add('picture', shownSource(src), element)
    return href === undefined ? 'lost' : { words: alt || href.replace(/^(https?:\/\/|mailto:|tel:)/, '') }
  }
  const side = (pixels: number | undefined) =>
    pixels === undefined ? undefined : Math.min(2_000, Math.max(1, Math.round(pixels)))
  const draft: Draft = {
    type: 'image',
    picture: sources.numberOf(source),
    alt,
    ...(side(width) !== undefined && { width: side(width) }),
    ...(side(height) !== undefined && { height: side(height) }),
    ...shapeOf(box),
    ...(href !== undefined && { href: { text: href } }),
  }
  return { draft: withSpace(draft, box) }
}

function withSpace(draft: Draft, box: ComputedBox): Draft {
  addMargin(draft, sumOfSides(box.margin, box.padding))
  return draft
}

function shapeOf({ radius, width = 0, height = 0 }: ComputedBox): { shape?: 'circle' | 'rounded' } {
  if (radius <= 0) return {}
  const smaller = Math.min(width || height, height || width)
  const isRound = radius === Number.POSITIVE_INFINITY || (smaller > 0 && radius >= smaller / 2 - 1)
  // A circle is cut from a square.
  if (isRound && (width === height || width === 0 || height === 0)) return { shape: 'circle' }
  return { shape: 'rounded' }
}
