// Finds the values of a person in imported texts and links, and replaces them by smart fields.
import type { SmartField } from '#features/smart-fields/index.ts'
import { TimeSlice } from '#kernel/time-slice.ts'
import type { Draft, DraftToken } from './layout/draft.ts'
import { type FieldMatch, matchesIn, sameTarget } from './matching.ts'

export interface RecognisedField {
  /** The token; for a link of a picture, an icon or a button, its block. */
  readonly token_id: string
  readonly value: string
  readonly smart_field_id: string
  /** From 0.6 to 1. */
  readonly confidence: number
}

/** A smart field with the person's value. */
export interface FilledField {
  readonly field: SmartField
  readonly value: string
}

interface Search {
  readonly filled: readonly FilledField[]
  readonly newId: () => string
  readonly found: RecognisedField[]
}

/** Changes the tree. Returns what it replaced, in reading order. */
export async function recogniseFields(
  root: Draft,
  filled: readonly FilledField[],
  newId: () => string,
): Promise<readonly RecognisedField[]> {
  const search: Search = { filled, newId, found: [] }
  const slice = new TimeSlice()
  const open: Draft[] = [root]
  for (let draft = open.pop(); draft; draft = open.pop()) {
    await slice.pause()
    recogniseHref(draft, search)
    if (draft.tokens) draft.tokens = draft.tokens.flatMap(token => recogniseToken(token, search))
    for (const child of (draft.children ?? []).toReversed()) open.push(child)
  }
  return search.found
}

/** The link of a block or token that leads to a value of the person. */
function recogniseHref(holder: Draft | DraftToken, { filled, newId, found }: Search): void {
  const target = holder.href?.text
  if (target === undefined) return
  const match = filled.find(({ field, value }) => sameTarget(target, field.kind, value))
  if (!match) return
  holder.id ??= newId()
  holder.href = { smartFieldUuid: match.field.id }
  found.push({
    token_id: holder.id,
    value: match.value,
    smart_field_id: match.field.id,
    confidence: 0.95,
  })
}

function recogniseToken(token: DraftToken, search: Search): DraftToken[] {
  const { value = '', smartFieldUuid } = token
  if (smartFieldUuid !== undefined || value.trim() === '') return [token]
  const matches = matchesIn(value, search.filled)
  if (matches.length === 0) {
    recogniseHref(token, search)
    return [token]
  }
  const parts: DraftToken[] = []
  let at = 0
  for (const match of matches) {
    if (match.start > at) parts.push(textPart(token, value.slice(at, match.start)))
    parts.push(fieldPart(token, value.slice(match.start, match.end), match, search))
    at = match.end
  }
  if (at < value.length) parts.push(textPart(token, value.slice(at)))
  return parts
}

const textPart = ({ id: _, ...token }: DraftToken, value: string): DraftToken => ({ ...token, value })

/** The token shows the person's value. It has no text of its own: that would be shown for people without a value. */
function fieldPart(token: DraftToken, text: string, match: FieldMatch, { newId, found }: Search): DraftToken {
  const { id: _, value: __, href, textStyle, ...rest } = token
  const { field, value } = match.filled
  const part: DraftToken = { ...rest, id: newId(), smartFieldUuid: field.id }
  const isUpperCase = text === text.toUpperCase() && text !== value && /\p{L}/u.test(text)
  const style = isUpperCase ? { ...textStyle, textTransform: 'uppercase' } : textStyle
  if (style) part.textStyle = style
  if (href) part.href = sameTarget(href.text ?? '', field.kind, value) ? { smartFieldUuid: field.id } : href
  found.push({
    token_id: part.id ?? '',
    value: text,
    smart_field_id: field.id,
    confidence: match.confidence,
  })
  return part
}
