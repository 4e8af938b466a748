// The colours of mails: those of the personal page, with the brand's colour for the bar and the button.
import { contrast, parseColor } from '@signoff/render'

export interface MailColors {
  /** The bar on top and the button. */
  readonly accent: string
  /** The label of the button. */
  readonly onAccent: string
}

const white = '#ffffff'
const nearBlack = '#101828'
const standard: MailColors = { accent: '#0b5cad', onAccent: white }

/** WCAG asks for 4.5 between a text and its background; a button below 1.3 would look like the page around it. */
const readable = 4.5
const visible = 1.3

/** The standard colours when the brand has none, or one on which neither white nor black can be read. */
export function mailColors(primary: string | null): MailColors {
  const accent = primary === null ? undefined : parseColor(primary)
  if (typeof accent !== 'string' || contrast(accent, white) < visible) return standard
  const onAccent = [white, nearBlack].find(color => contrast(color, accent) >= readable)
  return onAccent === undefined ? standard : { accent, onAccent }
}
