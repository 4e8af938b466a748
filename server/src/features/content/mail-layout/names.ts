// Names of companies and people stand in mails that other people read. A name must not end a header, start a link, turn
// the direction of the sentence or fill the page.
import { withoutDirectionMarks } from '#kernel/db/text.ts'

const longest = 120

const shortened = (text: string): string => {
  const characters = [...text]
  return characters.length > longest ? `${characters.slice(0, longest - 1).join('')}…` : text
}

/** One line without control characters, for headers. */
export const headerName = (text: string): string =>
  shortened(
    withoutDirectionMarks(text.toWellFormed())
      .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
      .trim(),
  )

const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/

/** Mail clients make links of `https:` and of names such as `evil.example`; a blank without width prevents that. */
const withoutLinks = (text: string): string => text.replace(/([.:@/])(?=\S)/gu, '$1\u200b')

/** For a sentence. A name that is written from right to left is isolated, so that the words around it stay in order. */
export function sentenceName(text: string): string {
  const name = withoutLinks(headerName(text))
  return rightToLeft.test(name) ? `\u2068${name}\u2069` : name
}
