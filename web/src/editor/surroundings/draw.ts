// One rendering of the editor: compiled, filled in and measured.
import {
  type Content,
  compile,
  type Person,
  type RenderHooks,
  type Surroundings,
  type Warning,
} from '@signoff/render'
import { type PlaceholderTexts, withPlaceholders } from './placeholders.ts'

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
  readonly placeholders?: PlaceholderTexts | undefined
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
