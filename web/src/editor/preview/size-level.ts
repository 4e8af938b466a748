// How near the HTML is to the limit of Gmail, with the bounds of the check: both say the same of the same signature.
import { maxHtmlLength } from '@signoff/render'

/** Characters. */
export const gmailLimit = 10_000

export const sizeLevel = (length: number): 'fine' | 'warn' | 'bad' =>
  length > gmailLimit ? 'bad' : length > maxHtmlLength ? 'warn' : 'fine'
