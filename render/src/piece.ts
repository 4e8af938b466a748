// How blocks are drawn. A tree is compiled once, into functions that know their constant HTML; a pass then fills in one
// person, HTML and text together. What has nothing to show leaves nothing behind.
import type { Block } from './content.ts'
import type { Align, Shape } from './fields.ts'
import type { FieldKind } from './links.ts'
import { addConstant, finished, type Output } from './output.ts'
import type { Box } from './style.ts'
import type { Warn, Warning } from './warnings.ts'

export interface FieldDefinition {
  readonly kind: FieldKind
  readonly fallback?: string | null
}

export interface AssetSource {
  readonly width: number
  readonly height: number
  readonly bytes: number
  readonly contentType: string
}

export interface PictureBox {
  /** As shown, in CSS pixels. */
  readonly width: number
  readonly height: number
  readonly shape: Shape
}

export interface IconBox {
  readonly name: string
  readonly size: number
  readonly color: string
  readonly backgroundColor: string | null
  readonly shape: Shape
}

/** What the workspace has, and where its pictures are. The same for every person. */
export interface Surroundings {
  /** The smart fields that exist. */
  readonly fields: ReadonlyMap<string, FieldDefinition>
  /** The assets that exist. */
  readonly assets?: ReadonlyMap<string, AssetSource>
  /** The campaigns that exist; left out, nobody asks. */
  readonly campaigns?: ReadonlySet<string>
  /** The address of an asset, drawn for this box. */
  readonly assetUrl: (id: string, box: PictureBox) => string
  /** Where the service itself is reached, which pictures may come from. */
  readonly ownAddress?: string
  readonly iconUrl: (icon: IconBox) => string
}

export interface Anchor {
  /** Of the block or token that carries the link. */
  readonly id: string
  readonly url: string
  readonly campaignId: string | null
}

/** A banner, ready to be drawn into a signature. */
export interface RenderedCampaign {
  readonly id: string
  readonly template: { readonly draw: Draw; readonly warnings: readonly Warning[] }
}

/** Value by smart field. */
export type Person = Readonly<Record<string, string | null | undefined>>

/** One filling in: the HTML and the text so far. */
export interface Pass {
  readonly person: Person
  readonly link: ((anchor: Anchor) => string) | undefined
  readonly campaign: ((named: string | undefined) => RenderedCampaign | null) | undefined
  /** The one whose banner is being drawn. */
  campaignId: string | null
  /** Those whose banners were drawn. */
  shown: readonly RenderedCampaign[]
  readonly anchors: Anchor[]
  readonly out: Output
  /** Each line with a line break before it. */
  text: string
  /** The plain text of the tokens drawn last. */
  words: string
  /** Characters of values, and banners, that may still be drawn: see `most`. */
  charactersLeft: number
  bannersLeft: number
}

/**
 * What one signature draws at most. Content of 256 KB can name a value of 5,000 characters some thousand times: it would
 * become 100 MB of HTML. Beyond it, values are empty and banners are left out. (Gmail refuses 10,000 characters.)
 */
export const most = { characters: 100_000, banners: 5 } as const

/** Adds to the pass; false when there is nothing to show, and then nothing was added. */
export type Draw = (pass: Pass) => boolean

export interface Piece {
  readonly box: Box
  /** Drawing with these constants before and after; known when compiling, they melt into the piece's own. */
  readonly bind: (open: string, close: string) => Draw
  /** Drawn as a cell of a row by itself, with no cell around it. */
  readonly ownCell?: boolean
}

/** What is drawn inside, with constants around it. */
export const around =
  (inside: Draw) =>
  (open: string, close: string): Draw =>
  pass => {
    const { out } = pass
    const { html, glue } = out
    addConstant(out, open)
    if (!inside(pass)) {
      out.html = html
      out.glue = glue
      return false
    }
    addConstant(out, close)
    return true
  }

/** What is drawn apart, to be put in its place later; null when there is nothing to show. */
export function apart(pass: Pass, draw: Draw): string | null {
  const { out } = pass
  const { html, glue } = out
  out.html = ''
  out.glue = out.memory.start
  const inner = draw(pass) ? finished(out) : null
  out.html = html
  out.glue = glue
  return inner
}

/** Always the same, and always there. */
export const constant =
  (html: string, line?: string) =>
  (open: string, close: string): Draw => {
    const whole = open + html + close
    const more = line === undefined ? '' : `\n${line}`
    return pass => {
      addConstant(pass.out, whole)
      pass.text += more
      return true
    }
  }

export const nothing = (): Draw => () => false

/** Where a block stands. */
export interface PieceScope extends Surroundings {
  readonly align: Align
  /** The nearest colour behind; none is the reader's own. */
  readonly background: string | undefined
  readonly direction: 'column' | 'row'
  readonly warn: Warn
  readonly compile: (block: Block, scope: PieceScope) => Piece | null
}

export const isDrawn = (piece: Piece | null): piece is Piece => piece !== null
