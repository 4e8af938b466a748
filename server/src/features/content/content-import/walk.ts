// Walks through parsed HTML and builds blocks.

import { safeUrl } from '@signoff/render'
import { ownEntry } from '#kernel/base/own-entry.ts'
import { TimeSlice } from '#kernel/base/time-slice.ts'
import {
  hasOnlyItems,
  hasOnlyText,
  isButtonLink,
  isFlexItem,
  isMarked,
  isPlainBox,
  refusedTags,
  silentTags,
} from './elements.ts'
import type { ComputedBox, ComputedStyle, ComputedText } from './html/computed-style.ts'
import {
  attributeOf,
  type HtmlElement,
  type HtmlNode,
  isHtmlComment,
  isHtmlElement,
  isHtmlText,
  textInside,
} from './html/parse.ts'
import type { Styles } from './html/styles.ts'
import { colorOf } from './html/units.ts'
import { dividerDraft } from './layout/box.ts'
import { besideBullets, boxAround } from './layout/box-around.ts'
import type { InsideTable } from './layout/cells.ts'
import { addMargin, asOneDraft, type Draft, estimateSize } from './layout/draft.ts'
import { Flow, type FlowResult } from './layout/flow.ts'
import { listFrom } from './layout/lists.ts'
import { type PictureSources, pictureDraft } from './layout/picture.ts'
import { tableFlow } from './layout/table.ts'
import { isBlankText } from './layout/tokens.ts'
import type { ImportNotes } from './notes.ts'

/** The inherited state at a position in the document. */
interface WalkContext {
  readonly style: ComputedText
  readonly href: string | undefined
  /** The box of the link around, for the background of icons. */
  readonly linkBox: ComputedBox | undefined
  /** The width inside the element, where it is known. */
  readonly available: number | undefined
}

/** Text that is smaller cannot be seen. */
const minVisibleSize = 2

export class Walk {
  readonly #styles: Styles
  readonly #notes: ImportNotes
  readonly #sources: PictureSources
  readonly #slice = new TimeSlice()
  /** Number of pictures without a link and without a source that can be loaded. */
  #lostPictures = 0
  /** The direction of the first text; undefined without text. */
  isRightToLeft: boolean | undefined

  constructor(styles: Styles, notes: ImportNotes, sources: PictureSources) {
    this.#styles = styles
    this.#notes = notes
    this.#sources = sources
  }

  /** The blocks of all nodes. */
  async flowOf(nodes: readonly HtmlNode[], context: WalkContext): Promise<FlowResult> {
    const flow = new Flow(context.style)
    for (const node of nodes) await this.#node(node, context, flow)
    return flow.finish()
  }

  async #node(node: HtmlNode, context: WalkContext, flow: Flow): Promise<void> {
    await this.#slice.pause()
    if (isHtmlText(node)) this.#text(node, node.value, context, flow)
    else if (isHtmlComment(node)) this.#comment(node, node.data)
    else if (isHtmlElement(node)) await this.#element(node, context, flow)
  }

  #text(node: HtmlNode, text: string, { style, href }: WalkContext, flow: Flow): void {
    if ((style.fontSize ?? minVisibleSize) < minVisibleSize && !isBlankText(text)) {
      this.#notes.add('hidden', text, node)
      return
    }
    if (!isBlankText(text)) {
      this.isRightToLeft ??= style.isRightToLeft
      // Content has one direction.
      if (style.isRightToLeft !== this.isRightToLeft)
        this.#notes.addOnce(
          'style',
          `words written from ${style.isRightToLeft ? 'right to left' : 'left to right'}`,
          node,
        )
    }
    if (style.replacedFont !== undefined && !isBlankText(text))
      this.#notes.add('font', `${style.replacedFont}, shown as ${style.fontFamily ?? 'Arial'}`)
    flow.text(text, style, href)
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

  async #element(element: HtmlElement, context: WalkContext, flow: Flow): Promise<void> {
    const tag = element.tagName
    if (silentTags.has(tag)) return
    if (/^(w|o|m):/.test(tag) && tag !== 'o:p') return
    if (tag === 'area') {
      this.#notes.add('link', `${attributeOf(element, 'href') ?? ''} in a picture`, element)
      return
    }
    const code = tag.startsWith('v:') ? 'vml' : ownEntry(refusedTags, tag)
    if (code) {
      this.#notes.add(code, `<${tag}> ${textInside(element, 60)}`, element)
      return
    }
    const style = this.#visibleStyle(element, context.style)
    if (style === null) return
    const inner = this.#contextInside(element, style, context)
    if (tag === 'br') {
      if (style.box.isClear) flow.clear()
      flow.lineBreak(inner.style)
    } else if (tag === 'img') this.#picture(element, style, context, flow)
    else if (tag === 'hr') this.#rule(element, style, flow)
    else await this.#container(element, style, inner, context.style, flow)
  }

  /** Null when the element is hidden. */
  #visibleStyle(element: HtmlElement, parent: ComputedText): ComputedStyle | null {
    const style = this.#styles.styleOf(element, parent)
    if (style.box.display !== 'none' && !style.box.isInvisible) {
      const picture = style.box.backgroundPicture
      if (picture !== undefined) this.#notes.add('background_picture', picture, element)
      for (const lost of style.box.lost) this.#notes.addOnce('style', lost, element)
      return style
    }
    const words = textInside(element)
    if (element.tagName === 'img') this.#notes.add('hidden', attributeOf(element, 'src') ?? '', element)
    else if (words !== '') this.#notes.add('hidden', words, element)
    return null
  }

  #contextInside(element: HtmlElement, style: ComputedStyle, context: WalkContext): WalkContext {
    const target = element.tagName === 'a' ? attributeOf(element, 'href') : undefined
    if (target === undefined) return { ...context, style: style.text }
    // `//example.com` takes the scheme of the page around it, and a mail has none.
    const address = target.trimStart().startsWith('//') ? `https:${target.trimStart()}` : target
    const href = address.trim() === '' ? null : safeUrl(address)
    if (href === null || href.length > 2_048) {
      if (target.trim() !== '') this.#notes.add('link', target, element)
      return { ...context, style: style.text, href: undefined, linkBox: undefined }
    }
    return { ...context, style: style.text, href, linkBox: style.box }
  }

  #picture(element: HtmlElement, style: ComputedStyle, context: WalkContext, flow: Flow): void {
    const { href, linkBox } = context
    const picture = pictureDraft(element, {
      box: style.box,
      href,
      linkBox,
      notes: this.#notes,
      sources: this.#sources,
    })
    if (picture === 'lost') this.#lostPictures += 1
    if (picture === null || picture === 'lost') return
    if ('words' in picture) flow.text(picture.words, context.style, href)
    else if (style.box.float) flow.float(picture.draft, style.box.float)
    else if (style.box.display === 'block') {
      flow.endLine()
      flow.atom(picture.draft, context.style, undefined, true)
      flow.endLine()
    } else flow.atom(picture.draft, context.style, style.box.verticalAlign)
  }

  #rule(element: HtmlElement, { box }: ComputedStyle, flow: Flow): void {
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
  async #container(
    element: HtmlElement,
    style: ComputedStyle,
    context: WalkContext,
    around: ComputedText,
    flow: Flow,
  ): Promise<void> {
    const { box } = style
    if (box.isClear) flow.clear()
    if (box.float) {
      const draft = await this.#asAtom(element, style, context)
      if (draft) flow.float(draft, box.float)
    } else if (box.display === 'atom' || isButtonLink(element, box)) {
      if (box.display === 'atom' && isPlainBox(box) && hasOnlyText(element))
        await this.#children(element, context, flow)
      else {
        const draft = await this.#asAtom(element, style, context)
        if (draft) flow.atom(draft, around, box.verticalAlign)
      }
    } else if (box.display === 'inline') {
      if (isMarked(element, box))
        this.#notes.add('style', `the background ${box.background} of a text`, element)
      await this.#children(element, context, flow)
    } else if (box.display === 'flex') flow.block(boxAround(await this.#flexFlow(element, context), style))
    else flow.block(boxAround(await this.#inside(element, style, context), besideBullets(element, style)))
  }

  async #children(element: HtmlElement, context: WalkContext, flow: Flow): Promise<void> {
    for (const child of element.childNodes) await this.#node(child, context, flow)
  }

  async #inside(element: HtmlElement, style: ComputedStyle, context: WalkContext): Promise<FlowResult> {
    const tag = element.tagName
    if (tag === 'table') return this.#table(element, style, context)
    if ((tag === 'ul' || tag === 'ol') && style.box.listStyle !== 'none' && hasOnlyItems(element))
      return listFrom(
        element,
        async item => {
          const own = this.#visibleStyle(item, style.text)
          return own && (await this.flowOf(item.childNodes, { ...context, style: own.text }))
        },
        style.text,
      )
    return this.flowOf(element.childNodes, context)
  }

  async #table(element: HtmlElement, style: ComputedStyle, context: WalkContext): Promise<FlowResult> {
    const inside: InsideTable = {
      styleOf: (part, parent) => this.#visibleStyle(part, parent),
      contentOf: async (cell, own, available) => {
        const before = this.#lostPictures
        const result = await this.flowOf(cell.childNodes, { ...context, style: own.text, available })
        return { ...result, hasLostPicture: this.#lostPictures > before }
      },
    }
    const percent = style.box.widthPercent
    const width =
      style.box.width ??
      (percent !== undefined && context.available !== undefined
        ? (context.available * percent) / 100
        : undefined)
    const caption = element.childNodes.filter(node => isHtmlElement(node) && node.tagName === 'caption')
    const result = await tableFlow(element, { ...style, box: { ...style.box, width } }, inside, this.#notes)
    if (caption.length === 0) return result
    const flow = new Flow(context.style)
    flow.block(await this.flowOf(caption, context))
    flow.block(result)
    return flow.finish()
  }

  /** The children of a flex container stand beside each other. */
  async #flexFlow(element: HtmlElement, context: WalkContext): Promise<FlowResult> {
    const flow = new Flow(context.style)
    for (const child of element.childNodes) {
      const style = isHtmlElement(child) ? this.#visibleStyle(child, context.style) : null
      if (!isHtmlElement(child) || style === null || !isFlexItem(child))
        await this.#node(child, context, flow)
      else {
        const draft = await this.#asAtom(child, style, this.#contextInside(child, style, context))
        if (draft) flow.atom(draft, context.style, undefined)
      }
    }
    return flow.finish()
  }

  /** One block with the margins of the element; null when there is nothing to show. */
  async #asAtom(element: HtmlElement, style: ComputedStyle, context: WalkContext): Promise<Draft | null> {
    const { drafts, top, bottom } = boxAround(await this.#inside(element, style, context), style)
    if (drafts.length === 0) return null
    const draft = asOneDraft(drafts)
    const free = (style.box.width ?? 0) - estimateSize(draft).width
    const isFixed =
      element.tagName !== 'table' && draft.type !== 'button' && draft.blockStyle?.width === undefined
    addMargin(draft, [top, isFixed && free > 0 ? free : 0, bottom, 0])
    return draft
  }
}
