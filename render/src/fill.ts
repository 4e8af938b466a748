// Smart fields: a person's values, with what stands in for those that are empty.
import type { FieldKind } from './links.ts'
import type { Pass, PieceScope } from './types.ts'

/** Most values begin with something that can be seen. */
const isBlank = (text: string): boolean =>
  !(text.charCodeAt(0) > 32 && text.charCodeAt(0) < 127) && text.trim() === ''

export type Value = (pass: Pass) => string

/** A smart field's value, else its fallback, else nothing. A field that is gone is always empty. */
export function fieldValue(name: string, scope: PieceScope, owner: string | undefined): Value {
  const id = name.toLowerCase()
  const field = scope.fields.get(id)
  if (!field) {
    scope.warn('unknown_reference', owner, 'This refers to a smart field that no longer exists.')
    return () => ''
  }
  const fallback = field.fallback && !isBlank(field.fallback) ? field.fallback : ''
  return pass => {
    const own = pass.person[id]
    const value = own === undefined || own === null || isBlank(own) ? fallback : own
    pass.charactersLeft -= value.length
    return pass.charactersLeft < 0 ? '' : value
  }
}

export const kindOf = (id: string, scope: PieceScope): FieldKind =>
  scope.fields.get(id.toLowerCase())?.kind ?? 'text'
