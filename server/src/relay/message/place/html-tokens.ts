import { QuoteType, Tokenizer } from 'htmlparser2'
import { TimeSlice } from '#kernel/base/time-slice.ts'
import type { MarkAttributes } from '../quotes/quote-marks.ts'

/** A piece of HTML with its offsets. Tags without a name are comments and declarations. */
export interface HtmlToken {
  readonly kind: 'open' | 'close' | 'text' | 'comment'
  /** The tag in lower case. */
  readonly name: string
  readonly start: number
  readonly end: number
  readonly attributes: MarkAttributes
}

const attributeNames = new Set(['id', 'class', 'style', 'type', 'name', 'hidden', 'data-marker'])
/** Longer values are pictures in the text; no mark is that long. */
const longestValue = 2_000
const none: MarkAttributes = {}
/** Tags, texts and attributes. */
const eventsBetweenPauses = 500

/**
 * Calls `onToken` for every complete tag, text and comment, in order, until it returns false. The tokenizer keeps no
 * stack of elements: with one, a closing tag without an opening one costs time for every element that is open.
 */
export async function readHtml(html: string, onToken: (token: HtmlToken) => boolean): Promise<void> {
  const slice = new TimeSlice()
  let count = 0
  let isStopped = false
  const countEvent = () => {
    if (++count % eventsBetweenPauses === 0) tokenizer.pause()
  }
  let tag = { name: '', start: 0 }
  let attributes: Record<string, string> | null = null
  let attribute = ''
  const emit = (kind: HtmlToken['kind'], name: string, start: number, end: number, tagAttributes = none) => {
    countEvent()
    if (onToken({ kind, name, start, end, attributes: tagAttributes })) return
    isStopped = true
    tokenizer.pause()
  }
  const open = (end: number) => emit('open', tag.name, tag.start, end + 1, attributes ?? none)
  const addValue = (value: string) => {
    if (attribute === '') return
    attributes ??= {}
    if (!(attribute in attributes)) attributes[attribute] = value
  }
  const tokenizer = new Tokenizer(
    { decodeEntities: false },
    {
      onopentagname(start, end) {
        tag = { name: html.slice(start, end).toLowerCase(), start: start - 1 }
        attributes = null
      },
      onattribname(start, end) {
        const name = end - start < 12 ? html.slice(start, end).toLowerCase() : ''
        attribute = attributeNames.has(name) ? name : ''
        countEvent()
      },
      onattribdata: (start, end) => addValue(html.slice(start, Math.min(end, start + longestValue))),
      onattribend(quote) {
        if (quote === QuoteType.NoValue) addValue('')
      },
      onattribentity: () => undefined,
      onopentagend: open,
      onselfclosingtag: open,
      onclosetag(start, end) {
        const close = html.indexOf('>', end)
        emit('close', html.slice(start, end).toLowerCase(), start - 2, close < 0 ? html.length : close + 1)
      },
      ontext(start, end) {
        // A closing tag without an end is reported as text from -1 on.
        if (start >= 0) emit('text', '', start, end)
      },
      ontextentity: () => undefined,
      oncomment(start, end) {
        // Without an end, the comment hides the rest: it is no complete token.
        if (end < html.length) emit('comment', '', Math.max(0, start - 4), end + 1)
      },
      oncdata: (start, end) => emit('comment', '', start, Math.min(end + 1, html.length)),
      ondeclaration: (start, end) => emit('comment', '', start, end + 1),
      onprocessinginstruction: (start, end) => emit('comment', '', start, end + 1),
      onend: () => undefined,
    },
  )
  tokenizer.write(html)
  while (!tokenizer.running && !isStopped) {
    await slice.pause()
    tokenizer.resume()
  }
  if (!isStopped) tokenizer.end()
}

/** The text of a piece of HTML, with entities decoded. The piece can begin and end anywhere between tags. */
export function textOfHtml(html: string): string {
  let text = ''
  const add = (start: number, end: number) => {
    text += html.slice(start, end)
  }
  const ignore = () => undefined
  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      ontext: add,
      ontextentity: codePoint => {
        text += String.fromCodePoint(codePoint)
      },
      onopentagname: ignore,
      onattribname: ignore,
      onattribdata: ignore,
      onattribend: ignore,
      onattribentity: ignore,
      onopentagend: ignore,
      onselfclosingtag: ignore,
      onclosetag: ignore,
      oncomment: ignore,
      oncdata: ignore,
      ondeclaration: ignore,
      onprocessinginstruction: ignore,
      onend: ignore,
    },
  )
  tokenizer.write(html)
  tokenizer.end()
  return text
}
