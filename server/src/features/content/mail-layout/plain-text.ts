import type { Letter, LetterPart } from '#kernel/base/mail.ts'

/** A line that begins with `--` would be read as the beginning of a signature, and `>` as a quotation. */
const partText = (part: LetterPart): string => {
  switch (part.kind) {
    case 'paragraph':
    case 'signature':
      return part.text
    case 'link':
      return `${part.label}:\n${part.url}`
    case 'facts':
      return part.facts.map(([name, value]) => `${name}: ${value}`).join('\n')
  }
}

export const letterText = ({ title, parts, reason }: Letter, closing: string): string =>
  `${[title, ...parts.map(partText), '____', `${reason}\n${closing}`].join('\n\n')}\n`
