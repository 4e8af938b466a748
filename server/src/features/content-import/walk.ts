// Walks through parsed HTML and builds blocks.
import { safeUrl } from '@signoff/render'
import {
  attributeOf,
  type HtmlElement,
  type HtmlNode,
  isHtmlComment,
  isHtmlElement,
  isHtmlText,
  textInside,
} from './html/parse.ts'
import type { BoxLook, Look, Styles, TextLook } from './html/style.ts'
import { colorOf } from './html/units.ts'
import { boxed, dividerDraft, maxLineThickness } from './layout/box.ts'
import type { InsideTable } from './layout/cells.ts'
import { addMargin, asOneDraft, type Draft, estimateSize } from './layout/draft.ts'
import { Flow, type FlowResult } from './layout/flow.ts'
import { listFrom } from './layout/lists.ts'
import { type PictureSources, pictureDraft } from './layout/picture.ts'
import { tableFlow } from './layout/table.ts'
import { isBlankText } from './layout/tokens.ts'
import type { ImportNotes, NoteCode } from './notes.ts'

/** What applies at a position in the document. */
interface Place {
  readonly look: TextLook
  readonly href: string | undefined
  /** The box of the link around, for the background of icons. */
  readonly linkBox: BoxLook | undefined
  /** The width inside the element, where it is known. */
  readonly available: number | undefined
}

const silent = new Set(
  'head title meta link base style template colgroup col xml noscript map area wbr param source track'.split(
    ' ',
  ),
)
const refused: Readonly<Record<string, NoteCode>> = {
  script: 'script',
  iframe: 'media',
  object: 'media',
  embed: 'media',
  video: 'media',
  audio: 'media',
  canvas: 'media',
  svg: 'media',
  math: 'media',
  input: 'form',
  select: 'form',
  textarea: 'form',
}

/** About the width of a bullet and the space after it. */
const bulletWidth = 14

/** Text that is smaller cannot be seen. */
const minVisibleSize = 2

export class Walk {
  readonly #styles: Styles
  readonly #notes: ImportNotes
  readonly #sources: PictureSources
  /** The direction of the first text; undefined without text. */
  isRightToLeft: boolean | undefined

  constructor(styles: Styles, notes: ImportNotes, sources: PictureSources) {
    this.#styles = styles
    this.#notes = notes
    this.#sources = sources
  }

  /** The blocks of all nodes. */
  flowOf(nodes: readonly HtmlNode[], place: Place): FlowResult {
    const flow = new Flow(place.look)
    for (const node of nodes) this.#node(node, place, flow)
    return flow.finish()
  }

  #node(node: HtmlNode, place: Place, flow: Flow): void {
    if (isHtmlText(node)) this.#text(node, node.value, place, flow)
    else if (isHtmlComment(node)) this.#comment(node, node.data)
    else if (isHtmlElement(node)) this.#element(node, place, flow)
  }

  #text(node: HtmlNode, text: string, { look, href }: Place, flow: Flow): void {
    if ((look.fontSize ?? minVisibleSize) < minVisibleSize && !isBlankText(text)) {
      this.#notes.add('hidden', text, node)
      return
    }
    if (!isBlankText(text)) this.isRightToLeft ??= look.isRightToLeft
    if (look.replacedFont !== undefined && !isBlankText(text))
      this.#notes.add('font', `${look.replacedFont}, shown as ${look.fontFamily ?? 'Arial'}`)
    flow.text(text, look, href)
  }

  /** Only Word reads conditional comments. What they hold is not visible anywhere else. */
  #comment(node: HtmlNode, data: string): void {
    if (!/^\[if/i.test(data)) return
    const inner = data.slice(data.indexOf(']') + 1)
    if (/<v:/i.test(inner)) this.#notes.add('vml', 'a drawing for Word', node)
    else if (!/^>?<!$/.test(inner.trim()) && !/<xml|<style/i.test(inner)) {
      const words = inner
        .slice(0, 2_000)
        .replace(/<[^<>]*>/g, ' ')
        .replace(/[<>![\]-]|endif/g, ' ')
        .trim()
      if (words !== '') this.#notes.add('word_only', words, node)
    }
  }

  #element(element: HtmlElement, place: Place, flow: Flow): void {
    const tag = element.tagName
    if (silent.has(tag)) return
    if (/^(w|o|m):/.test(tag) && tag !== 'o:p') return
    const code = tag.startsWith('v:') ? 'vml' : refused[tag]
    if (code) {
      this.#notes.add(code, `<${tag}> ${textInside(element, 60)}`, element)
      return
    }
    const look = this.#visibleLook(element, place.look)
    if (look === null) return
    const inner = this.#placeInside(element, look, place)
    if (tag === 'br') {
      if (look.box.isClear) flow.clear()
      flow.lineBreak(inner.look)
    } else if (tag === 'img') this.#picture(element, look, place, flow)
    else if (tag === 'hr') this.#rule(element, look, flow)
    else this.#container(element, look, inner, place.look, flow)
  }

  /** Null when the element is hidden. */
  #visibleLook(element: HtmlElement, parent: TextLook): Look | null {
    const look = this.#styles.lookOf(element, parent)
    if (look.box.display !== 'none' && !look.box.isInvisible) {
      const picture = look.box.backgroundPicture
      if (picture !== undefined) this.#notes.add('background_picture', picture, element)
      for (const lost of look.box.lost) this.#notes.add('style', lost, element)
      return look
    }
    const words = textInside(element)
    if (element.tagName === 'img') this.#notes.add('hidden', attributeOf(element, 'src') ?? '', element)
    else if (words !== '') this.#notes.add('hidden', words, element)
    return null
  }

  #placeInside(element: HtmlElement, look: Look, place: Place): Place {
    const target = element.tagName === 'a' ? attributeOf(element, 'href') : undefined
    if (target === undefined) return { ...place, look: look.text }
    const href = target.trim() === '' ? null : safeUrl(target)
    if (href === null || href.length > 2_048) {
      if (target.trim() !== '') this.#notes.add('link', target, element)
      return { ...place, look: look.text, href: undefined, linkBox: undefined }
    }
    return { ...place, look: look.text, href, linkBox: look.box }
  }

  #picture(element: HtmlElement, look: Look, place: Place, flow: Flow): void {
    const { href, linkBox } = place
    const found = pictureDraft(element, {
      box: look.box,
      href,
      linkBox,
      notes: this.#notes,
      sources: this.#sources,
    })
    if (found === null) return
    if ('words' in found) flow.text(found.words, place.look, href)
    else if (look.box.float) flow.float(found.draft, look.box.float)
    else if (look.box.display === 'block') {
      flow.endLine()
      flow.atom(found.draft, place.look, undefined, true)
      flow.endLine()
    } else flow.atom(found.draft, place.look, look.box.verticalAlign)
  }

  #rule(element: HtmlElement, { box }: Look, flow: Flow): void {
    const [top, , bottom] = box.border
    const given = colorOf(attributeOf(element, 'color'))
    const color = box.background ?? top?.color ?? bottom?.color ?? given ?? '#c0c0c0'
    const size = Number.parseInt(attributeOf(element, 'size') ?? '', 10)
    const thickness = top?.thickness ?? bottom?.thickness ?? box.height ?? (Number.isNaN(size) ? 1 : size)
    const draft = dividerDraft({ color, thickness: Math.max(1, Math.round(thickness)) }, 'horizontal')
    if (box.width !== undefined && box.width > 0) draft.blockStyle = { width: Math.min(2_000, box.width) }
    flow.block({ drafts: [draft], top: box.margin[0], bottom: box.margin[2] })
  }

  /** Everything that can contain something else. */
  #container(element: HtmlElement, look: Look, place: Place, around: TextLook, flow: Flow): void {
    const { box } = look
    if (box.isClear) flow.clear()
    if (box.float) {
      const draft = this.#asAtom(element, look, place)
      if (draft) flow.float(draft, box.float)
    } else if (box.display === 'atom' || isButton(element, box)) {
      if (box.display === 'atom' && isPlainBox(box) && hasOnlyText(element))
        this.#children(element, place, flow)
      else {
        const draft = this.#asAtom(element, look, place)
        if (draft) flow.atom(draft, around, box.verticalAlign)
      }
    } else if (box.display === 'inline') this.#children(element, place, flow)
    else if (box.display === 'flex') flow.block(this.#boxOf(this.#flexFlow(element, place), look))
    else flow.block(this.#boxOf(this.#inside(element, look, place), besideBullets(element, look)))
  }

  #children(element: HtmlElement, place: Place, flow: Flow): void {
    for (const child of element.childNodes) this.#node(child, place, flow)
  }

  #inside(element: HtmlElement, look: Look, place: Place): FlowResult {
    const tag = element.tagName
    if (tag === 'table') return this.#table(element, look, place)
    if ((tag === 'ul' || tag === 'ol') && look.box.listStyle !== 'none' && hasOnlyItems(element))
      return listFrom(
        element,
        item => {
          const own = this.#visibleLook(item, look.text)
          return own && this.flowOf(item.childNodes, { ...place, look: own.text })
        },
        look.text,
      )
    return this.flowOf(element.childNodes, place)
  }

  #table(element: HtmlElement, look: Look, place: Place): FlowResult {
    const inside: InsideTable = {
      lookOf: (part, parent) => this.#visibleLook(part, parent),
      contentOf: (cell, own, available) =>
        this.flowOf(cell.childNodes, { ...place, look: own.text, available }),
    }
    const percent = look.box.widthPercent
    const width =
      look.box.width ??
      (percent !== undefined && place.available !== undefined ? (place.available * percent) / 100 : undefined)
    const caption = element.childNodes.filter(node => isHtmlElement(node) && node.tagName === 'caption')
    const result = tableFlow(element, { ...look, box: { ...look.box, width } }, inside, this.#notes)
    if (caption.length === 0) return result
    const flow = new Flow(place.look)
    flow.block(this.flowOf(caption, place))
    flow.block(result)
    return flow.finish()
  }

  /** The children of a flex container stand beside each other. */
  #flexFlow(element: HtmlElement, place: Place): FlowResult {
    const flow = new Flow(place.look)
    for (const child of element.childNodes) {
      const look = isHtmlElement(child) ? this.#visibleLook(child, place.look) : null
      if (!isHtmlElement(child) || look === null || child.tagName === 'img') this.#node(child, place, flow)
      else {
        const draft = this.#asAtom(child, look, this.#placeInside(child, look, place))
        if (draft) flow.atom(draft, place.look, undefined)
      }
    }
    return flow.finish()
  }

  /** One block with the margins of the element; null when there is nothing to show. */
  #asAtom(element: HtmlElement, look: Look, place: Place): Draft | null {
    const { drafts, top, bottom } = this.#boxOf(this.#inside(element, look, place), look)
    if (drafts.length === 0) return null
    const draft = asOneDraft(drafts)
    const free = (look.box.width ?? 0) - estimateSize(draft).width
    const isFixed =
      element.tagName !== 'table' && draft.type !== 'button' && draft.blockStyle?.width === undefined
    addMargin(draft, [top, isFixed && free > 0 ? free : 0, bottom, 0])
    return draft
  }

  /** Adds the box of an element. Margins of the content collapse with its own where nothing is between them. */
  #boxOf(inner: FlowResult, { box }: Look): FlowResult {
    const [top, right, bottom, left] = box.margin
    if (inner.drafts.length === 0) return emptyBox(inner, box)
    const hasEdge = (side: 0 | 2) =>
      box.padding[side] > 0 || box.border[side] !== null || box.background !== undefined
    const padding = [
      box.padding[0] + (hasEdge(0) ? inner.top : 0),
      box.padding[1],
      box.padding[2] + (hasEdge(2) ? inner.bottom : 0),
      box.padding[3],
    ] as const
    const drafts = boxed(inner.drafts, box, padding)
    const isIndented = left > 0 || right > 0
    const shown = isIndented ? [asOneDraft(drafts)] : drafts
    if (isIndented) for (const draft of shown) addMargin(draft, [0, right, 0, left])
    return {
      drafts: shown,
      top: outside(top, inner.top, hasEdge(0)),
      bottom: outside(bottom, inner.bottom, hasEdge(2)),
    }
  }
}

const outside = (own: number, inner: number, hasEdge: boolean): number =>
  hasEdge ? own : Math.max(own, inner)

/** An element without content: a line when it is thin and coloured, otherwise space. */
function emptyBox(inner: FlowResult, box: BoxLook): FlowResult {
  const [top, , bottom] = box.margin
  const height = box.height ?? 0
  const border = box.border[0] ?? box.border[2]
  const line =
    border ??
    (box.background && height > 0 && height <= maxLineThickness
      ? { color: box.background, thickness: Math.round(height) }
      : null)
  if (line) return { drafts: [dividerDraft(line, 'horizontal')], top, bottom }
  const space = Math.max(inner.top, height) + box.padding[0] + box.padding[2]
  return { drafts: [], top: Math.max(top, bottom, space), bottom: 0 }
}

/** Bullets stand in the padding of their list. */
function besideBullets({ tagName }: HtmlElement, look: Look): Look {
  if (tagName !== 'ul' && tagName !== 'ol') return look
  const [top, right, bottom, left] = look.box.padding
  const padding = [top, right, bottom, Math.max(0, left - bulletWidth)] as const
  return { ...look, box: { ...look.box, padding } }
}

/** A link with a background and padding of its own. */
const isButton = (element: HtmlElement, box: BoxLook): boolean =>
  element.tagName === 'a' &&
  box.display === 'inline' &&
  box.background !== undefined &&
  Math.max(...box.padding) >= 3 &&
  hasOnlyText(element)

const isPlainBox = (box: BoxLook): boolean =>
  box.background === undefined &&
  box.width === undefined &&
  box.border.every(line => line === null) &&
  box.padding.every(side => side === 0)

const inlineTags = new Set('span b i u a font strong em s strike small big sub sup ins del o:p'.split(' '))

const hasOnlyItems = (element: HtmlElement): boolean =>
  element.childNodes.every(node =>
    isHtmlElement(node) ? node.tagName === 'li' : !isHtmlText(node) || isBlankText(node.value),
  )

/** No line breaks, pictures or blocks inside. */
function hasOnlyText(element: HtmlElement): boolean {
  const open: HtmlNode[] = [...element.childNodes]
  while (open.length > 0) {
    const node = open.pop() as HtmlNode
    if (!isHtmlElement(node)) continue
    if (!inlineTags.has(node.tagName)) return false
    open.push(...node.childNodes)
  }
  return true
}
