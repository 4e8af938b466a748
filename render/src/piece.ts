// How blocks are drawn. A content tree is compiled once, into functions that contain their constant HTML. Each
// rendering then fills in one person and writes HTML and plain text together. A block with nothing to show writes
// nothing.
import { addConstant, htmlOf } from './output.ts'
import type { Draw, Marks, Pass, Piece, Surroundings } from './types.ts'

/**
 * The limits of one signature. Content of 256 KB can name a value of 5,000 characters thousands of times, which would
 * become 100 MB of HTML. Beyond the limits, values are empty and banners are left out. (Gmail refuses signatures of
 * more than 10,000 characters.)
 */
export const renderLimits = { characters: 100_000, banners: 5 } as const

/** Draws constants around `inside`. If `inside` has nothing to show, the constants are removed again. */
export const wrapPiece =
  (inside: Draw) =>
  (open: string, close: string): Draw =>
  pass => {
    const { out } = pass
    const { html, pendingConstants } = out
    addConstant(out, open)
    if (!inside(pass)) {
      out.html = html
      out.pendingConstants = pendingConstants
      return false
    }
    addConstant(out, close)
    return true
  }

/**
 * Returns the HTML of `draw` instead of adding it, so that it can be added later; null when there is nothing to show.
 */
export function drawSeparately(pass: Pass, draw: Draw): string | null {
  const { out } = pass
  const { html, pendingConstants } = out
  out.html = ''
  out.pendingConstants = out.cache.start
  const inner = draw(pass) ? htmlOf(out) : null
  out.html = html
  out.pendingConstants = pendingConstants
  return inner
}

/** A piece that draws the same HTML for every person. */
export const constant =
  (html: string, line?: string) =>
  (open: string, close: string): Draw => {
    const joined = open + html + close
    const text = line === undefined ? '' : `\n${line}`
    return pass => {
      addConstant(pass.out, joined)
      pass.text += text
      return true
    }
  }

export const drawNothing = (): Draw => () => false

export const isDrawn = (piece: Piece | null): piece is Piece => piece !== null

const noMarks: Marks = ['', '']

export const marksOf = ({ mark }: Surroundings, id: string | undefined): Marks =>
  mark === undefined || id === undefined ? noMarks : mark(id)

/** The piece with the marks of its block around what it draws. */
export function withMarks(piece: Piece, scope: Surroundings, id: string | undefined): Piece {
  const [start, end] = marksOf(scope, id)
  if (start === '') return piece
  return { ...piece, bind: (open, close) => piece.bind(open + start, end + close) }
}
