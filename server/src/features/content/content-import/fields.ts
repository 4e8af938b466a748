// Finds the values of a person in imported texts and links, and replaces them by smart fields.
import type { SmartField } from '#features/workspace/smart-fields/index.ts'
import { TimeSlice } from '#kernel/base/time-slice.ts'
import type { Draft, DraftToken } from './layout/draft.ts'
import { type FieldMatch, isTargetOf, matchesIn, targetConfidence } from './matching.ts'
import type { ImportNotes } from './notes.ts'

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

type DraftHref = NonNullable<DraftToken['href']>

interface Search {
  readonly filled: readonly FilledField[]
  readonly newId: () => string
  readonly found: RecognisedField[]
  readonly notes: ImportNotes
}

/** Changes the tree. Returns what it replaced, in reading order. */
export async function recogniseFields(
  root: Draft,
  filled: readonly FilledField[],
  newId: () => string,
  notes: ImportNotes,
): Promise<readonly RecognisedField[]> {
  const search: Search = { filled, newId, found: [], notes }
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
function recogniseHref(holder: Draft | DraftToken, search: Search): void {
  const target = holder.href?.text
  if (target === undefined) return
  const match = fieldAt(target, search.filled)
  if (!match) return
  const { field, value } = match.filled
  holder.id ??= search.newId()
  holder.href = fieldHref(target, match.filled, search)
  search.found.push({
    token_id: holder.id,
    value,
    smart_field_id: field.id,
    confidence: match.confidence,
  })
}

/** The field whose value a link leads to, most surely. */
const fieldAt = (target: string, filled: readonly FilledField[]) =>
  filled
    .map(entry => ({
      filled: entry,
      confidence: targetConfidence(target, entry.field.kind, entry.value),
    }))
    .filter(({ confidence }) => confidence > 0)
    .sort((a, b) => b.confidence - a.confidence)[0]

/** A link to the value of each recipient. What it cannot keep of the target is listed. */
function fieldHref(target: string, { field, value }: FilledField, { notes }: Search): DraftHref {
  const isSame = targetConfidence(target, field.kind, value) > 0
  const isKept = isSame && !target.startsWith('sms:') && (field.kind !== 'email' || !target.includes('?'))
  if (!isKept) notes.add('link', `${target}, replaced by a link to the smart field ${field.key}`)
  return { smartFieldUuid: field.id }
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
function fieldPart(token: DraftToken, text: string, match: FieldMatch, search: Search): DraftToken {
  const { id: _, value: __, href, textStyle, ...rest } = token
  const { field, value } = match.filled
  const part: DraftToken = { ...rest, id: search.newId(), smartFieldUuid: field.id }
  const isUpperCase = text === text.toUpperCase() && text !== value && /\p{L}/u.test(text)
  const style = isUpperCase ? { ...textStyle, textTransform: 'uppercase' } : textStyle
  if (style) part.textStyle = style
  if (href) part.href = hrefBeside(href, match.filled, search)
  search.found.push({
    token_id: part.id ?? '',
    value: text,
    smart_field_id: field.id,
    confidence: match.confidence,
  })
  return part
}

/** The link of a text that became a smart field: it must not lead all recipients to this one person. */
function hrefBeside(href: DraftHref, own: FilledField, search: Search): DraftHref {
  const target = href.text ?? ''
  const { kind } = own.field
  if (isTargetOf(target, kind) || targetConfidence(target, kind, own.value) > 0)
    return fieldHref(target, own, search)
  const other = fieldAt(target, search.filled)
  if (other) return fieldHref(target, other.filled, search)
  if (kind !== 'text' || /^(mailto|tel|sms):/.test(target))
    search.notes.add('link', `${target} stays the same for all, beside the smart field ${own.field.key}`)
  return href
}
