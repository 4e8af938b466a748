// Lists with bullets or numbers.

import type { ComputedText } from '../html/computed-style.ts'
import { attributeOf, type HtmlElement, isHtmlElement } from '../html/parse.ts'
import { asOneDraft, type Draft, type DraftToken, stackOf } from './draft.ts'
import type { FlowResult } from './flow.ts'
import { listItem } from './labels.ts'
import { textStyleOf } from './tokens.ts'

/** `contentOf` is null for an item that is hidden. */
export async function listFrom(
  list: HtmlElement,
  contentOf: (item: HtmlElement) => Promise<FlowResult | null>,
  style: ComputedText,
): Promise<FlowResult> {
  const items = list.childNodes.filter(
    (node): node is HtmlElement => isHtmlElement(node) && node.tagName === 'li',
  )
  const first = Number.parseInt(attributeOf(list, 'start') ?? '1', 10) || 1
  const entries: { readonly label: DraftToken[]; readonly drafts: Draft[] }[] = []
  for (const [at, item] of items.entries()) {
    const result = await contentOf(item)
    if (result === null || result.drafts.length === 0) continue
    const value = list.tagName === 'ol' ? `${Math.abs(first) + at}.` : '•'
    const label = [{ type: 'textToken' as const, value, textStyle: textStyleOf(style) }]
    entries.push({ label, drafts: result.drafts })
  }
  if (entries.length === 0) return { drafts: [], top: 0, bottom: 0 }
  const isPlain = entries.every(({ drafts }) => drafts.every(draft => draft.type === 'text'))
  const blockStyle = { gap: 0 }
  if (isPlain) {
    const children = entries.map(({ label, drafts }) => listItem(label, drafts))
    return { drafts: [{ type: 'list', blockStyle, children }], top: 0, bottom: 0 }
  }
  const rows = entries.map(
    ({ label, drafts }): Draft =>
      stackOf([{ type: 'text', tokens: label }, asOneDraft(drafts)], {
        direction: 'row',
        verticalAlign: 'top',
        blockStyle: { gap: 8 },
      }),
  )
  return { drafts: rows, top: 0, bottom: 0 }
}
