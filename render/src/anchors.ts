// Links without the rest of their tree: what is kept of content so that a link in a mail still leads somewhere when the content
// has changed or is gone.
import type { Content } from './content.ts'
import type { Href } from './href.ts'
import { linkInText } from './links.ts'
import { compile } from './render.ts'
import type { Token } from './tokens.ts'
import type { Person, Surroundings } from './types.ts'

/** What can be an anchor: a block or run with a link, or a run whose text may turn out to be one. */
export type LinkSource =
  | { readonly id: string; readonly href: Href }
  | { readonly id: string; readonly token: Pick<Token, 'value' | 'smartFieldUuid' | 'fallback'> }

interface Node extends Token {
  readonly type?: never
  readonly tokens?: readonly Node[]
  readonly children?: readonly Node[]
}

/** In the order of the tree, whoever it is filled in for. */
export function linkSources(content: Content): readonly LinkSource[] {
  const found: LinkSource[] = []
  const visit = (node: Node, isRun: boolean): void => {
    const { id, href, tokens = [], children = [] } = node
    if (id !== undefined && href) found.push({ id, href })
    else if (id !== undefined && isRun && mayLink(node)) found.push({ id, token: wordsOf(node) })
    // The runs of a button are part of its link.
    for (const token of href ? [] : tokens) visit(token, true)
    for (const child of children) visit(child, false)
  }
  visit(content as unknown as Node, false)
  return found
}

const wordsOf = ({ value, smartFieldUuid, fallback }: Token): Token => ({
  ...(value !== undefined && { value }),
  ...(smartFieldUuid !== undefined && { smartFieldUuid }),
  ...(fallback !== undefined && { fallback }),
})

const mayLink = ({ value, smartFieldUuid }: Token): boolean =>
  smartFieldUuid !== undefined || linkInText(value ?? '') !== null

/** Where it leads for this person, on the web; null is nowhere. */
export function linkTarget(
  link: LinkSource,
  person: Person,
  { fields }: Pick<Surroundings, 'fields'>,
): string | null {
  const token: Token =
    'href' in link ? { id: link.id, value: '·', href: link.href } : { id: link.id, ...link.token }
  const content: Content = { type: 'stack', children: [{ type: 'text', tokens: [token] }] }
  const [anchor] = compile(content, { fields, assetUrl: () => '', iconUrl: () => '' }).render(person).anchors
  return anchor?.url ?? null
}
