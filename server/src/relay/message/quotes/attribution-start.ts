// Finds the first line of an attribution that a client has folded: `On Wed, 18 Nov 2026 at 10:02, Ada` and, in the next
// line, `Lovelace <ada@example.com> wrote:`.
import { areSeparate, beginningOf, hasWholeDate, isProse } from './attribution-lines.ts'
import {
  digitsIn,
  endsAttribution,
  endsWithWrote,
  hasBracketedAddress,
  isAttributionBeforeQuote,
  isOpenAtEnd,
  isOpenAtStart,
} from './attributions.ts'
import { saysWrote, visibleText } from './labels.ts'

/** A line with text that was read. */
export interface PastLine {
  /** Offset in the body. */
  readonly start: number
  /** Empty in HTML when it has no sign of a quote; `folded` gives it then. */
  readonly text: string
  readonly folded: (() => string) | undefined
  /** It has a digit or an address, or is not read yet: an attribution has such a line. */
  readonly hasSign: boolean
  /** The break behind it: in HTML, its element can end there. */
  end: 'break' | 'element' | 'gap'
  /** Start of the lines that only line breaks separate from it. */
  readonly paragraphStart: number
}

/** Longer lines are text of the sender: no label and no attribution is that long. */
export const longestJudgedLine = 400

/** Clients fold an attribution into at most so many lines. */
const foldedLines = 6

/** False when the last lines cannot be an attribution with a date or an address. */
export const canBeAttribution = (recent: readonly PastLine[]): boolean =>
  recent.slice(-foldedLines).some(({ hasSign }) => hasSign)

const beginsWithBracket = /^[<([]/

/**
 * True if two lines stand in one paragraph: no empty line is between them, and in HTML no element ends, unless each
 * line of the text has an element of its own. `isLast`: what follows the second one is not read yet.
 */
function areTogether(above: PastLine, line: PastLine, isLast: boolean): boolean {
  if (above.end !== 'element') return above.end === 'break'
  return above.paragraphStart === above.start && (isLast || line.end !== 'break')
}

/** The last lines of a paragraph as one text. */
interface JoinedLines {
  readonly start: number
  readonly text: string
  readonly first: string
  /** The text without the first line; empty when there is one line. */
  readonly below: string
  /** The first line is the first one of its paragraph. */
  readonly isParagraph: boolean
  /** A program has folded them: none has room for the first word of the next, if the longest is as long as they can be. */
  readonly isFilled: boolean
}

const textOf = ({ text, folded }: PastLine): string =>
  text !== '' || folded === undefined ? text : visibleText(folded())

/** The last line, the last two lines, and so on: as many as an attribution can have. */
function* joinedLines(recent: readonly PastLine[]): Generator<JoinedLines> {
  let below = ''
  let longest = 0
  let shortestOverflow = Number.POSITIVE_INFINITY
  for (let count = 1; count <= Math.min(foldedLines, recent.length); count++) {
    const line = recent.at(-count) as PastLine
    const next = recent.at(1 - count)
    const isJoined = count === 1 || areTogether(line, next as PastLine, count === 2)
    if (!isJoined && !below.startsWith('<') && !isOpenAtStart(below)) return
    const first = count === 1 ? line.text : textOf(line)
    if (first === '' || first.length + below.length >= longestJudgedLine) return
    if (count > 1 && areSeparate(first, below)) return
    // An address can be longer than the lines should be.
    if (first.includes(' ')) longest = Math.max(longest, first.length)
    if (count > 1 && !beginsWithBracket.test(below))
      shortestOverflow = Math.min(shortestOverflow, first.length + 1 + `${below} `.indexOf(' '))
    const text = count === 1 ? first : `${first}${isOpenAtEnd(first) ? '' : ' '}${below}`
    const before = recent.at(-count - 1)
    const isParagraph = !before || !areTogether(before, line, count === 1)
    yield { start: line.start, text, first, below, isParagraph, isFilled: shortestOverflow > longest }
    below = text
  }
}

/** True if a client can have folded the text before `below`, where the line above is not full. */
const isBreak = ({ first, below }: JoinedLines): boolean =>
  beginsWithBracket.test(below) || /[,"]$/.test(first) || isOpenAtEnd(first) || saysWrote(below)

/** Ranks for the beginning of a text: the higher, the more like that of an attribution. */
const signs = { none: 0, date: 1, name: 2, dateFirst: 3, lead: 4 } as const
type Sign = (typeof signs)[keyof typeof signs]

function signOf(text: string): Sign {
  const beginning = beginningOf(text)
  if (beginning === 'lead') return signs.lead
  if (hasWholeDate(text)) return beginning === null ? signs.date : signs.dateFirst
  return beginning === 'name' ? signs.name : signs.none
}

/**
 * True if lines make an attribution that none of them is: wrapped text of the sender has dates, addresses and colons,
 * too.
 */
function isJoinable(text: string): boolean {
  if (saysWrote(text) || (hasWholeDate(text) && endsAttribution(text) && !isProse(text))) return true
  const beginning = beginningOf(text)
  if (beginning === 'lead' || beginning === 'date') return true
  return beginning === 'name' && (endsAttribution(text) || endsWithWrote(text))
}

/** A name, and the word for *wrote*: no sentence, and no line with a date, a telephone number or an address. */
const isName = (text: string): boolean =>
  text.length <= longestName && !text.includes('@') && digitsIn(text) < 5 && !isProse(text)
const longestName = 150

export interface Attribution {
  readonly start: number
  readonly text: string
}

interface Candidate extends Attribution {
  readonly sign: Sign
  readonly hasAddress: boolean
  readonly hasWrote: boolean
}

const isBetter = (candidate: Candidate, best: Candidate | null): boolean =>
  !best ||
  candidate.sign > best.sign ||
  (candidate.hasAddress && !best.hasAddress) ||
  (candidate.hasWrote && !best.hasWrote)

/**
 * Finds the attribution that the last lines are, or null when they are none. In most languages it begins with a date,
 * or a word before one. Where a name comes first, it begins with its paragraph, if a program has folded all of that.
 * Lines that are folded in another way must be a paragraph that begins with a date or a name.
 */
export function lastAttribution(recent: readonly PastLine[]): Attribution | null {
  let best: Candidate | null = null
  const unfilled: JoinedLines[] = []
  for (const lines of joinedLines(recent)) {
    const { start, text, isParagraph, isFilled } = lines
    if (!isFilled) unfilled.push(lines)
    if (!isAttributionBeforeQuote(text) || (lines.below !== '' && !isJoinable(text))) continue
    if (isOpenAtStart(text) || (beginsWithBracket.test(text) && !isParagraph)) continue
    const candidate = {
      start,
      text,
      sign: signOf(text),
      hasAddress: hasBracketedAddress(text),
      hasWrote: saysWrote(text),
    }
    if (!unfilled.every(isBreak)) {
      const isBegun = candidate.sign >= signs.dateFirst && hasWholeDate(text)
      if (isParagraph && isBegun && (!best || best.sign < signs.dateFirst)) return lines
    } else if (candidate.sign === signs.lead) return lines
    else if (isBetter(candidate, best)) best = candidate
    else if (best && isParagraph && isFilled && isName(text.slice(0, -best.text.length))) return lines
  }
  return best
}
