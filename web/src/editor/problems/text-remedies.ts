import { type Content, type Href, safeUrl, type Token } from '@signoff/render'
import type { SmartField } from '@signoff/sdk'
import { fieldLabel } from '#api/field-labels.ts'
import { type AnyBlock, idOf, tokensOf } from '#records/content/block.ts'
import { newId } from '#records/content/ids.ts'
import { setProperties } from '../model/operations.ts'
import { blockOf } from '../model/tree.ts'
import { fieldsNeededBy } from './missing-values.ts'

/** Replaces each token of a block by one or several. The same tree when all tokens stay the same objects. */
export function changeTokensIn(
  tree: Content,
  id: string,
  change: (token: Token) => Token | readonly Token[],
): Content {
  const block = blockOf(tree, id)
  const tokens = block && tokensOf(block)
  if (!tokens) return tree
  const next = tokens.flatMap(change)
  const isSame = next.length === tokens.length && next.every((token, index) => token === tokens[index])
  return isSame ? tree : setProperties(tree, id, { tokens: next })
}

// Texts for people without a value.

/** The check names the field by its label. */
export const lackedField = (
  tree: Content,
  label: string | undefined,
  fields: readonly SmartField[],
): SmartField | undefined =>
  label === undefined
    ? undefined
    : fieldsNeededBy(tree, fields).find(
        ({ field }) => field.label === label || field.label === fieldLabel(label),
      )?.field

const isFieldOf = (fieldId: string, id: string | undefined): boolean => id?.toLowerCase() === fieldId

/** True if a text of these blocks shows the field: pictures and links cannot have words instead. */
export const canHaveFallback = (tree: Content, ids: readonly string[], fieldId: string): boolean =>
  ids.some(id =>
    tokensOf(blockOf(tree, id) ?? tree)?.some(({ smartFieldUuid }) => isFieldOf(fieldId, smartFieldUuid)),
  )

export const withFallback = (
  tree: Content,
  ids: readonly string[],
  fieldId: string,
  fallback: string,
): Content =>
  ids.reduce(
    (changed, id) =>
      changeTokensIn(changed, id, token =>
        isFieldOf(fieldId, token.smartFieldUuid) && !token.fallback ? { ...token, fallback } : token,
      ),
    tree,
  )

// Links without a target: gives them an address, or takes the link away.

const hasTarget = ({ text, smartFieldUuid, vcard }: Href): boolean =>
  smartFieldUuid !== undefined || vcard === true || safeUrl(text ?? '') !== null

const linkOfBlock = (block: AnyBlock): Href | undefined => ('href' in block ? block.href : undefined)

function changeLinks(tree: Content, block: AnyBlock, change: (href: Href) => Href | undefined): Content {
  const own = linkOfBlock(block)
  if (own) return hasTarget(own) ? tree : setProperties(tree, idOf(block), { href: change(own) })
  return changeTokensIn(tree, idOf(block), token => {
    if (!token.href || hasTarget(token.href)) return token
    const { href, ...rest } = token
    const next = change(href)
    return next ? { ...rest, href: next } : rest
  })
}

/** The address that was typed, where something was. */
export const typedTarget = (block: AnyBlock): string =>
  [linkOfBlock(block), ...(tokensOf(block) ?? []).map(({ href }) => href)].find(
    href => href && !hasTarget(href),
  )?.text ?? ''

export const withTarget = (tree: Content, block: AnyBlock, address: string): Content =>
  changeLinks(tree, block, href => ({ ...href, text: address }))

export const withoutEmptyLinks = (tree: Content, block: AnyBlock): Content =>
  changeLinks(tree, block, () => undefined)

/** A spoken form such as `www.example.com` is completed; null when the text is no address. */
export const completedAddress = (text: string): string | null => {
  const typed = text.trim()
  const complete = /^[^\s@/]+@[^\s@/]+$/.test(typed) ? `mailto:${typed}` : typed
  return safeUrl(complete) === null ? null : complete
}

// Replaces `{{First name}}` in texts by the field of that name.

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
