// The elements of words and smart fields while they are edited: the same look as in the mail.
import { fontCss, linkColor, type Token } from '@signoff/render'
import type { FieldText } from './field-text.ts'

function cssOf({ textStyle = {}, href }: Token, hasLinks: boolean): string {
  const isLink = href !== undefined && hasLinks
  return fontCss(textStyle, textStyle.color ?? (isLink ? linkColor : undefined))
}

export function fieldElement(token: Token, fieldText: FieldText, hasLinks: boolean): HTMLElement {
  const { text, isValue, label } = fieldText(token)
  const element = document.createElement('span')
  element.className = 'signoff-field'
  element.setAttribute('style', cssOf(token, hasLinks))
  element.textContent = isValue ? `${token.prefix ?? ''}${text}${token.suffix ?? ''}` : text
  if (label !== undefined) element.title = label
  return element
}

export function runElement(token: Token, hasLinks: boolean): HTMLElement {
  const element = document.createElement('span')
  element.setAttribute('style', cssOf(token, hasLinks))
  return element
}
