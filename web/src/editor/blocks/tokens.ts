// The tokens of new blocks, in the font and the colour of the brand; and the name that tokens give to a block.
import { contrastBounds, papersBehind, type TextStyle, type Token } from '@signoff/render'
import type { Brand, SmartField } from '@signoff/sdk'
import { newId } from '#records/content/ids.ts'
import { hexColor, passesAll } from '../model/colors.ts'

/** Words without a colour get the one of the mail client, which can be read on light and on dark mails. */
const textColor = (brand: Brand | undefined): string | undefined => {
  const color = hexColor(brand?.colors.text)
  return color && passesAll(color, papersBehind(undefined, contrastBounds.text)) ? color : undefined
}

const styleOf = (brand: Brand | undefined): TextStyle => {
  const color = textColor(brand)
  return {
    ...(brand?.font_family && { fontFamily: brand.font_family as NonNullable<TextStyle['fontFamily']> }),
    fontSize: 13,
    ...(color && { color }),
  }
}

export const wordToken = (value: string, brand: Brand | undefined): Token => ({
  id: newId(),
  value,
  textStyle: styleOf(brand),
})

export const fieldToken = (field: SmartField, brand: Brand | undefined): Token => ({
  id: newId(),
  type: 'smartFieldToken',
  smartFieldUuid: field.id,
  textStyle: styleOf(brand),
})

/** `T:`, `Mob.`, `|`: what stands before and between values says less than the names of the fields. */
const isShort = (words: string): boolean => !/\p{L}{4}/u.test(words)

/** A text without a name is called by its words. */
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
