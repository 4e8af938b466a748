// A line of text: runs of words and of smart fields, each with its own style and link.
import { type Static, Type } from 'typebox'
import { hex } from './colors.ts'
import { closedObject, Id, OneOf, Reference, Words } from './fields.ts'
import { fieldValue, kindOf, type Value } from './fill.ts'
import { compileHref, Href, linked } from './href.ts'
import { escapeText, isPlain, plainText } from './html.ts'
import { linkInText, linkOf, toldAddress } from './links.ts'
import { addConstant, addValue } from './output.ts'
import { fontCss, fontSizeOf, lineHeightOf, px, TextStyle } from './style.ts'
import type { Draw, Pass, Piece, PieceScope } from './types.ts'
import { warnOfContrast } from './warnings.ts'

export const tokenTypes = ['textToken', 'smartFieldToken'] as const

export const Token = closedObject({
  id: Type.Optional(Id()),
  type: Type.Optional(OneOf(tokenTypes)),
  value: Type.Optional(Words()),
  smartFieldUuid: Type.Optional(Reference('smart_field')),
  fallback: Type.Optional(Words()),
  prefix: Type.Optional(Words(200)),
  suffix: Type.Optional(Words(200)),
  textStyle: Type.Optional(TextStyle),
  href: Type.Optional(Href),
})
export type Token = Static<typeof Token>

export interface TokensOptions {
  /** Of runs that name none. */
  readonly color?: string
  /** Around the whole, as in a button: the runs then link nowhere themselves. */
  readonly inLink?: boolean
}

/** What a link looks like whose text names no colour: readable on white and on dark. */
export const linkColor = '#2f80ed'
/** Of numbers and addresses that are links for the sake of not being painted blue: readable on both as well. */
const neutral = '#737373'

interface Run {
  readonly isSmart: boolean
  readonly hasHref: boolean
  readonly value: Value
  readonly prefix: string
  readonly suffix: string
  readonly style: string
  /** Where it leads, for a value; null is nowhere. */
  readonly target: ((pass: Pass, value: string) => string | null) | null
  readonly linkOpen: string
  readonly linkStyle: string
  readonly id: string | undefined
}

/** The cell that holds text: without them, the reader's own font would decide how high a line is. */
export function lineCss(tokens: readonly Token[]): string {
  const styles = tokens.length === 0 ? [{}] : tokens.map(token => token.textStyle ?? {})
  const size = Math.max(...styles.map(fontSizeOf))
  const height = Math.max(...styles.map(lineHeightOf))
  return `font-size:${px(size)};mso-line-height-rule:exactly;line-height:${height}px`
}

/**
 * All runs between two constants, with their plain text left in `pass.words`; nothing when there is nothing to read, or when
 * every smart field among them is empty.
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
    const shown = run.prefix + value + run.suffix
    const url = run.target === null ? null : run.target(pass, value)
    if (!isEasy(shown)) {
      const html = drawRun(run, pass, shown, url)
      addConstant(out, open)
      addValue(out, rightToLeft.test(shown) ? `<span dir="rtl">${html}</span>` : html)
      addConstant(out, close)
      pass.words = wordsOf(run, value, plainText(shown), url)
      return true
    }
    if (url === null) {
      addConstant(out, plain)
      addValue(out, shown)
      addConstant(out, plainEnd)
    } else {
      addConstant(out, link)
      addValue(out, linked(pass, url, run.id))
      addConstant(out, linkMiddle)
      addValue(out, shown)
      addConstant(out, linkEnd)
    }
    pass.words = wordsOf(run, value, shown, url)
    return true
  }
}

function drawMany(runs: readonly Run[], open: string, close: string): Draw {
  const hasSmart = runs.some(run => run.isSmart)
  return pass => {
    const { out } = pass
    // Before anything is drawn: links that nobody will see are not made.
    if (hasSmart && !runs.some(run => run.isSmart && run.value(pass) !== '')) return false
    let html = ''
    let words = ''
    /** The style of the span that is still open: runs that look alike share one. */
    let style = ''
    for (const run of runs) {
      const value = run.value(pass)
      if (value === '') continue
      const shown = run.prefix + value + run.suffix
      const url = run.target === null ? null : run.target(pass, value)
      const easy = isEasy(shown)
      words += wordsOf(run, value, easy ? shown : plainText(shown), url)
      const isOwn = url !== null || (!easy && longWord.test(shown))
      if (!isOwn && style === run.style) {
        html += easy ? shown : escapeText(shown)
        continue
      }
      if (style !== '') html += '</span>'
      style = isOwn ? '' : run.style
      html += isOwn
        ? drawRun(run, pass, shown, url)
        : `<span style="${style}">${easy ? shown : escapeText(shown)}`
    }
    if (html === '') return false
    if (style !== '') html += '</span>'
    // Of the whole line, not of its runs: they would each be right, and in the wrong order.
    addConstant(out, open)
    addValue(out, rightToLeft.test(words) ? `<span dir="rtl">${html}</span>` : html)
    addConstant(out, close)
    pass.words = words
    return true
  }
}

/** A run in a span of its own, with its link. */
function drawRun(run: Run, pass: Pass, shown: string, url: string | null): string {
  if (url === null) return `${spanOpen(run.style, shown)}${escapeText(shown)}</span>`
  const inner = `${spanOpen(run.linkStyle, shown)}${escapeText(shown)}</span>`
  return `<a href="${linked(pass, url, run.id)}${run.linkOpen}${inner}</a>`
}

/** What is a link for its own sake tells already where it leads. */
function wordsOf(run: Run, value: string, shown: string, url: string | null): string {
  const told = url === null || !run.hasHref ? null : toldAddress(value, url)
  return told === null ? shown : `${shown} (${told})`
}

function compileToken(token: Token, scope: PieceScope, { color: given, inLink = false }: TokensOptions): Run {
  const { id, smartFieldUuid: field, value: literal = '', textStyle = {} } = token
  const color = hex(textStyle.color) ?? given
  const { textDecoration } = textStyle
  const decoration = textDecoration ?? 'none'
  const target = inLink ? null : targetOf(token, scope)
  const ofLink = color ?? (token.href ? linkColor : neutral)
  const shown = color ?? (target && token.href ? linkColor : undefined)
  if (shown) warnOfContrast(scope.warn, id, shown, scope.background)
  return {
    id,
    isSmart: field !== undefined,
    hasHref: token.href !== undefined,
    value: field === undefined ? () => literal : filled(token, field, scope),
    prefix: token.prefix ?? '',
    suffix: token.suffix ?? '',
    style: fontCss(textStyle, color, inLink ? decoration : textDecoration),
    target,
    linkOpen: `" style="color:${ofLink};text-decoration:${decoration}">`,
    linkStyle: fontCss(textStyle, ofLink, decoration),
  }
}

/** The smart field's value, the field's fallback, the token's, its own text: whichever is there first. */
function filled({ id, fallback, value: literal }: Token, field: string, scope: PieceScope): Value {
  const value = fieldValue(field, scope, id)
  const instead = [fallback, literal].find(text => text !== undefined && text.trim() !== '') ?? ''
  return pass => value(pass) || instead
}

/** Where a run leads. Clients make links of numbers and addresses themselves, and paint them blue: ours come first. */
function targetOf({ id, href, smartFieldUuid: field, value }: Token, scope: PieceScope): Run['target'] {
  if (href) return compileHref(href, scope, id)
  if (field === undefined) {
    const url = linkInText(value ?? '')
    return url === null ? null : () => url
  }
  const kind = kindOf(field, scope)
  if (kind === 'image') return null
  if (kind === 'text') return (_pass, found) => linkInText(found)
  return (_pass, found) => linkOf(kind, found)
}

const rightToLeft = /^[^A-Za-z\u00c0-\u058f]*[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/
const longWord = /\S{40}/

/** Nothing to escape, nothing to break, from left to right: as most values are. */
const isEasy = (shown: string): boolean => shown.length < 40 && isPlain(shown)

const spanOpen = (style: string, shown: string): string =>
  `<span style="${longWord.test(shown) ? 'word-break:break-word;' : ''}${style}">`
