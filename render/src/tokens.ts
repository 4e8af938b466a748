// A line of text: tokens with fixed words or smart fields, each with its own style and link.
import { type Static, Type } from 'typebox'
import { closedObject, Id, OneOf, Reference, Words } from './fields.ts'
import { type FieldReader, fieldValue, kindOf } from './fill.ts'
import { escapeText, isPlain, plainText } from './html.ts'
import { compileHref, Href, trackedHref } from './links/href.ts'
import { addressToAdd, linkOfText, linkOfValue } from './links/links.ts'
import { addConstant, addValue } from './output.ts'
import { contrast, hex, readableOn } from './style/colors.ts'
import { isRightToLeft } from './style/direction.ts'
import { fontCss, fontSizeOf, lineHeightOf, px, TextStyle } from './style/style.ts'
import type { Draw, Pass, Piece, PieceScope } from './types.ts'
import { warnOfContrast } from './warnings.ts'

export const tokenTypes = ['textToken', 'smartFieldToken'] as const

export const Token = closedObject(
  {
    id: Type.Optional(Id()),
    type: Type.Optional(OneOf(tokenTypes)),
    value: Type.Optional(Words()),
    smartFieldUuid: Type.Optional(Reference('smart_field')),
    fallback: Type.Optional(Words()),
    prefix: Type.Optional(Words(200)),
    suffix: Type.Optional(Words(200)),
    textStyle: Type.Optional(TextStyle),
    href: Type.Optional(Href),
  },
  {
    title: 'Token',
    if: { properties: { type: { const: 'smartFieldToken' } }, required: ['type'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { required: ['smartFieldUuid'] },
  },
)
export type Token = Static<typeof Token>

export interface TokensOptions {
  /** The colour of tokens that set none. */
  readonly color?: string
  /** The tokens are inside a link already (a button), so they have no links of their own. */
  readonly inLink?: boolean
  /** More CSS for every token. */
  readonly css?: string
}

/** The colour of links whose token sets none: 4.6:1 on a white, 3.6:1 on a dark background. */
export const linkColor = '#1f6feb'
const linkColorOn = (background: string | undefined): string =>
  background === undefined || contrast(linkColor, background) >= 4.5 ? linkColor : readableOn(background)
/**
 * The colour of phone numbers and addresses that are links only to keep mail clients from painting them blue: that of
 * the words around them. Word does not know it; there, the span has the automatic text colour.
 */
const surroundingColor = 'inherit'
const automaticInWord = ';mso-color-alt:windowtext'

/** A compiled token. */
interface Run {
  readonly isSmart: boolean
  readonly hasHref: boolean
  readonly value: FieldReader
  readonly prefix: string
  readonly suffix: string
  readonly style: string
  /** The link target for a value; null when there is none. */
  readonly target: ((pass: Pass, value: string) => string | null) | null
  readonly linkOpen: string
  readonly linkStyle: string
  readonly id: string | undefined
}

const largest = (tokens: readonly Token[], sizeOf: (style: TextStyle) => number): number =>
  tokens.length === 0 ? sizeOf({}) : Math.max(...tokens.map(({ textStyle = {} }) => sizeOf(textStyle)))

export const textFontSize = (tokens: readonly Token[]): number => largest(tokens, fontSizeOf)
export const textLineHeight = (tokens: readonly Token[]): number => largest(tokens, lineHeightOf)

/**
 * The CSS of a cell with text. Without it, the mail client's default font would decide the line height. The colour is
 * also on the spans; mail clients that make links of dates and addresses themselves take the one of the cell.
 */
export function lineCss(tokens: readonly Token[], defaultColor?: string): string {
  const colors = tokens.map(({ textStyle }) => hex(textStyle?.color) ?? defaultColor)
  // A token without a colour would take the colour of the cell.
  const color = colors.every(color => color) ? colors[0] : undefined
  const line = `font-size:${px(textFontSize(tokens))};mso-line-height-rule:exactly;line-height:${textLineHeight(tokens)}px`
  return color === undefined ? line : `${line};color:${color}`
}

/**
 * Draws all tokens between two constants, and leaves their plain text in `pass.tokenText`. Draws nothing when the text is
 * empty, or when the line has smart fields and all of them are empty.
 */
export function compileTokens(
  tokens: readonly Token[],
  scope: PieceScope,
  options: TokensOptions = {},
): Piece['bind'] {
  const runs = tokens.map(token => compileToken(token, scope, options))
  const [only, ...others] = runs
  if (only !== undefined && others.length === 0 && !hasLinkedAffix(only))
    return (open, close) => drawOne(only, open, close)
  return (open, close) => drawMany(runs, open, close)
}

const hasLinkedAffix = ({ target, prefix, suffix }: Run): boolean => target !== null && prefix + suffix !== ''

function drawOne(run: Run, open: string, close: string): Draw {
  const [plain, plainEnd] = [`${open}<span style="${run.style}">`, `</span>${close}`]
  const link = `${open}<a href="`
  const linkMiddle = `${run.linkOpen}<span style="${run.linkStyle}">`
  const linkEnd = `</span></a>${close}`
  return pass => {
    const value = run.value(pass)
    if (value === '') return false
    const { out } = pass
    const text = run.prefix + value + run.suffix
    const url = run.target === null ? null : run.target(pass, value)
    if (pass.isMirrored || !isEasy(text)) {
      const html = drawRun(run, pass, text, url)
      addConstant(out, open)
      addValue(out, inDirection(html, text, pass))
      addConstant(out, close)
      pass.tokenText = wordsOf(run, value, plainText(text), url)
      return true
    }
    if (url === null) {
      addConstant(out, plain)
      addValue(out, text)
      addConstant(out, plainEnd)
    } else {
      addConstant(out, link)
      addValue(out, trackedHref(pass, url, run.id))
      addConstant(out, linkMiddle)
      addValue(out, text)
      addConstant(out, linkEnd)
    }
    pass.tokenText = wordsOf(run, value, text, url)
    return true
  }
}

function drawMany(runs: readonly Run[], open: string, close: string): Draw {
  const hasSmart = runs.some(run => run.isSmart)
  return pass => {
    const { out } = pass
    // Checked before drawing, so that no anchor is recorded for a line that is left out.
    if (hasSmart && !runs.some(run => run.isSmart && run.value(pass) !== '')) return false
    let html = ''
    let words = ''
    /** The style of the span that is still open: tokens with the same style share a span. */
    let style = ''
    const add = (run: Run, text: string, url: string | null): void => {
      const easy = isEasy(text)
      const hasOwnSpan = url !== null || (!easy && longWord.test(text))
      if (!hasOwnSpan && style === run.style) {
        html += easy ? text : escapeText(text)
        return
      }
      if (style !== '') html += '</span>'
      style = hasOwnSpan ? '' : run.style
      html += hasOwnSpan
        ? drawRun(run, pass, text, url)
        : `<span style="${style}">${easy ? text : escapeText(text)}`
    }
    for (const run of runs) {
      const value = run.value(pass)
      if (value === '') continue
      const { prefix, suffix } = run
      const text = prefix + value + suffix
      const url = run.target === null ? null : run.target(pass, value)
      words += wordsOf(run, value, isEasy(text) ? text : plainText(text), url)
      if (url === null) add(run, text, null)
      else {
        // The link is the value alone, without the separator or the label beside it.
        if (prefix !== '') add(run, prefix, null)
        add(run, value, url)
        if (suffix !== '') add(run, suffix, null)
      }
    }
    if (html === '') return false
    if (style !== '') html += '</span>'
    // The direction is set for the whole line: set for each token, the order of the tokens would be wrong.
    addConstant(out, open)
    addValue(out, inDirection(html, words, pass))
    addConstant(out, close)
    pass.tokenText = words
    return true
  }
}

/** A token in its own span, with its link. */
function drawRun(run: Run, pass: Pass, text: string, url: string | null): string {
  if (url === null) return `${spanOpen(run.style, text)}${escapeText(text)}</span>`
  const inner = `${spanOpen(run.linkStyle, text)}${escapeText(text)}</span>`
  return `<a href="${trackedHref(pass, url, run.id)}${run.linkOpen}${inner}</a>`
}

/**
 * The plain text of a token. An address is added only for links of the content: automatic links show it in their text.
 */
function wordsOf(run: Run, value: string, text: string, url: string | null): string {
  const address = url === null || !run.hasHref ? null : addressToAdd(value, url)
  return address === null ? text : `${text} (${address})`
}

function compileToken(
  token: Token,
  scope: PieceScope,
  { color: defaultColor, inLink = false, css = '' }: TokensOptions,
): Run {
  const { id, smartFieldUuid: field, value: literal = '', textStyle = {} } = token
  const { background } = scope
  const ownColor = hex(textStyle.color) ?? defaultColor
  const color = ownColor ?? (background && readableOn(background))
  const { textDecoration } = textStyle
  const decoration = textDecoration ?? 'none'
  const target = inLink ? null : targetOf(token, scope)
  const colorInLink = token.href ? (ownColor ?? linkColorOn(background)) : (color ?? surroundingColor)
  const visibleColor = target && token.href ? colorInLink : color
  if (visibleColor) warnOfContrast(scope.warn, id, visibleColor, scope.background)
  return {
    id,
    isSmart: field !== undefined,
    hasHref: token.href !== undefined,
    value: field === undefined ? () => literal : valueWithFallback(token, field, scope),
    prefix: token.prefix ?? '',
    suffix: token.suffix ?? '',
    style: fontCss(textStyle, color, inLink ? decoration : textDecoration) + css,
    target,
    linkOpen: `" style="color:${colorInLink};text-decoration:${decoration}">`,
    linkStyle:
      fontCss(textStyle, colorInLink, decoration) + (colorInLink === surroundingColor ? automaticInWord : ''),
  }
}

/**
 * The first that is not empty: the value of the smart field, the field's fallback, the token's fallback, the token's
 * text.
 */
function valueWithFallback(
  { id, fallback, value: literal }: Token,
  field: string,
  scope: PieceScope,
): FieldReader {
  const value = fieldValue(field, scope, id)
  const ownFallback = [fallback, literal].find(text => text !== undefined && text.trim() !== '') ?? ''
  return pass => value(pass) || ownFallback
}

/**
 * The link target of a token. Mail clients turn phone numbers and addresses into blue links themselves; a link of our
 * own prevents that.
 */
function targetOf({ id, href, smartFieldUuid: field, value }: Token, scope: PieceScope): Run['target'] {
  if (href) return compileHref(href, scope, id)
  if (field === undefined) {
    const url = linkOfText(value ?? '')
    return url === null ? null : () => url
  }
  const kind = kindOf(field, scope)
  return kind === 'image' ? null : (_pass, text) => linkOfValue(kind, text)
}

/**
 * A line that runs against the direction of the signature says so. A phone number has no letters: between texts from
 * right to left, its groups of digits would change places.
 */
function inDirection(html: string, text: string, { isMirrored }: Pass): string {
  if ((isRightToLeft(text) ?? false) === isMirrored) return html
  return `<span dir="${isMirrored ? 'ltr' : 'rtl'}">${html}</span>`
}

/** About 160 px at the default size: beside a picture, a longer word can be too wide for a phone. */
const longLength = 24
const longWord = /\S{24}/

/** Most values: nothing to escape, no long word to break, left to right. */
const isEasy = (text: string): boolean => isPlain(text) && (text.length < longLength || !longWord.test(text))

const spanOpen = (style: string, text: string): string =>
  `<span style="${longWord.test(text) ? 'word-break:break-word;' : ''}${style}">`
