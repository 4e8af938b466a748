// The types that blocks share. Types alone, and imported from files that import no block: no circle can form.
import type { Align, Shape } from './fields.ts'
import type { FieldKind } from './links/links.ts'
import type { Output } from './output.ts'
import type { Box } from './style/style.ts'
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

/** A part of a picture, as fractions of its width and height. */
export interface Crop {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

interface PictureFinish {
  readonly shape: Shape
  /** A thin white outline around what is not transparent. */
  readonly halo?: boolean
  readonly crop?: Crop
}

export interface PictureBox extends PictureFinish {
  /** The displayed size, in CSS pixels. */
  readonly width: number
  readonly height: number
}

/** A side that is left out follows from the proportions of the picture. */
export interface PersonPictureBox extends PictureFinish {
  readonly width?: number
  readonly height?: number
}

/** The address of a picture with its displayed size, in CSS pixels. */
export interface PersonPicture {
  readonly url: string
  readonly width: number
  readonly height: number
}

/** A QR code: with the contact card of the person, or with an address. */
export type QrCodeRequest =
  | { readonly content: 'vcard'; readonly size: number; readonly color: string }
  | { readonly content: 'href'; readonly url: string; readonly size: number; readonly color: string }

export interface IconBox {
  readonly name: string
  readonly size: number
  readonly color: string
  readonly backgroundColor: string | null
  readonly shape: Shape
}

/** Everything that exists in the workspace, and the addresses of its pictures. The same for every person. */
export interface Surroundings {
  /** The smart fields that exist. */
  readonly fields: ReadonlyMap<string, FieldDefinition>
  /** The assets that exist. */
  readonly assets?: ReadonlyMap<string, AssetSource>
  /** The campaigns that exist. Without it, references to campaigns are not checked. */
  readonly campaigns?: ReadonlySet<string>
  /** The address of an asset, drawn for this box. */
  readonly assetUrl: (id: string, box: PictureBox) => string
  /** The address of the service itself. Pictures from it are allowed without https. */
  readonly ownAddress?: string
  readonly iconUrl: (icon: IconBox) => string
  /**
   * The picture for a value of an image field, drawn for this box. Without it, or when it returns null, a value that is an
   * https address is shown as it is.
   */
  readonly personPicture?: (value: string, box: PersonPictureBox) => PersonPicture | null
  /**
   * HTML comments before and after a block, inside its cell. An editor finds the blocks in the output by them; without
   * the comments the output is the same.
   */
  readonly mark?: (id: string) => Marks
}

export type Marks = readonly [start: string, end: string]

/** A web link in the output. */
export interface Anchor {
  /** The id of the block or token that has the link. */
  readonly id: string
  readonly url: string
  readonly campaignId: string | null
}

/** A compiled banner that can be drawn into a signature. */
export interface RenderedCampaign {
  readonly id: string
  readonly template: { readonly draw: Draw; readonly warnings: readonly Warning[] }
}

/** Values by smart field id. */
export type Person = Readonly<Record<string, string | null | undefined>>

/** The state of one rendering: the HTML and the plain text written so far. */
export interface Pass {
  readonly person: Person
  readonly link: ((anchor: Anchor) => string) | undefined
  readonly campaign: ((named: string | undefined) => RenderedCampaign | null) | undefined
  readonly vcard: (() => string | null) | undefined
  /** The contact card; undefined until a link asks for it. */
  vcardUrl: string | null | undefined
  readonly qrUrl: ((code: QrCodeRequest) => string | null) | undefined
  /** The signature runs from right to left. */
  readonly isMirrored: boolean
  /** The campaign whose banner is being drawn. */
  campaignId: string | null
  /** The campaigns whose banners were drawn. */
  drawnCampaigns: readonly RenderedCampaign[]
  readonly anchors: Anchor[]
  readonly out: Output
  /** The plain text. Every line starts with a line break. */
  text: string
  /** The plain text of the tokens drawn last. */
  tokenText: string
  /** The number of characters of values, and of banners, that can still be drawn: see `renderLimits` in piece.ts. */
  charactersLeft: number
  bannersLeft: number
}

/** Adds to the pass. Returns false if there is nothing to show; then nothing was added. */
export type Draw = (pass: Pass) => boolean

/** A compiled block. */
export interface Piece {
  readonly box: Box
  /**
   * Returns a function that draws the piece between two constants. They are joined with the piece's own constants once.
   */
  readonly bind: (open: string, close: string) => Draw
  /** The piece draws its own table cell in a row, so the row adds no cell around it. */
  readonly ownCell?: boolean
  /** Only lines. They are left out when nothing else of their stack is drawn. */
  readonly isDivider?: boolean
  /** Pixels that the piece leaves empty below itself. The gap or padding that follows is smaller by them. */
  readonly spaceBelow?: number
}

/** The properties that a block inherits from the blocks around it. */
export interface PieceScope extends Surroundings {
  readonly align: Align
  /** The nearest background colour; undefined is the background of the mail client. */
  readonly background: string | undefined
  readonly direction: 'column' | 'row'
  readonly warn: Warn
}

export type ProblemCode =
  | 'blank'
  | 'missing'
  | 'invalid'
  | 'invalid_type'
  | 'not_allowed'
  | 'unknown_property'
  | 'duplicate'
  | 'too_long'
  | 'too_short'
  | 'out_of_range'
  | 'too_many'
  | 'too_deep'

/** Why content is refused. */
export interface Problem {
  readonly field: string
  readonly code: ProblemCode
  /** A phrase that follows the name of the field. */
  readonly message: string
  readonly allowed?: readonly string[]
  readonly missing?: readonly string[]
}

/** The keys of `blockStyle` that only some types of block use. */
export type SomeStyleKey = 'gap' | 'width' | 'align' | 'borderColor' | 'borderWidth' | 'borderRadius'

/** A part of a block, such as an item of a list: its row in the registry. */
export interface PartType {
  readonly schema: object
  /** The keys that change its look, besides those that all blocks use. */
  readonly styles: readonly SomeStyleKey[]
  /** Exceptions: that a key changes nothing about this block. */
  readonly ignoresStyle?: (block: StyledBlock, key: string) => boolean
}

export interface StyledBlock {
  readonly type: string
  readonly blockStyle?: Readonly<Record<string, unknown>> | undefined
  readonly children?: readonly { readonly type: string }[] | undefined
}

/** A block that a stack can contain: its row in the registry. */
export interface BlockType<Block> extends PartType {
  readonly compile: (block: Block, scope: PieceScope) => Piece
}
