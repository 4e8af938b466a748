// The contrast that colours need. The check of signatures and the editor have the same bounds.
import { contrast } from './colors.ts'

/** The backgrounds of mails. Many mail programs in dark mode have this dark one. */
export const mailPapers = { light: '#ffffff', dark: '#1f1f1f' } as const

/** WCAG AA: for text, and for large text and symbols. */
export const contrastBounds = { text: 4.5, large: 3 } as const

const largeText = 18
const defaultFontSize = 14

export const contrastBoundOf = (fontSize = defaultFontSize): number =>
  fontSize < largeText ? contrastBounds.text : contrastBounds.large

export type PaperPlace = 'background' | 'light' | 'dark'

export interface Paper {
  readonly place: PaperPlace
  /** The colour behind, `#rrggbb`. */
  readonly other: string
  /** The contrast that is needed on it. */
  readonly minimum: number
}

/**
 * The colours behind a colour. Without a background: light and dark mails. No colour reaches 4.5 on both at once, so
 * dark mails ask for 3.
 */
export const papersBehind = (background: string | undefined, minimum: number): readonly Paper[] =>
  background === undefined
    ? [
        { place: 'light', other: mailPapers.light, minimum },
        { place: 'dark', other: mailPapers.dark, minimum: contrastBounds.large },
      ]
    : [{ place: 'background', other: background, minimum }]

export const isReadable = (color: string, { other, minimum }: Pick<Paper, 'other' | 'minimum'>): boolean =>
  contrast(color, other) >= minimum
