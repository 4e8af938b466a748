// The visible blocks of a content tree, each with its path and what it inherits.
import { type Content, parseColor } from '@signoff/render'

/** The parts of a link that the checks read. */
export interface CheckedHref {
  readonly text?: string
  readonly smartFieldUuid?: string
  /** Leads to the contact card of the person. */
  readonly vcard?: boolean
  readonly queryParams?: readonly { readonly values?: readonly { readonly text?: string }[] }[]
}

export interface CheckedToken {
  readonly id?: string
  readonly value?: string
  readonly smartFieldUuid?: string
  readonly fallback?: string
  readonly prefix?: string
  readonly suffix?: string
  readonly textStyle?: { readonly fontSize?: number; readonly color?: string }
  readonly href?: CheckedHref
}

/** A block of any type. The renderer has validated it, so every field has the type that its block gives it. */
export interface CheckedBlock {
  readonly id?: string
  readonly type: string
  readonly visible?: boolean
  readonly displayName?: string
  readonly blockStyle?: {
    readonly backgroundColor?: string
    readonly width?: number | undefined
    readonly gap?: number
    readonly paddingLeft?: number
    readonly paddingRight?: number
    readonly marginLeft?: number
    readonly marginRight?: number
  }
  readonly children?: readonly CheckedBlock[]
  readonly tokens?: readonly CheckedToken[]
  readonly direction?: string
  readonly wrap?: boolean
  readonly href?: CheckedHref
  readonly alt?: string
  readonly src?: string
  readonly assetUuid?: string
  readonly smartFieldUuid?: string
  readonly shape?: 'square' | 'rounded' | 'circle'
  readonly width?: number
  readonly height?: number
  readonly size?: number
  readonly iconSize?: number
  readonly name?: string
  readonly icon?: string
  readonly color?: string
  readonly backgroundColor?: string
  readonly variant?: string
}

export interface PlacedBlock {
  readonly block: CheckedBlock
  /** `draft_content.children[0].children[2]`: the path in the signature that the API answers with. */
  readonly path: string
  /** The colour behind the block, its own included; undefined is the background of the mail client. */
  readonly background: string | undefined
  readonly parent: PlacedBlock | null
}

const colorBehind = (block: CheckedBlock, inherited: string | undefined): string | undefined =>
  parseColor(block.blockStyle?.backgroundColor ?? 'transparent') ?? inherited

/** Lists blocks in the order of the tree. Hidden blocks are left out, with everything inside them. */
export function visibleBlocks(content: Content, field: string): readonly PlacedBlock[] {
  const placed: PlacedBlock[] = []
  const visit = (block: CheckedBlock, path: string, parent: PlacedBlock | null): void => {
    if (block.visible === false) return
    const place = { block, path, background: colorBehind(block, parent?.background), parent }
    placed.push(place)
    block.children?.forEach((child, index) => {
      visit(child, `${path}.children[${index}]`, place)
    })
  }
  visit(content as CheckedBlock, field, null)
  return placed
}

/** The links of a block: its own, and those of its tokens. The tokens of a linked block have no links of their own. */
export const linksOf = ({ href, tokens = [] }: CheckedBlock): readonly CheckedHref[] =>
  href ? [href] : tokens.flatMap(token => token.href ?? [])
