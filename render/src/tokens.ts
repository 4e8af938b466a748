// A line of text: tokens with fixed words or smart fields, each with its own style and link.
import { type Static, Type } from 'typebox'
import { hex } from './colors.ts'
import { closedObject, Id, OneOf, Reference, Words } from './fields.ts'
import { type FieldReader, fieldValue, kindOf } from './fill.ts'
import { compileHref, Href, trackedHref } from './href.ts'
import { escapeText, isPlain, plainText } from './html.ts'
import { addressToAdd, linkInText, linkOf } from './links.ts'
import { addConstant, addValue } from './output.ts'
import { fontCss, fontSizeOf, lineHeightOf, px, TextStyle } from './style.ts'
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
}

/** The colour of links whose token sets none: readable on a white and on a dark background. */
export const linkColor = '#2f80ed'
/**
 * The colour of phone numbers and addresses that are links only to keep mail clients from painting them blue. Readable
 * on both backgrounds too.
 */
const neutralColor = '#737373'

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

/** The CSS of a cell with text. Without it, the mail client's default font would decide the line height. */
export function lineCss(tokens: readonly Token[]): string {
  const styles = tokens.length === 0 ? [{}] : tokens.map(token => token.textStyle ?? {})
  const size = Math.max(...styles.map(fontSizeOf))
  const height = Math.max(...styles.map(lineHeightOf))
  return `font-size:${px(size)};mso-line-height-rule:exactly;line-height:${height}px`
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
  if (only !== undefined && others.length === 0) return (open, close) => drawOne(only, open, close)
  return (open, close) => drawMany(runs, open, close)
}

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
    if (!isEasy(text)) {
      const html = drawRun(run, pass, text, url)
      addConstant(out, open)
      addValue(out, rightToLeft.test(text) ? `<span dir="rtl">${html}</span>` : html)
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
    for (const run of runs) {
      const value = run.value(pass)
      if (value === '') continue
      const text = run.prefix + value + run.suffix
      const url = run.target === null ? null : run.target(pass, value)
      const easy = isEasy(text)
      words += wordsOf(run, value, easy ? text : plainText(text), url)
      const hasOwnSpan = url !== null || (!easy && longWord.test(text))
      if (!hasOwnSpan && style === run.style) {
        html += easy ? text : escapeText(text)
        continue
      }
      if (style !== '') html += '</span>'
      style = hasOwnSpan ? '' : run.style
      html += hasOwnSpan
        ? drawRun(run, pass, text, url)
        : `<span style="${style}">${easy ? text : escapeText(text)}`
    }
    if (html === '') return false
    if (style !== '') html += '</span>'
    // The direction is set for the whole line: set for each token, the order of the tokens would be wrong.
    addConstant(out, open)
    addValue(out, rightToLeft.test(words) ? `<span dir="rtl">${html}</span>` : html)
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
  { color: defaultColor, inLink = false }: TokensOptions,
): Run {
  const { id, smartFieldUuid: field, value: literal = '', textStyle = {} } = token
  const color = hex(textStyle.color) ?? defaultColor
  const { textDecoration } = textStyle
  const decoration = textDecoration ?? 'none'
  const target = inLink ? null : targetOf(token, scope)
  const colorInLink = color ?? (token.href ? linkColor : neutralColor)
  const visibleColor = color ?? (target && token.href ? linkColor : undefined)
  if (visibleColor) warnOfContrast(scope.warn, id, visibleColor, scope.background)
  return {
    id,
    isSmart: field !== undefined,
    hasHref: token.href !== undefined,
    value: field === undefined ? () => literal : valueWithFallback(token, field, scope),
    prefix: token.prefix ?? '',
    suffix: token.suffix ?? '',
    style: fontCss(textStyle, color, inLink ? decoration : textDecoration),
    target,
    linkOpen: `" style="color:${colorInLink};text-decoration:${decoration}">`,
    linkStyle: fontCss(textStyle, colorInLink, decoration),
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
    const url = linkInText(value ?? '')
    return url === null ? null : () => url
  }
  const kind = kindOf(field, scope)
  if (kind === 'image') return null
  if (kind === 'text') return (_pass, text) => linkInText(text)
  return (_pass, text) => linkOf(kind, text)
}

const rightToLeft = /^[^A-Za-z\u00c0-\u058f]*[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/
const longWord = /\S{40}/

/** Most values: nothing to escape, no long word to break, left to right. */
const isEasy = (text: string): boolean => text.length < 40 && isPlain(text)

const spanOpen = (style: string, text: string): string =>
  `<span style="${longWord.test(text) ? 'word-break:break-word;' : ''}${style}">`
