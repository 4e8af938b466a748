// What a link is, in a few words for people: the name that the author gave, what the link shows, or where it leads.

import type { Content } from '../content.ts'
import { iconLabel } from '../icons.ts'
import type { LinkSource } from './anchors.ts'
import type { Href } from './href.ts'

/** The label of a smart field, by its id. */
export type FieldLabels = (fieldId: string) => string | undefined

interface Node {
  readonly id?: string
  readonly type?: string
  readonly displayName?: string
  readonly name?: string
  readonly alt?: string
  readonly value?: string
  readonly smartFieldUuid?: string
  readonly href?: Href
  readonly tokens?: readonly Node[]
  readonly children?: readonly Node[]
}

const maxLength = 60
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** An editor that has no name for a block can have put its id there. */
function shorten(text: string | undefined): string {
  const words = (text ?? '').slice(0, 500).replace(/\s+/g, ' ').trim()
  if (uuid.test(words)) return ''
  const characters = [...words]
  return characters.length <= maxLength ? words : `${characters.slice(0, maxLength - 1).join('')}…`
}

const wordsOf = (tokens: readonly Node[], labelOf: FieldLabels): string =>
  shorten(
    tokens
      .slice(0, 20)
      .map(({ value, smartFieldUuid }) =>
        smartFieldUuid === undefined ? (value ?? '') : (labelOf(smartFieldUuid) ?? ''),
      )
      .join(''),
  )

/** The host of a fixed address; the label of the smart field that has the address. */
function targetOf(href: Href | undefined, labelOf: FieldLabels): string {
  if (href?.smartFieldUuid !== undefined) return shorten(labelOf(href.smartFieldUuid))
  const text = href?.text?.trim() ?? ''
  const url = URL.parse(text) ?? URL.parse(`https://${text}`)
  return url && url.hostname !== '' ? url.hostname.replace(/^www\./, '') : shorten(text)
}

const shownBy: Readonly<Record<string, (block: Node, labelOf: FieldLabels) => string>> = {
  button: ({ tokens = [] }, labelOf) => wordsOf(tokens, labelOf),
  icon: ({ name }) => iconLabel(name ?? ''),
  socialListItem: ({ name }) => iconLabel(name ?? ''),
  image: ({ alt }) => shorten(alt),
}

/** By the ids of `linkSources`. Links without any words are left out. */
export function linkLabels(content: Content, labelOf: FieldLabels): ReadonlyMap<string, string> {
  const labels = new Map<string, string>()
  const add = (id: string | undefined, ...candidates: readonly string[]) => {
    const label = candidates.find(words => words !== '')
    if (id !== undefined && label !== undefined) labels.set(id, label)
  }
  const visit = (block: Node): void => {
    const { id, type = '', href, tokens = [], children = [] } = block
    const name = shorten(block.displayName)
    if (href) add(id, name, shownBy[type]?.(block, labelOf) ?? '', targetOf(href, labelOf))
    else
      for (const token of tokens)
        add(token.id, wordsOf([token], labelOf), name, targetOf(token.href, labelOf))
    for (const child of children) visit(child)
  }
  visit(content as unknown as Node)
  return labels
}

/** For a link whose content is not there any more. */
export const linkSourceLabel = (link: LinkSource, labelOf: FieldLabels): string =>
  'href' in link ? targetOf(link.href, labelOf) : wordsOf([link.token], labelOf)
