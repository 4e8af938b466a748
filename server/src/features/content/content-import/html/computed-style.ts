// The computed style of an element: what its text inherits, and its own box.
import type { FontChoice } from './units.ts'

export type ImportAlign = 'left' | 'center' | 'right'

/** Inherited. */
export interface ComputedText {
  readonly color?: string | undefined
  readonly fontFamily?: FontChoice['family']
  /** The first font of the list that applies, when content cannot use it. */
  readonly replacedFont?: string | undefined
  readonly fontSize?: number | undefined
  readonly isBold: boolean
  readonly isItalic: boolean
  readonly isUnderlined: boolean
  readonly isStruck: boolean
  readonly transform?: 'uppercase' | 'lowercase' | 'capitalize' | undefined
  readonly letterSpacing?: number | undefined
  /** A factor of the font size when below 4, otherwise pixels. */
  readonly lineHeight?: number | undefined
  /** As in content: `left` is where lines begin, which is the right side in right-to-left text. */
  readonly align: ImportAlign
  readonly isPreformatted: boolean
  readonly isRightToLeft: boolean
}

export interface BorderLine {
  readonly thickness: number
  readonly color: string
}

/** Top, right, bottom, left. */
export type FourSides<T> = readonly [T, T, T, T]

export interface ComputedBox {
  readonly display: 'block' | 'inline' | 'atom' | 'flex' | 'table' | 'none'
  readonly margin: FourSides<number>
  readonly isCentered: boolean
  readonly padding: FourSides<number>
  readonly hasPadding: boolean
  readonly border: FourSides<BorderLine | null>
  readonly background: string | undefined
  readonly backgroundPicture: string | undefined
  readonly width: number | undefined
  readonly widthPercent: number | undefined
  readonly height: number | undefined
  /** Pixels; Infinity for 50 % and more. */
  readonly radius: number
  readonly verticalAlign: 'top' | 'middle' | 'bottom' | undefined
  readonly isInvisible: boolean
  readonly float: 'left' | 'right' | undefined
  readonly isClear: boolean
  readonly listStyle: string | undefined
  /** Demands of the style that content cannot show. */
  readonly lost: readonly string[]
}

export interface ComputedStyle {
  readonly text: ComputedText
  readonly box: ComputedBox
}

export const rootText: ComputedText = {
  isBold: false,
  isItalic: false,
  isUnderlined: false,
  isStruck: false,
  align: 'left',
  isPreformatted: false,
  isRightToLeft: false,
}
