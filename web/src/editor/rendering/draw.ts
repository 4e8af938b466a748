// One rendering of the editor: compiled, filled in and measured.
import {
  type Content,
  compile,
  type Person,
  type RenderHooks,
  type Surroundings,
  type Warning,
} from '@signoff/render'
import { type AnyBlock, childrenOf, idOf, withChildren } from '#records/content/block.ts'
import { descriptorOf } from '../blocks/blocks.ts'
import type { PlaceholderMessages } from '../blocks/descriptor.ts'
import { isHollow } from '../blocks/placeholder.ts'

export interface Drawing {
  /** With the marks, where there are any. */
  readonly html: string
  readonly text: string
  /** With marks, the warning about the length is left out: the marks would count. */
  readonly warnings: readonly Warning[]
  /** Characters of the HTML without marks: Gmail and the check of the service count these. */
  readonly length: number
}

export interface DrawingInputs {
  readonly tree: Content
  readonly person: Person
  readonly surroundings: Surroundings
  readonly hooks: RenderHooks
  /** For the canvas: blocks without anything to show get placeholders. It needs marks. */
  readonly placeholders?: PlaceholderMessages | undefined
}

/** The renderer writes no comments of its own, and values are escaped: all comments are marks. */
const comment = /<!--[\s\S]*?-->/g

export function draw({ tree, person, surroundings, hooks, placeholders }: DrawingInputs): Drawing {
  const { mark } = surroundings
  const render = (content: Content) => compile(content, surroundings).render(person, hooks)
  const first = render(tree)
  const comments = mark && placeholders && new Set(first.html.match(comment))
  const drawnTree = comments ? withPlaceholders(tree, id => comments.has(mark(id)[0]), placeholders) : tree
  const { html, text } = drawnTree === tree ? first : render(drawnTree)
  const { warnings } = first
  return {
    html,
    text,
    warnings: mark ? warnings.filter(({ code }) => code !== 'too_long') : warnings,
    // On demand: the canvas is drawn on every key and does not show it.
    get length() {
      return (mark ? html.replace(comment, '') : html).length
    },
  }
}

const placeholderOf = (block: AnyBlock, messages: PlaceholderMessages): AnyBlock =>
  descriptorOf(block).placeholder?.(block, messages) ?? block

/**
 * The canvas shows blocks that a mail leaves out because they are empty: a person must be able to select them. The tree
 * for drawing has something to show in their places. Ids stay, and without such blocks the tree is the same object.
 * Dividers can stay without a place: the renderer leaves out lines at the edges of a row.
 * `isDrawn` says of an id whether the block was in the rendering of the tree.
 */
export function withPlaceholders(
  tree: Content,
  isDrawn: (id: string) => boolean,
  messages: PlaceholderMessages,
): Content {
  const visit = (block: AnyBlock): AnyBlock => {
    if (block.visible === false) return block
    const children = childrenOf(block)
    const filled = children.map(visit)
    const changed = filled.some((child, index) => child !== children[index])
    const withFilled = changed ? withChildren(block, filled) : block
    return isDrawn(idOf(block)) ? withFilled : placeholderOf(withFilled, messages)
  }
  // The root has no cell of its own, so it has no marks: it is empty when none of its blocks is drawn.
  const children = childrenOf(tree)
  const filled = children.map(visit)
  const root = filled.some((child, index) => child !== children[index]) ? withChildren(tree, filled) : tree
  const isEmpty = isHollow(root) && !children.some(child => isDrawn(idOf(child)))
  return isEmpty ? (placeholderOf(root, messages) as Content) : root
}
