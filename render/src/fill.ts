// Smart fields: the values of a person, with fallbacks for empty values.
import type { FieldKind } from './links/links.ts'
import type { Pass, PieceScope } from './types.ts'

/** Fast path: most values begin with a visible ASCII character. */
const isBlank = (text: string): boolean =>
  !(text.charCodeAt(0) > 32 && text.charCodeAt(0) < 127) && text.trim() === ''

export type FieldReader = (pass: Pass) => string

/**
 * The value of a smart field, else its fallback, else an empty text. A deleted field is always empty. As a text, a
 * picture is its address.
 */
export function fieldValue(fieldId: string, scope: PieceScope, owner: string | undefined): FieldReader {
  const stored = storedValue(fieldId, scope, owner)
  const { personPicture } = scope
  if (!personPicture || kindOf(fieldId, scope) !== 'image') return stored
  return pass => {
    const value = stored(pass)
    return value === '' ? '' : (personPicture(value, { shape: 'square' })?.url ?? value)
  }
}

/** Like `fieldValue`, but the value of a picture is what `personPicture` takes. It must not be shown. */
export function storedValue(fieldId: string, scope: PieceScope, owner: string | undefined): FieldReader {
  const id = fieldId.toLowerCase()
  const field = scope.fields.get(id)
  if (!field) {
    scope.warn('unknown_reference', owner, 'This refers to a smart field that no longer exists.')
    return () => ''
  }
  const fallback = field.fallback && !isBlank(field.fallback) ? field.fallback : ''
  return pass => {
    const stored = pass.person[id]
    const value = stored === undefined || stored === null || isBlank(stored) ? fallback : stored
    pass.charactersLeft -= value.length
    return pass.charactersLeft < 0 ? '' : value
  }
}

export const kindOf = (id: string, scope: PieceScope): FieldKind =>
  scope.fields.get(id.toLowerCase())?.kind ?? 'text'
