// A colour as a person types or pastes it: `145aa0` without `#` is meant as one.
import { parseColor } from '@signoff/render'

const sixDigits = /^[0-9a-f]{6}$/i
const threeDigits = /^[0-9a-f]{3}$/i

/** While it is typed: three digits can become six, or the name of a colour. */
export const typedColor = (text: string): string => {
  const trimmed = text.trim()
  return sixDigits.test(trimmed) ? `#${trimmed}` : text
}

/** After the typing. Undefined when it is no colour. */
export function finishedColor(text: string): string | undefined {
  const trimmed = text.trim()
  const color = sixDigits.test(trimmed) || threeDigits.test(trimmed) ? `#${trimmed}` : trimmed
  return parseColor(color) === undefined ? undefined : color
}
