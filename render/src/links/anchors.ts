// Links without the rest of their content tree. They are stored, so that a link in a mail that was sent still works
// after the content has changed or was deleted.
import type { Content } from '../content.ts'
import { compile } from '../render.ts'
import type { Token } from '../tokens.ts'
import type { Person, Surroundings } from '../types.ts'
import type { Href } from './href.ts'
import { firstUrlIn, linkOfText } from './links.ts'

/** A block or token with a link, or a token whose text can contain a link (it depends on the person). */
export type LinkSource =
  | { readonly id: string; readonly href: Href }
  | { readonly id: string; readonly token: Pick<Token, 'value' | 'smartFieldUuid' | 'fallback'> }

interface Node extends Token {
  readonly type?: never
  readonly tokens?: readonly Node[]
  readonly children?: readonly Node[]
}

/** All possible links of the content, in the order of the tree; the same for every person. */
export function linkSources(content: Content): readonly LinkSource[] {
  const sources: LinkSource[] = []
  const visit = (node: Node, isToken: boolean): void => {
    const { id, href, tokens = [], children = [] } = node
    if (id !== undefined && href) {
      // A contact card is not tracked.
      if (!href.vcard) sources.push({ id, href })
    } else if (id !== undefined && isToken && canBecomeLink(node))
      sources.push({ id, token: textFieldsOf(node) })
    // The tokens inside a link (of a button) are part of that link.
    for (const token of href ? [] : tokens) visit(token, true)
    for (const child of children) visit(child, false)
  }
  visit(content as unknown as Node, false)
  return sources
}

const textFieldsOf = ({ value, smartFieldUuid, fallback }: Token): Token => ({
  ...(value !== undefined && { value }),
  ...(smartFieldUuid !== undefined && { smartFieldUuid }),
  ...(fallback !== undefined && { fallback }),
})

const canBecomeLink = ({ value, smartFieldUuid }: Token): boolean =>
  smartFieldUuid !== undefined || linkOfText(value ?? '') !== null

/** The web address of a link for this person; null when the link has no web target. */
export function linkTarget(
  link: LinkSource,
  person: Person,
  surroundings: Pick<Surroundings, 'fields' | 'personPicture'>,
): string | null {
  const token: Token =
    'href' in link ? { id: link.id, value: '·', href: link.href } : { id: link.id, ...link.token }
  const content: Content = { type: 'stack', children: [{ type: 'text', tokens: [token] }] }
  const { anchors, text } = compile(content, {
    ...surroundings,
    assetUrl: () => '',
    iconUrl: () => '',
  }).render(person)
  const [anchor] = anchors
  if (anchor !== undefined || 'href' in link) return anchor?.url ?? null
  // Mails sent by earlier versions have links on texts that contain an address among other words.
  return firstUrlIn(text)
}
