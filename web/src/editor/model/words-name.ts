// What a text without a name is called in the outline: by its words.
import type { Token } from '@signoff/render'

/** `T:`, `Mob.`, `|`: what stands before and between values says less than the names of the fields. */
const isShort = (words: string): boolean => !/\p{L}{4}/u.test(words)

export function wordsName(
  tokens: readonly Token[],
  labelOf: (fieldId: string) => string | undefined,
): string {
  const parts = tokens.map(({ value = '', smartFieldUuid }) => {
    const label = smartFieldUuid === undefined ? undefined : labelOf(smartFieldUuid)
    return { words: label ?? value, isField: label !== undefined }
  })
  const labels = parts.filter(({ isField }) => isField).map(({ words }) => words)
  const others = parts.filter(({ isField }) => !isField).map(({ words }) => words)
  if (labels.length > 1 && others.join('').trim() !== '' && isShort(others.join(' ')))
    return labels.join(' · ')
  return (
    parts
      .map(({ words }) => words)
      .join('')
      // Text that was cut from a sentence or a line begins with what separated it.
      .replace(/^[\s.,;:|·•–—]+(?=\S)/, '')
      .trim()
  )
}
