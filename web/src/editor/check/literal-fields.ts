// Replaces `{{First name}}` in texts by the field of that name.
import type { Content, Token } from '@signoff/render'
import type { SmartField } from '@signoff/sdk'
import { newId } from '#records/content/ids.ts'
import { changeTokensIn } from './change-tokens.ts'

const literal = /\{\{([^{}]{0,100})\}\}/g

const plain = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')

const fieldNamed = (name: string, fields: readonly SmartField[]): SmartField | undefined =>
  fields.find(
    ({ key, label, kind }) =>
      kind !== 'image' && [key, label].some(each => plain(each ?? '') === plain(name)),
  )

function replacedIn(token: Token, fields: readonly SmartField[]): readonly Token[] {
  const { value = '', smartFieldUuid, textStyle, href } = token
  if (smartFieldUuid !== undefined) return [token]
  const tokens: Token[] = []
  let from = 0
  for (const match of value.matchAll(literal)) {
    const field = fieldNamed(match[1] ?? '', fields)
    if (!field) continue
    if (match.index > from) tokens.push({ ...token, id: newId(), value: value.slice(from, match.index) })
    tokens.push({
      id: newId(),
      type: 'smartFieldToken',
      smartFieldUuid: field.id,
      ...(textStyle && { textStyle }),
      ...(href && { href }),
    })
    from = match.index + match[0].length
  }
  if (from === 0) return [token]
  return from < value.length ? [...tokens, { ...token, value: value.slice(from) }] : tokens
}

/** The same tree when no name fits a field. */
export const withFieldsForLiterals = (
  tree: Content,
  ids: readonly string[],
  fields: readonly SmartField[],
): Content =>
  ids.reduce((changed, id) => changeTokensIn(changed, id, token => replacedIn(token, fields)), tree)
