// The box of an element around its blocks: padding, background, borders and width.
import type { BorderLine, ComputedBox, FourSides } from '../html/computed-style.ts'
import { addMargin, addPadding, asOneDraft, type Draft, estimateSize, paddingOf, stackOf } from './draft.ts'

export const dividerDraft = (
  { color, thickness }: BorderLine,
  direction: 'horizontal' | 'vertical',
): Draft => ({
  type: 'divider',
  color,
  thickness: Math.min(thickness, 20),
  ...(direction === 'vertical' && { direction }),
})

/** Thin boxes with a background are lines. */
export const maxLineThickness = 20

const sameLine = (a: BorderLine | null, b: BorderLine | null): boolean =>
  a !== null && b !== null && a.color === b.color && a.thickness === b.thickness

/** The line around all four sides; null when the sides differ. */
const borderFrameOf = ([top, right, bottom, left]: ComputedBox['border']): BorderLine | null =>
  sameLine(top, right) && sameLine(top, bottom) && sameLine(top, left) ? top : null

const hasSides = (sides: FourSides<number>): boolean => sides.some(side => side > 0)

/** Puts padding around blocks, with as few new blocks as possible. */
export function padded(drafts: Draft[], padding: FourSides<number>): Draft[] {
  const [first] = drafts
  const last = drafts.at(-1)
  if (!first || !last || !hasSides(padding)) return drafts
  const [top, right, bottom, left] = padding
  if (drafts.length === 1 && first.blockStyle?.backgroundColor === undefined) {
    addMargin(first, padding)
    return drafts
  }
  if (right > 0 || left > 0) {
    const stack = stackOf(drafts)
    addPadding(stack, padding)
    return [stack]
  }
  addMargin(first, [top, 0, 0, 0])
  addMargin(last, [0, 0, bottom, 0])
  return drafts
}

/** A label in a coloured or bordered box that is one link: a button. */
function buttonFrom(draft: Draft, box: ComputedBox): Draft | undefined {
  const tokens = (draft.tokens ?? []).filter(token => (token.value ?? '').trim() !== '')
  const href = tokens[0]?.href
  const words = tokens.reduce((length, token) => length + (token.value ?? '').length, 0)
  const frame = borderFrameOf(box.border)
  const color = box.background ?? frame?.color
  if (draft.type !== 'text' || !href || color === undefined || words > 60) return undefined
  if (!tokens.every(token => token.href?.text === href.text)) return undefined
  const { blockStyle = {} } = draft
  const inner = [blockStyle.marginTop, blockStyle.marginRight, blockStyle.marginBottom, blockStyle.marginLeft]
  const sides = box.padding.map((side, at) => side + (inner[at] ?? 0)) as unknown as FourSides<number>
  const isHigh = tokens.some(
    ({ textStyle = {} }) => Number(textStyle.lineHeight) >= 1.6 * Number(textStyle.fontSize),
  )
  if (Math.max(...sides) < 3 && !(isHigh && box.background)) return undefined
  const line = frame?.thickness ?? 0
  const [paddingTop, paddingRight, paddingBottom, paddingLeft] = sides.map(side => side + line) as [
    number,
    number,
    number,
    number,
  ]
  return {
    type: 'button',
    tokens: tokens.map(({ href: _, textStyle: { textDecoration: __, ...textStyle } = {}, ...token }) => ({
      ...token,
      textStyle,
    })),
    href,
    backgroundColor: color,
    ...(box.background === undefined && { variant: 'outline' }),
    borderRadius: roundness(box.radius),
    blockStyle: {
      ...{ paddingTop, paddingRight, paddingBottom, paddingLeft },
      ...(box.width !== undefined && box.width > 0 && { width: Math.min(600, box.width) }),
    },
  }
}

/** A border in the colour of the background is more background. */
function withoutOwnBorders(
  style: ComputedBox,
  padding: FourSides<number>,
): { readonly box: ComputedBox; readonly padding: FourSides<number> } {
  const isOwn = (line: BorderLine | null) => line !== null && line.color === style.background
  if (!style.border.some(isOwn)) return { box: style, padding }
  const sides = padding.map((side, at) => {
    const line = style.border[at] ?? null
    return isOwn(line) ? side + (line?.thickness ?? 0) : side
  })
  const border = style.border.map(line => (isOwn(line) ? null : line))
  return {
    box: { ...style, border: border as unknown as ComputedBox['border'] },
    padding: sides as unknown as FourSides<number>,
  }
}

/** Blocks inside an element's own padding, background, borders and width. Margins are not added. */
export function boxed(
  drafts: Draft[],
  style: ComputedBox,
  ownPadding: FourSides<number> = style.padding,
): Draft[] {
  const [only] = drafts
  if (only === undefined) return []
  const { box, padding } = withoutOwnBorders(style, ownPadding)
  const button = drafts.length === 1 ? buttonFrom(only, { ...box, padding }) : undefined
  if (button) return [button]
  const frame = borderFrameOf(box.border)
  const inner =
    box.background || frame ? [cardOf(drafts, box, padding, frame)] : sized(padded(drafts, padding), box)
  return frame ? inner : withLines(inner, box.border)
}

function cardOf(
  drafts: Draft[],
  { background, width, radius }: ComputedBox,
  padding: FourSides<number>,
  frame: BorderLine | null,
): Draft {
  const stack = stackOf(drafts)
  addPadding(stack, padding)
  const line = frame ? Math.min(100, frame.thickness) : 0
  const outer = width === undefined ? 0 : width + padding[1] + padding[3] + 2 * line
  stack.blockStyle = {
    ...stack.blockStyle,
    ...(background && { backgroundColor: background }),
    ...(frame && { borderColor: frame.color, borderWidth: line }),
    ...(radius > 0 && { borderRadius: roundness(radius) }),
    ...(outer > 0 && { width: Math.min(2_000, outer) }),
  }
  return stack
}

const roundness = (radius: number): number =>
  Math.min(100, Number.isFinite(radius) ? Math.round(radius) : 100)

/** A width is kept only where it makes a difference: for text that would be wider. */
function sized(drafts: Draft[], { width }: ComputedBox): Draft[] {
  if (width === undefined || width < 40 || width > 2_000) return drafts
  const isWider = drafts.some(draft => estimateSize(draft).width > width && hasText(draft))
  if (!isWider) return drafts
  const whole = asOneDraft(drafts)
  if (whole.blockStyle?.width !== undefined || (whole.type !== 'stack' && whole.type !== 'text'))
    return drafts
  const [, right, , left] = paddingOf(whole)
  whole.blockStyle = { ...whole.blockStyle, width: Math.min(2_000, width + right + left) }
  return [whole]
}

const hasText = ({ type, children = [] }: Draft): boolean => type === 'text' || children.some(hasText)

function withLines(drafts: Draft[], [top, right, bottom, left]: ComputedBox['border']): Draft[] {
  const inner =
    left || right
      ? [
          stackOf(
            [
              ...(left ? [dividerDraft(left, 'vertical')] : []),
              asOneDraft(drafts),
              ...(right ? [dividerDraft(right, 'vertical')] : []),
            ],
            { direction: 'row', verticalAlign: 'top' },
          ),
        ]
      : drafts
  return [
    ...(top ? [dividerDraft(top, 'horizontal')] : []),
    ...inner,
    ...(bottom ? [dividerDraft(bottom, 'horizontal')] : []),
  ]
}
