// Takes out stacks that add nothing, so that the tree is as flat as an editor would make it.
import {
  addMargin,
  addPadding,
  alignDraft,
  type Draft,
  type DraftStyle,
  marginOf,
  paddingOf,
  sumOfSides,
} from './draft.ts'
import { asSingleIcon, joinSocialLists } from './social.ts'

const isRow = (draft: Draft): boolean => draft.direction === 'row'
const isStack = (draft: Draft): boolean => draft.type === 'stack'

/** The stack shows nothing itself. */
const isPlain = ({ blockStyle = {} }: Draft): boolean =>
  blockStyle.backgroundColor === undefined &&
  blockStyle.borderWidth === undefined &&
  blockStyle.width === undefined &&
  blockStyle.gap === undefined

export function simplify(draft: Draft): Draft {
  if (!isStack(draft)) return draft
  const inner = (draft.children ?? []).map(simplify).filter(child => !isStack(child) || hasChildren(child))
  const spliced = inner.flatMap(child => (canSplice(child, draft) ? spliceOf(child) : [child]))
  const children = (isRow(draft) ? joinSocialLists(spliced) : spliced).map(child => child)
  const [only] = children
  const simple = { ...draft, children }
  return only !== undefined && children.length === 1 && canReplace(simple, only)
    ? replacing(simple, only)
    : simple
}

const hasChildren = ({ children = [] }: Draft): boolean => children.length > 0

const sidesAreZero = (draft: Draft): boolean => {
  const [top, right, bottom, left] = sumOfSides(marginOf(draft), paddingOf(draft))
  return top === 0 && right === 0 && bottom === 0 && left === 0
}

/** The children can stand in the parent directly. */
function canSplice(child: Draft, parent: Draft): boolean {
  if (!isStack(child) || !isPlain(child) || isRow(child) !== isRow(parent)) return false
  if (child.wrap !== parent.wrap) return false
  if (isRow(child)) return sidesAreZero(child) && child.verticalAlign === parent.verticalAlign
  const [, right, , left] = sumOfSides(marginOf(child), paddingOf(child))
  return right === 0 && left === 0
}

function spliceOf(stack: Draft): Draft[] {
  const children = stack.children ?? []
  const [top, , bottom] = sumOfSides(marginOf(stack), paddingOf(stack))
  const first = children[0]
  const last = children.at(-1)
  if (!isRow(stack)) {
    if (first) addMargin(first, [top, 0, 0, 0])
    if (last) addMargin(last, [0, 0, bottom, 0])
  }
  if (stack.align) for (const child of children) alignDraft(child, stack.align)
  return children
}

/** A stack with one child: the child can take its place. */
function canReplace(stack: Draft, only: Draft): boolean {
  const { blockStyle = {} } = stack
  if (only.type === 'divider' || blockStyle.gap !== undefined) return false
  if (hasBackground(stack)) return isStack(only) && isPlain(only) && blockStyle.width === undefined
  if (blockStyle.width === undefined) return true
  return (
    (isStack(only) || only.type === 'text') && only.blockStyle?.width === undefined && !hasBackground(only)
  )
}

const hasBackground = ({ blockStyle = {} }: Draft): boolean =>
  blockStyle.backgroundColor !== undefined || blockStyle.borderWidth !== undefined

function replacing(stack: Draft, only: Draft): Draft {
  const { blockStyle = {}, align } = stack
  const { width } = blockStyle
  if (align) alignDraft(only, align)
  if (hasBackground(stack)) {
    // The margins of the child are inside the background.
    const {
      marginTop: _,
      marginRight: __,
      marginBottom: ___,
      marginLeft: ____,
      ...own
    } = only.blockStyle ?? {}
    const replaced: Draft = { ...only, blockStyle: { ...own, ...blockStyle } }
    const padding = sumOfSides(paddingOf(stack), sumOfSides(marginOf(only), paddingOf(only)))
    replaced.blockStyle = withoutPadding(replaced.blockStyle)
    addPadding(replaced, padding)
    return replaced
  }
  const replaced: Draft = { ...only, blockStyle: { ...only.blockStyle } }
  addMargin(replaced, sumOfSides(marginOf(stack), paddingOf(stack)))
  if (width !== undefined) replaced.blockStyle = { ...replaced.blockStyle, width }
  if (Object.keys(replaced.blockStyle ?? {}).length === 0) delete replaced.blockStyle
  return replaced
}

function withoutPadding(style: Draft['blockStyle']): DraftStyle {
  const { paddingTop: _, paddingRight: __, paddingBottom: ___, paddingLeft: ____, ...rest } = style ?? {}
  return rest
}

/** The last step: lists of one icon become icons. */
export const withSingleIcons = (draft: Draft): Draft =>
  draft.type === 'stack'
    ? { ...draft, children: (draft.children ?? []).map(withSingleIcons) }
    : asSingleIcon(draft)
