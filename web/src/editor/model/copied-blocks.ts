// Blocks as text on the clipboard. Of blocks that were copied in another workspace, the pictures, fields and campaigns that
// do not exist here are left out, because the service would refuse the whole content.
import { type Content, type ContentReference, type Href, type Token, validateContent } from '@signoff/render'
import { type AnyBlock, childrenOf, withChildren } from '#records/content/block.ts'
import { copyWithNewIds } from '#records/content/ids.ts'

interface CopiedBlocks {
  readonly signoff: 'blocks'
  readonly blocks: readonly AnyBlock[]
}

export const copiedText = (blocks: readonly AnyBlock[]): string =>
  JSON.stringify({ signoff: 'blocks', blocks } satisfies CopiedBlocks)

export const isCopied = (text: string): boolean => text.startsWith('{"signoff":"blocks"')

/** The blocks of a text that `copiedText` has made; undefined for any other text. */
export function copiedBlocks(text: string): readonly AnyBlock[] | undefined {
  if (!isCopied(text)) return undefined
  try {
    const { blocks } = JSON.parse(text) as CopiedBlocks
    return Array.isArray(blocks) ? blocks.map(copyWithNewIds) : undefined
  } catch {
    return undefined
  }
}

export type PartKind = ContentReference['kind']
export type IsKnown = (kind: PartKind, id: string) => boolean
/** Number of different parts that were left out, by their kind. */
export type LeftOut = Readonly<Partial<Record<PartKind, number>>>

/** The parts of lists stand in a root only inside their list. */
function rootAround(block: AnyBlock): Content {
  const inside = (type: string, child: object) => ({ type, children: [child] })
  const around: Readonly<Record<string, (part: object) => object>> = {
    listItem: part => inside('list', part),
    listItemLabel: part => inside('list', inside('listItem', part)),
    socialListItem: part => inside('socialList', part),
  }
  return inside('stack', around[block.type]?.(block) ?? block) as Content
}

/** The references of the blocks; undefined when they break the rules of content wherever they stand. */
export function referencesIn(blocks: readonly AnyBlock[]): readonly ContentReference[] | undefined {
  const checked = blocks.map(block => validateContent(rootAround(block), { field: 'content' }))
  if (checked.some(({ problems }) => problems.length > 0)) return undefined
  return checked.flatMap(({ references }) => references)
}

/** Undefined when nothing is left to link to. */
function fittingHref(href: Href, isKnown: IsKnown): Href | undefined {
  const { smartFieldUuid, queryParams, ...rest } = href
  const isOurs = ({ smartFieldUuid: id }: { readonly smartFieldUuid?: string | undefined }) =>
    id === undefined || isKnown('smart_field', id)
  const fitting: Href = {
    ...rest,
    ...(smartFieldUuid !== undefined && isOurs(href) && { smartFieldUuid }),
    ...(queryParams && {
      queryParams: queryParams.map(each =>
        each.values ? { ...each, values: each.values.filter(isOurs) } : each,
      ),
    }),
  }
  const hasTarget = fitting.text !== undefined || fitting.smartFieldUuid !== undefined || fitting.vcard
  return hasTarget ? fitting : undefined
}

/** The words that stand in the place of a field that does not exist here. */
export function wordsOfField(token: Token): Token {
  const { smartFieldUuid: _, type: __, fallback, prefix: ___, suffix: ____, ...words } = token
  return { ...words, value: words.value || (fallback ?? '') }
}

function fittingToken(token: Token, isKnown: IsKnown): Token {
  const { href, ...rest } = token
  const link = href && fittingHref(href, isKnown)
  const linked = link ? { ...rest, href: link } : rest
  const { smartFieldUuid: id } = token
  return id === undefined || isKnown('smart_field', id) ? linked : wordsOfField(linked)
}

const isForeign = (block: AnyBlock, isKnown: IsKnown): boolean => {
  const { assetUuid, smartFieldUuid, campaignUuid } = block as unknown as Readonly<
    Record<string, string | undefined>
  >
  return (
    (assetUuid !== undefined && !isKnown('asset', assetUuid)) ||
    (smartFieldUuid !== undefined && !isKnown('smart_field', smartFieldUuid)) ||
    (campaignUuid !== undefined && !isKnown('campaign', campaignUuid))
  )
}

const needsHref = (block: AnyBlock): boolean =>
  block.type === 'button' || block.type === 'socialListItem' || block.type === 'qrCode'

/** Undefined for a block of which nothing is left. */
function fittingBlock(block: AnyBlock, isKnown: IsKnown): AnyBlock | undefined {
  if (isForeign(block, isKnown)) return undefined
  let fitting = block
  if ('href' in block && block.href) {
    const { href: _, ...rest } = block
    const href = fittingHref(block.href, isKnown)
    if (!href && needsHref(block)) return undefined
    fitting = (href ? { ...rest, href } : rest) as AnyBlock
  }
  if ('tokens' in fitting && fitting.tokens)
    fitting = { ...fitting, tokens: fitting.tokens.map(token => fittingToken(token, isKnown)) }
  const children = childrenOf(block)
  if (children.length === 0) return fitting
  const fittingChildren = children.flatMap(child => fittingBlock(child, isKnown) ?? [])
  return fittingChildren.length === 0 ? undefined : withChildren(fitting, fittingChildren)
}

export function withoutForeignParts(
  blocks: readonly AnyBlock[],
  references: readonly ContentReference[],
  isKnown: IsKnown,
): { readonly blocks: readonly AnyBlock[]; readonly leftOut: LeftOut | undefined } {
  const foreign = new Map(
    references
      .filter(({ kind, id }) => !isKnown(kind, id))
      .map(({ kind, id }) => [`${kind} ${id.toLowerCase()}`, kind]),
  )
  if (foreign.size === 0) return { blocks, leftOut: undefined }
  const leftOut: Partial<Record<PartKind, number>> = {}
  for (const kind of foreign.values()) leftOut[kind] = (leftOut[kind] ?? 0) + 1
  return { blocks: blocks.flatMap(block => fittingBlock(block, isKnown) ?? []), leftOut }
}
