// Warnings about content. They are shown to the author and never prevent saving or sending.
import { contrast } from './style/colors.ts'
import { contrastBounds, type PaperPlace, papersBehind } from './style/contrast.ts'

export const warningCodes = {
  too_long: 'The HTML is longer than 8,000 characters; Gmail refuses signatures above 10,000.',
  too_wide: 'The signature is wider than 600 px, which phones and reading panes cut off.',
  low_contrast: 'This text is hard to read on its background.',
  image_too_wide: 'This image is wider than 600 px, which phones and reading panes cut off.',
  image_size_unknown: 'Give this image a width: some mail clients show it in its own size otherwise.',
  missing_alt: 'This image has no alternative text for readers who do not see it.',
  missing_target: 'This link leads nowhere.',
  unknown_reference: 'This refers to something that no longer exists.',
  gif_too_large: 'This GIF is larger than 1 MB.',
} as const
export type WarningCode = keyof typeof warningCodes

export interface Warning {
  readonly code: WarningCode
  readonly message: string
  /** The id of the block or token; null for the whole signature. */
  readonly id: string | null
  /** Schemes in which a colour is hard to read. Only of `low_contrast`. */
  readonly place?: PaperPlace
}

export type Warn = (code: WarningCode, id?: string, message?: string, place?: PaperPlace) => void

export function collectWarnings(): { readonly warn: Warn; readonly list: readonly Warning[] } {
  const list: Warning[] = []
  const keys = new Set<string>()
  const warn: Warn = (code, id, message = warningCodes[code], place) => {
    const key = `${code} ${id} ${message}`
    if (keys.has(key)) return
    keys.add(key)
    list.push({ code, message, id: id ?? null, ...(place && { place }) })
  }
  return { warn, list }
}

const paperNames: Readonly<Record<PaperPlace, (color: string) => string>> = {
  background: color => `its background ${color}`,
  light: () => 'white',
  dark: () => 'the dark background of dark modes',
}

/** Only what is hard to read in any size. */
export function warnOfContrast(warn: Warn, id: string | undefined, color: string, background?: string): void {
  for (const { place, other } of papersBehind(background, contrastBounds.large)) {
    const ratio = contrast(color, other)
    if (ratio < contrastBounds.large)
      warn(
        'low_contrast',
        id,
        `The colour ${color} is hard to read on ${paperNames[place](other)} (contrast ${ratio.toFixed(1)}).`,
        place,
      )
  }
}
